"""Dictionaries of lists, or of sets, that stay in their function, in Numba's pipeline:
`groups.setdefault(k, []).append(v)`, `defaultdict(set)`, `if k not in groups: groups[k] = []`,
`{i: [] for i in ...}`.

Compiled dictionaries hold no lists. A dictionary that is only filled, read and looped over becomes
what `containers/groups.py` has; if anything else is done with it, it is left as it is, and refused.
"""

from __future__ import annotations

import collections
import operator
from collections import Counter
from typing import Any

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.containers.groups import (
    group_of,
    group_or_new,
    group_or_none,
    groups,
    has_group,
    keys_of_groups,
    put_empty,
    put_group,
    values_of_groups,
)
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.rewriting.escapes import come_from, definition, names_of, statements, used_in
from prunus.kernel.rewriting.group_rows import is_kept_by, kind_of_new
from prunus.kernel.rewriting.inlining import global_value, kind_of_empty, used_variables
from prunus.kernel.rewriting.tuple_parts import parts_of, parts_of_list

_READING = (len, bool, max, min, sorted, list, set, tuple, sum, any, all)
"""The functions that ask for keys or lists, all at once."""

_IN_PLACE = (operator.iadd, operator.ior, operator.iand, operator.isub, operator.ixor)
"""The operators that change a list or set itself."""

_VIEWS = {"keys": keys_of_groups, "values": values_of_groups, "items": zip}
_BOTH = (keys_of_groups, values_of_groups)


@register_pass(mutates_CFG=False, analysis_only=False)
class Groups(FunctionPass):
    """Rewrites such dictionaries."""

    _name = "prunus_groups"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir, changed = state.func_ir, False
        if not any(_may_make(each) for _, _, each in statements(func_ir)):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        for _, block, statement in list(statements(func_ir)):
            kind = _makes(func_ir, statement)
            if kind is None:
                continue
            found = _Groups(func_ir, statement, kind)
            if found.are_understood():
                found.rewrite(block)
                func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
                changed = True
        return changed


def _may_make(statement: Any) -> bool:
    value = statement.value if isinstance(statement, ir.Assign) else None
    return (isinstance(value, ir.Expr) and value.op == "build_map" and not value.items) or (
        isinstance(value, ir.Global | ir.FreeVar)
        and any(value.value is each for each in (dict, collections, collections.defaultdict))
    )


def _makes(func_ir: Any, statement: Any) -> type | None:
    """`list` or `set` for a statement that makes an empty `defaultdict` of such, `dict` for an
    empty dictionary; None for others."""
    value = statement.value if isinstance(statement, ir.Assign) else None
    if not isinstance(value, ir.Expr):
        return None
    if value.op == "build_map":
        return None if value.items else dict
    if value.op != "call" or value.kws or value.vararg is not None:
        return None
    function = global_value(func_ir, value.func)
    if function is dict:
        return None if value.args else dict
    if function is not collections.defaultdict or len(value.args) != 1:
        return None
    missing = global_value(func_ir, value.args[0])
    return next((kind for kind in (list, set) if kind is missing), None)


class _Groups:
    """All that a function does with such a dictionary: `calls` are the statements to rewrite, each
    with its block, the function to call and what it is given; `kind` is what its values are, None
    as long as it is not known."""

    def __init__(self, func_ir: Any, maker: Any, kind: type) -> None:
        self.func_ir, self.maker, self.is_default = func_ir, maker, kind is not dict
        self.kind = kind if self.is_default else None
        self.names = names_of(func_ir, [maker.target.name])
        self.uses = Counter(used_variables(func_ir))
        self.calls: list[Any] = []
        self.forgotten: list[Any] = []
        self.iterated: set[str] = set()
        self.keys: list[Any] = []
        self.rows: list[Any] = []
        self.wholes: list[Any] = []
        self.dropped: list[Any] = []

    def are_understood(self) -> bool:
        """Whether everything is, and some value is a list or set."""
        return (
            come_from(self.func_ir, self.names, [self.maker.value])
            and all(self._is_understood(*each) for each in list(statements(self.func_ir)))
            and self.kind is not None
        )

    def _holds(self, variable: Any) -> bool:
        return isinstance(variable, ir.Var) and variable.name in self.names

    def _is_understood(self, label: int, block: Any, statement: Any) -> bool:
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(statement, ir.SetItem) and self._holds(statement.target):
            given = (statement.index, statement.value)
            return not any(map(self._holds, given)) and self._put(label, block, statement, *given)
        if isinstance(value, ir.Var) or isinstance(statement, ir.Del) or statement is self.maker:
            return True
        if not any(map(self._holds, used_in(statement))):
            return True
        if not isinstance(value, ir.Expr):
            return False
        if value.op == "getattr":
            return self._method(statement, value)
        if value.op == "getitem" and not self._holds(value.index):
            self.keys.append(value.index)
            self.rows.append(statement.target)
            how = (group_or_new, value.value, value.index, True)
            self._call(label, block, statement, how if self.is_default else (group_of, *how[1:3]))
            return True
        if value.op == "binop" and value.fn is operator.contains and not self._holds(value.rhs):
            self.keys.append(value.rhs)
            self._call(label, block, statement, (has_group, value.lhs, value.rhs))
            return True
        return self._is_read(label, block, statement, value)

    def _is_read(self, label: int, block: Any, statement: Any, value: Any) -> bool:
        """Whether a statement asks for the keys; it is then given a list of them."""
        is_call = value.op == "call" and not self._holds(value.func)
        if is_call and not any(global_value(self.func_ir, value.func) is f for f in _READING):
            return False
        is_not = value.op == "unary" and value.fn is operator.not_
        if not (is_call or is_not or value.op == "getiter"):
            return False
        if value.op == "getiter":
            self.iterated.add(statement.target.name)
        held = next(each for each in value.list_vars() if self._holds(each))
        if sum(map(self._holds, value.list_vars())) != 1:
            return False
        keys = block.scope.redefine(ir_utils.mk_unique_var("$keys"), loc=statement.loc)
        asked = ir.Assign(ir.Const(None, statement.loc), keys, statement.loc)
        self.calls.append((label, block, asked, (keys_of_groups, held), statement))
        return True

    def _is_kind(self, kind: type | None) -> bool:
        """Note what a value is; false if another one is something else, or if it is neither."""
        if kind in (list, set) and self.kind in (None, kind):
            self.kind = kind
        return kind is object or (kind is not None and kind is self.kind)

    def _put(self, label: int, block: Any, statement: Any, key: Any, value: Any) -> bool:
        """`groups[k] = [...]`, in a statement of its own or as the call of `__setitem__` that a
        comprehension has."""
        self.keys.append(key)
        made = definition(self.func_ir, value)
        if self._changes_in_place(made, key) and isinstance(statement, ir.SetItem):
            self.dropped.append((block, statement))
            return True
        kind = kind_of_empty(self.func_ir, made)
        how: Any = (put_empty, self.maker.target, key, True)
        if kind is not None and is_kept_by(self.func_ir, value, statement):
            self.forgotten.append(made)
        else:
            kind = kind_of_new(self.func_ir, value, statement)
            how = (put_group, self.maker.target, key, value, True)
            self.wholes.append(value)
        if not self._is_kind(kind):
            return False
        if not isinstance(statement, ir.SetItem):
            self._call(label, block, statement, how)
            return True
        target = block.scope.redefine(ir_utils.mk_unique_var("$put"), loc=statement.loc)
        put = ir.Assign(ir.Const(None, statement.loc), target, statement.loc)
        self.calls.append((label, block, put, how, statement))
        return True

    def _changes_in_place(self, made: Any, key: Any) -> bool:
        """Whether a value is that of `groups[k] += ...` for this key: it is where it belongs."""
        if not isinstance(made, ir.Expr) or made.op != "inplace_binop":
            return False
        if not any(made.fn is each for each in _IN_PLACE):
            return False
        row = definition(self.func_ir, made.lhs)
        return (
            isinstance(row, ir.Expr)
            and row.op == "getitem"
            and self._holds(row.value)
            and row.index.name == key.name
            and len(self.func_ir._definitions[key.name]) == 1
        )

    def _method(self, statement: Any, value: Any) -> bool:
        """A method that is looked up, and called once."""
        name = statement.target.name
        found = [
            (label, block, other)
            for label, block, other in statements(self.func_ir)
            if not isinstance(other, ir.Del) and any(v.name == name for v in used_in(other))
        ]
        if self.uses[name] != 1 or len(found) != 1 or not self._is_called(found[0][2], name):
            return False
        label, block, other = found[0]
        self.forgotten.append(value)
        given = other.value.args
        if value.attr == "__setitem__":
            return not any(map(self._holds, given)) and self._put(label, block, other, *given)
        if value.attr in _VIEWS and not given:
            self._call(label, block, other, (_VIEWS[value.attr], value.value))
            return self._is_viewed(other.target, value.attr)
        if value.attr not in ("setdefault", "get") or len(given) != 2:
            return False
        made = definition(self.func_ir, given[1])
        is_known = self._is_kind(kind_of_empty(self.func_ir, made))
        if not is_known or self.uses[given[1].name] != 1 or self._holds(given[0]):
            return False
        self.forgotten.append(made)
        self.keys.append(given[0])
        self.rows.append(other.target)
        how = (group_or_new, value.value, given[0], True)
        self._call(label, block, other, how if value.attr == "setdefault" else _or_none(how))
        return True

    def _is_called(self, statement: Any, name: str) -> bool:
        call = statement.value if isinstance(statement, ir.Assign) else None
        return (
            isinstance(call, ir.Expr)
            and call.op == "call"
            and call.func.name == name
            and not call.kws
            and call.vararg is None
        )

    def _is_viewed(self, view: Any, kind: str) -> bool:
        """Whether what `keys`, `values` or `items` gives is used once, at once."""
        if self.uses[view.name] != 1 or not view.is_temp:
            return False
        for _, _, statement in statements(self.func_ir):
            value = statement.value if isinstance(statement, ir.Assign) else None
            if not isinstance(value, ir.Expr) or view.name not in map(_name, value.list_vars()):
                continue
            if value.op == "getiter":
                self.iterated.add(statement.target.name)
                return True
            function = global_value(self.func_ir, value.func) if value.op == "call" else None
            return kind != "items" and any(function is each for each in _READING)
        return False

    def _call(self, label: int, block: Any, statement: Any, how: Any) -> None:
        self.calls.append((label, block, statement, how, None))

    def _keep_keys_in_loops(self) -> None:
        """Tell what may add a key in a loop over the dictionary that it must not: Python's loop
        then fails."""
        bodies = self._looping()
        for place, (label, *rest) in enumerate(self.calls):
            function, *given = rest[2]
            if label in bodies and function in (put_group, put_empty, group_or_new):
                self.calls[place] = (label, *rest[:2], (function, *given[:-1], False), rest[3])

    def _looping(self) -> set[int]:
        """The labels of the blocks in loops over the dictionary."""
        iterators = names_of(self.func_ir, list(self.iterated))
        heads = {
            label
            for label, _, statement in statements(self.func_ir)
            if isinstance(value := getattr(statement, "value", None), ir.Expr)
            and value.op == "iternext"
            and value.value.name in iterators
        }
        loops = ir_utils.compute_cfg_from_blocks(self.func_ir.blocks).loops().values()
        around = [[loop.body for loop in loops if head in loop.body] for head in heads]
        return {label for bodies in around if bodies for label in min(bodies, key=len)}

    def rewrite(self, block: Any) -> None:
        """Do so with all statements."""
        self._keep_keys_in_loops()
        key = max((parts_of(self.func_ir, each) for each in self.keys), default=0)
        item = max(
            (
                *map(self._parts_of_items, self.rows),
                *(parts_of_list(self.func_ir, each, ()) for each in self.wholes),
            ),
            default=0,
        )
        if self.is_default:
            self.forgotten.append(definition(self.func_ir, self.maker.value.func))
        call_instead(block, self.maker, groups, key, item, int(self.kind is set))
        for _, place, statement, (function, *given), whole in self.calls:
            if whole is not None:
                place.body.insert(place.body.index(whole), statement)
            if function is zip:
                both = [_asked(place, statement, each, given[0]) for each in _BOTH]
                call_instead(place, statement, zip, *both)
            else:
                call_instead(place, statement, function, *given)
            if whole is not None and isinstance(whole, ir.SetItem):
                place.body.remove(whole)
            elif whole is not None:
                keys = {given[0].name: statement.target}
                whole.value = ir_utils.replace_vars_inner(whole.value, keys)
        for place, statement in self.dropped:
            place.body.remove(statement)
        for _, _, statement in statements(self.func_ir):
            value = getattr(statement, "value", None)
            if any(value is each for each in self.forgotten):
                statement.value = ir.Const(None, statement.loc)

    def _parts_of_items(self, row: Any) -> int:
        """The number of parts of what is put into a list or set of the dictionary."""
        names = names_of(self.func_ir, [row.name])
        methods = {
            statement.target.name
            for _, _, statement in statements(self.func_ir)
            if isinstance(value := getattr(statement, "value", None), ir.Expr)
            and value.op == "getattr"
            and value.attr in ("append", "add")
            and value.value.name in names
        }
        calls = (c for block in self.func_ir.blocks.values() for c in block.find_exprs("call"))
        return max(
            (parts_of(self.func_ir, c.args[0]) for c in calls if c.func.name in methods and c.args),
            default=0,
        )


def _asked(block: Any, statement: Any, function: Any, held: Any) -> Any:
    """A variable with the keys or the lists, before a statement."""
    asked = block.scope.redefine(ir_utils.mk_unique_var("$asked"), loc=statement.loc)
    before = ir.Assign(ir.Const(None, statement.loc), asked, statement.loc)
    block.body.insert(block.body.index(statement), before)
    call_instead(block, before, function, held)
    return asked


def _or_none(how: Any) -> Any:
    return (group_or_none, *how[1:3])


def _name(variable: Any) -> str:
    return str(variable.name)
