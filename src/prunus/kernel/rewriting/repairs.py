"""Corrections of faults in Numba's reading of bytecode, which made it refuse: an assignment inside
an expression (`if (q := f(x)) > 3`), whose value was under a name that was then removed; `{f(v) for
v in t}`, which looked for its set in the wrong place; `del name`; a name read above its first
assignment, in a loop; `super().name`, which is one instruction since Python 3.12; or which gave
another value: keyword arguments within `try`; a variable that an inner function changes between its
reading and its use; `not not x`, which is one instruction since Python 3.13. Also support for what
it does not know: `a, *rest = t`. A variable that `del` ends, or whose name is a statement by
itself, stays visible to `unbound.py`.
"""

from __future__ import annotations

from typing import Any

from numba.core import errors, interpreter, ir
from numba.core.byteflow import TraceRunner
from numba.core.errors import NotDefinedError
from numba.core.interpreter import Interpreter
from numba.core.utils import PYVERSION
from numba.extending import overload

import prunus.kernel.rewriting.comprehensions  # noqa: F401 - comes before all this
from prunus.kernel.rewriting.held import is_assigned_within

_DELETED, DROPPED = READ = "$deleted_", "$dropped_"
"""How variables are called that are only assigned to ask whether another one has a value."""

_remove_unused_temporaries = Interpreter._remove_unused_temporaries


def _keep_used_temporaries(self: Any) -> None:
    """Numba turns `$1 = f(); a = $1` into `a = f()` even if $1 is used again; in that case it
    becomes a copy of `a`."""
    targets = [
        (statement, statement.target)
        for statement in self.current_block.body
        if isinstance(statement, ir.Assign)
    ]
    _remove_unused_temporaries(self)
    body = self.current_block.body
    used = {variable.name for statement in body for variable in statement.list_vars()}
    used.update(self.dfainfo.outgoing_phis.values())  # the values that the next blocks ask for
    for statement, target in targets:
        if statement.target is not target and target.name in used and statement in body:
            body.insert(
                body.index(statement) + 1, ir.Assign(statement.target, target, statement.loc)
            )
            self.definitions[target.name] = [statement.target]


def _set_add(self: Any, state: Any, inst: Any) -> None:
    """The instruction SET_ADD: its argument is the set's depth in the stack."""
    value = state.pop()
    target = state.peek(inst.arg)
    state.append(inst, value=value, target=target, addvar=state.make_temp(), res=state.make_temp())


def _forget_name(self: Any, inst: Any) -> None:
    """The instruction DELETE_FAST: the variable, which must have a value, has none from here on."""
    target = self.get(self.code_locals[inst.arg])
    _read(self, target, f"{_DELETED}{inst.offset}")
    for copy in self.assigner.src_invalidate.pop(target.name, ()):
        self.assigner.dest_to_src.pop(copy, None)
    self.current_block.append(ir.Assign(ir.Expr.undef(self.loc), target, self.loc))


def _drop(self: Any, state: Any, inst: Any) -> None:
    """The instruction POP_TOP: after the loading of a variable, whose name is a statement by
    itself, it still asks for its value. Within `try` each instruction is a block of its own."""
    value = state.pop()
    before = {"res": value}
    offset, made = state.instructions[-1] if state.instructions else (inst.offset - 2, before)
    found = state._bytecode.table.get(offset)
    if found is None or made.get("res") != value:
        return
    if found.opname.startswith(("LOAD_FAST", "LOAD_DEREF")):
        state.append(inst, value=value)


def _read_dropped(self: Any, inst: Any, value: Any) -> None:
    """The same in the intermediate code."""
    ask(self, self.get(value), inst)


def ask(self: Any, value: Any, inst: Any) -> None:
    """Read a variable for nothing but its having a value."""
    _read(self, value, f"{DROPPED}{inst.offset}")


def _read(self: Any, value: Any, name: str) -> None:
    """Give a variable another name, by which nothing uses it."""
    target = self.current_scope.get_or_define(name, loc=self.loc)
    self.current_block.append(ir.Assign(value, target, self.loc))
    self.definitions[target.name].append(value)


def _take_super(self: Any, state: Any, inst: Any) -> None:
    """The instruction LOAD_SUPER_ATTR: an attribute of the result of `super` for a class and an
    object, which are written only if the second bit of its argument is set."""
    owner, cls = state.pop(), state.pop()
    given = (cls, owner) if inst.arg & 2 else ()
    taken, called, res = state.pop(), state.make_temp(), state.make_temp()
    # A method that is about to be called leaves an empty slot beside it, on one side or the other.
    pushed = [res, *([state.make_null()] if inst.arg & 1 else [])]
    for item in pushed if PYVERSION >= (3, 13) else reversed(pushed):
        state.push(item)
    state.append(inst, taken=taken, given=given, called=called, res=res)


def _call_super(self: Any, inst: Any, taken: Any, given: Any, called: Any, res: Any) -> None:
    """The same as the call and the attribute access that older Pythons generate."""
    arguments = [self.get(each) for each in given]
    self.store(ir.Expr.call(self.get(taken), arguments, (), loc=self.loc), called)
    self.store(ir.Expr.getattr(self.get(called), self.code_names[inst.arg >> 2], loc=self.loc), res)


def _named(self: Any, value: Any) -> Any:
    """A variable that holds a function or a constant."""
    made = (
        ir.Global(value.__name__, value, self.loc) if callable(value) else ir.Const(value, self.loc)
    )
    return self.store(made, f"$given_{self.current_block_offset}", redefine=True)


def _truth(self: Any, inst: Any, val: str, res: str) -> None:
    """The instruction TO_BOOL, which Numba takes for a copy. That does where a jump or `not`
    follows, both of which ask for the truth themselves."""
    value, following = self.get(val), self.bytecode[inst.next].opname
    if not following.startswith(("POP_JUMP", "UNARY_NOT")):
        value = ir.Expr.call(_named(self, bool), (value,), (), loc=self.loc)
    self.store(value, res)


def check_enough(items, count):
    """Raise Python's error if there are too few items to unpack, in compiled code."""
    raise NotImplementedError


@overload(check_enough)
def _check_enough(items, count):
    def check(items, count):
        if len(items) < count:
            raise ValueError("not enough values to unpack")

    return check


def _take_rest(self: Any, state: Any, inst: Any) -> None:
    """The instruction UNPACK_EX: the two bytes of its argument count the items before and after the
    starred name."""
    before, after = inst.arg & 255, inst.arg >> 8
    value = state.pop()
    stores = [state.make_temp() for _ in range(before + 1 + after)]
    for name in reversed(stores):
        state.push(name)
    state.append(inst, value=value, stores=stores, before=before)


def _unpack_rest(self: Any, inst: Any, value: Any, stores: Any, before: int) -> None:
    """Items by their positions from either end, and the list of those between."""
    items, after = self.get(value), len(stores) - before - 1
    asked = (items, _named(self, before + after))
    self.store(ir.Expr.call(_named(self, check_enough), asked, (), loc=self.loc), f"$e_{stores[0]}")
    for place, name in enumerate(stores):
        if place == before:
            limits = (
                _named(self, slice),
                [_named(self, before), _named(self, -after if after else None)],
            )
            between = self.store(ir.Expr.call(*limits, (), loc=self.loc), f"$between_{name}")
            part = self.store(ir.Expr.getitem(items, between, loc=self.loc), f"$part_{name}")
            self.store(ir.Expr.call(_named(self, list), (part,), (), loc=self.loc), name)
        else:
            index = _named(self, place if place < before else place - len(stores))
            self.store(ir.Expr.getitem(items, index, loc=self.loc), name)


_join_starred = interpreter.peep_hole_list_to_tuple


def _name_later(func_ir: Any) -> Any:
    """`t = (*a, b)` where t is also assigned elsewhere: Numba builds the tuple under a name that
    must be assigned only once."""
    for block in func_ir.blocks.values():
        for statement in list(block.find_insts(ir.Assign)):
            made = statement.value
            if (
                isinstance(made, ir.Expr)
                and made.op == "list_to_tuple"
                and len(func_ir._definitions[statement.target.name]) > 1
            ):
                whole = block.scope.redefine("$starred", loc=statement.loc)
                block.body.insert(
                    block.body.index(statement), ir.Assign(made, whole, statement.loc)
                )
                statement.value = whole
                named = func_ir._definitions[statement.target.name]
                named[[known is made for known in named].index(True)] = whole
                func_ir._definitions[whole.name] = [made]
    return _join_starred(func_ir)


_plain_get = Interpreter.get


def _get(self: Any, name: str) -> Any:
    """The variable of this name. In a loop, or by an inner function, it may be read above its first
    assignment."""
    try:
        return _plain_get(self, name)
    except NotDefinedError:
        if name not in self.code_cellvars and name not in self.code_locals:
            raise
        return self.current_scope.define(name, self.loc)


def _load_shared(plain: Any) -> Any:
    """The instructions that share a variable with an inner function: `[m for v in t if (m :=
    f(v))]` assigns it only there, and until then it has no value."""

    def load(self: Any, inst: Any, res: Any) -> None:
        code = self.func_id.func.__code__
        name = code._varname_from_oparg(inst.arg)
        if name in code.co_cellvars and is_assigned_within(code, name):
            try:
                self.get(name)
            except NotDefinedError:
                self.current_scope.define(name, self.loc)
        plain(self, inst, res)

    return load


def _load_kept(plain: Any) -> Any:
    """The instruction LOAD_DEREF of a variable that an inner function assigns: what was read is
    kept under a name of its own, since a call before its use (`n + add(1)`) may change the
    variable. From Python 3.13 on, Numba reads LOAD_FAST in the same way where a function is given
    the variable itself."""

    def load(self: Any, inst: Any, res: Any) -> None:
        plain(self, inst, res)
        code = self.func_id.func.__code__
        name = code._varname_from_oparg(inst.arg)
        is_read = inst.opname == "LOAD_DEREF"
        if is_read and name in code.co_cellvars and is_assigned_within(code, name):
            self.assigner.unused_dests.discard(res)
            if self.assigner.dest_to_src.pop(res, None) is not None:
                for copies in self.assigner.src_invalidate.values():
                    copies[:] = [copy for copy in copies if copy != res]

    return load


def _raise(self: Any, state: Any, inst: Any) -> None:
    """The instruction RAISE_VARARGS. A bare `raise` raises the error that was caught, even inside
    the handler; `from`, which only says where an error came from, is dropped."""
    if inst.arg == 2:
        state.pop()
    state.append(inst, exc=state.pop() if inst.arg else None)
    if state.has_active_try():
        self._adjust_except_stack(state)
    else:
        state.terminate()


_plain_attribute: Any = getattr(TraceRunner, "op_SET_FUNCTION_ATTRIBUTE", None)


def _set_attribute(self: Any, state: Any, inst: Any) -> None:
    """The instruction SET_FUNCTION_ATTRIBUTE, which gives a new function its closure or defaults.
    Numba loses them if the function was made in another block, as is usual in a `try`."""
    made, data = state.get_tos(), state.peek(2)
    if any(given.get("res") == made for _, given in state.instructions):
        _plain_attribute(self, state, inst)
        return
    state.pop()
    state.pop()
    state.append(inst, made=made, data=data)
    state.push(made)


_CLOSURE, _ANNOTATIONS, _KEYWORDS, _DEFAULTS = 8, 4, 2, 1


def _attribute_of_made(self: Any, inst: Any, made: Any, data: Any) -> None:
    """The same for the function's definition."""
    found = [self.get(made)]
    while len(found) == 1 and isinstance(found[0], ir.Var):
        found = self.definitions[found[0].name]
    if len(found) != 1 or inst.arg & _KEYWORDS:
        raise errors.UnsupportedBytecodeError(
            "an inner function that is made in several ways cannot be compiled: write a method",
            loc=self.loc,
        )
    if inst.arg & _CLOSURE:
        found[0].closure = self.get(data)
    elif inst.arg & _DEFAULTS:
        found[0].defaults = self.get(data)
    elif inst.arg & _ANNOTATIONS:
        found[0].annotations = self.get(data)


def _forget_errors(self: Any) -> None:
    """Compiled code has no objects for errors, only their class: a name that one gets (`except
    IndexError as e`, `err = e`) holds nothing if nothing reads it, and is refused otherwise. Numba
    overlooks names that have had another value before, and gives them None."""
    given = [
        statement
        for block in self.blocks.values()
        for statement in block.find_insts(ir.Assign)
        if isinstance(statement.value, ir.Var)
    ]
    held, count = set(self._exception_vars), -1
    while count < len(held):
        count = len(held)
        held |= {
            statement.target.name
            for statement in given
            if statement.value.name in held and not statement.target.name.startswith(READ)
        }
    read = _read_names(self.blocks.values())
    for statement in given:
        name = statement.target.name
        if statement.value.name not in held or name.startswith("$"):
            continue
        if name in read:
            raise errors.UnsupportedBytecodeError(
                f"`{name}` is an error here, of which compiled code knows nothing but its class: "
                f"the name may stand after `as`, but not be read",
                loc=statement.loc,
            )
        self.definitions[name].remove(statement.value)
        statement.value = ir.Const(None, loc=statement.loc)
        self.definitions[name].append(statement.value)


def _read_names(blocks: Any) -> set[str]:
    """The variables that are read for their values, and not only to ask whether they have one."""
    read: set[str] = set()
    for statement in (statement for block in blocks for statement in block.body):
        if not isinstance(statement, ir.Assign):
            read.update(variable.name for variable in statement.list_vars())
        elif not statement.target.name.startswith(READ):
            names = {variable.name for variable in statement.list_vars()}
            read |= names - {statement.target.name}
    return read


interpreter.peep_hole_list_to_tuple = _name_later
Interpreter._legalize_exception_vars = _forget_errors
TraceRunner.op_RAISE_VARARGS = _raise
if PYVERSION >= (3, 13):
    TraceRunner.op_SET_FUNCTION_ATTRIBUTE = _set_attribute
    Interpreter.op_SET_FUNCTION_ATTRIBUTE = _attribute_of_made
    Interpreter.op_LOAD_DEREF = _load_shared(Interpreter.op_LOAD_DEREF)
    Interpreter.op_TO_BOOL = _truth
else:
    Interpreter.op_LOAD_CLOSURE = _load_shared(Interpreter.op_LOAD_CLOSURE)
Interpreter.op_LOAD_DEREF = _load_kept(Interpreter.op_LOAD_DEREF)
TraceRunner.op_UNPACK_EX, Interpreter.op_UNPACK_EX = _take_rest, _unpack_rest
TraceRunner.op_LOAD_SUPER_ATTR = _take_super
Interpreter.op_LOAD_SUPER_ATTR = _call_super
Interpreter.op_DELETE_FAST = _forget_name
Interpreter.op_POP_TOP, TraceRunner.op_POP_TOP = _read_dropped, _drop
Interpreter.get = _get
Interpreter._remove_unused_temporaries = _keep_used_temporaries
TraceRunner.op_SET_ADD = _set_add
