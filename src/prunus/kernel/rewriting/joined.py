"""Sums of slices of tuples at variable places that have the same length whatever the places are:
`t[k:] + t[:k]`, `t[:i] + t[i + 1 :] + (v,)`, `(*t[k:], *t[:k])`, `found + (0,) * (8 - len(found))`.

As for rows (`steady.py`), the length of the whole is guessed from how the places are written: the
lengths of the parts are added up as sums of variables, in which all variables must cancel out, but
for the lengths of tuples, which their types know. The code checks the guess each time.
"""

from __future__ import annotations

import operator
from collections import Counter
from typing import Any, NamedTuple

from numba.core import ir, ir_utils
from numba.core.compiler_machinery import FunctionPass, register_pass

from prunus.kernel.boards.joining import (
    CUT,
    LOOSE,
    REPEATED,
    STARRED,
    WHOLE,
    cut,
    cut_reversed,
    joined,
    many,
)
from prunus.kernel.containers.sequences import call_instead, repeated, tuple_of
from prunus.kernel.numbers.operators import meant
from prunus.kernel.rewriting.escapes import definition, function_of, statements
from prunus.kernel.rewriting.inlining import used_variables
from prunus.kernel.rewriting.replacing import one_changed
from prunus.kernel.rewriting.slices import UNKNOWN, known_value, places_of
from prunus.kernel.rewriting.steady import linear, name_of

MOST = 6
"""The most parts of a sum."""


@register_pass(mutates_CFG=False, analysis_only=False)
class JoinedSlices(FunctionPass):
    """Makes such sums by `joined`."""

    _name = "prunus_joined_slices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        if not any(_is_sum(getattr(each, "value", None)) for _, _, each in statements(func_ir)):
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        sums = _Sums(func_ir, state.args)
        changed = [sums.rewrite(block, each) for _, block, each in sums.whole()]
        if any(changed):
            func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        return any(changed)


class _Part(NamedTuple):
    """A part of a sum: its kind, its variable, its length as a sum of variables, the name of the
    length of the tuple that it belongs to, the statement that makes it with its block, what it is
    then made by, and another name of its length."""

    kind: str
    variable: Any
    length: Counter[str]
    whole: str
    block: Any = None
    maker: Any = None
    call: Any = None
    other: str = ""


class _Sums:
    """The sums of a function, and its variables that are used once."""

    def __init__(self, func_ir: Any, kinds: Any) -> None:
        self.func_ir, self.kinds = func_ir, kinds
        self.uses = Counter(used_variables(func_ir))
        self.makers = {
            id(statement.value): (block, statement)
            for _, block, statement in statements(func_ir)
            if isinstance(statement, ir.Assign)
        }
        self.gone: list[Any] = []

    def whole(self) -> list[Any]:
        """The statements with sums that are not part of other sums, with labels and blocks."""
        sums = [each for each in statements(self.func_ir) if _is_sum(getattr(each[2], "value", 0))]
        inner = {
            id(made)
            for _, _, each in sums
            for side in (each.value.lhs, each.value.rhs)
            if (made := self.only(side)) is not None
        }
        return [each for each in sums if id(each[2].value) not in inner]

    def only(self, variable: Any) -> Any:
        """The expression that a variable is assigned, if nothing else uses its value; None
        otherwise."""
        while isinstance(variable, ir.Var):
            found = self.func_ir._definitions[variable.name]
            if self.uses[variable.name] != 1 or len(found) != 1:
                return None
            (variable,) = found
        return variable if isinstance(variable, ir.Expr) else None

    def rewrite(self, block: Any, statement: Any) -> bool:
        """Rewrite a sum if it is of that kind; true if it is."""
        if one_changed(self.func_ir, statement) is not None:
            return False  # `replacing.py` knows better
        self.gone = []
        parts = [part for side in self.sides(statement.value) for part in self.parts(side, True)]
        if not 2 <= len(parts) <= MOST or not any(map(_is_unknown, parts)):
            return False
        told = _told(parts)
        if told is None:
            return False
        for part in parts:
            if part.maker is not None:
                call_instead(part.block, part.maker, *part.call)
        for unwanted in self.gone:
            self.makers[id(unwanted)][0].body.remove(self.makers[id(unwanted)][1])
        call_instead(block, statement, joined, *told, *(part.variable for part in parts))
        return True

    def sides(self, value: Any) -> list[Any]:
        """What a sum adds up, in order."""
        return [value.lhs, value.rhs]

    def parts(self, variable: Any, may_be_starred: bool = False) -> list[_Part]:
        """The parts that a variable stands for in a sum."""
        made = self.only(variable)
        if made is not None and _is_sum(made):
            self._forget(variable)
            return [part for side in self.sides(made) for part in self.parts(side, True)]
        if made is not None and made.op == "call" and may_be_starred:
            function = function_of(self.func_ir, made.func)
            if function is tuple_of:
                inner = self._cut(made.args[0], STARRED)
                if inner is not None:
                    self._forget(variable)
                    return [inner]
                return [self._of_unknown(variable)]
            if function is repeated and (more := self._repeated(variable, made)) is not None:
                return [more]
        found = definition(self.func_ir, variable)
        if isinstance(found, ir.Expr) and found.op == "build_tuple":
            count = Counter({"": len(found.items)})
            return [_Part(WHOLE, variable, count, "")] if found.items else []
        if isinstance(found, ir.Const) and found.value == ():
            return []
        return [self._cut(variable, CUT) or self._of_unknown(variable)]

    def _forget(self, variable: Any) -> None:
        """Note that a variable, and those that it is a copy of, are no longer needed."""
        while isinstance(variable, ir.Var):
            (variable,) = self.func_ir._definitions[variable.name]
            self.gone.append(variable)

    def _of_unknown(self, variable: Any) -> _Part:
        """A tuple of which only its type knows the length."""
        made = definition(self.func_ir, variable)
        is_made = isinstance(made, ir.Expr) and made.op == "call"
        is_loose = is_made and function_of(self.func_ir, made.func) is tuple_of
        length = self._length_of(variable)
        other = self._length_of(made.args[0]) if is_loose else ""
        kind = LOOSE if is_loose else WHOLE
        return _Part(kind, variable, Counter({length: 1}), length, other=other)

    def _length_of(self, items: Any) -> str:
        """The name of the length of a tuple."""
        return f"call ({len!r}, {name_of(self.func_ir, items)})"

    def _repeated(self, variable: Any, made: Any) -> _Part | None:
        """One item that is repeated; None for others, and for lists, which may have any length."""
        items, times, count = made.args
        written = definition(self.func_ir, items)
        if isinstance(written, ir.Expr) and written.op == "build_list":
            return None
        number = linear(self.func_ir, times, self.kinds)
        is_one = known_value(self.func_ir, count, self.kinds) == 1
        is_known = known_value(self.func_ir, times, self.kinds) is not UNKNOWN
        if number is None or not is_one or is_known:
            return None
        block, maker = self.makers[id(made)]
        call = (many, items, times)
        return _Part(REPEATED, variable, number, "", block, maker, call)

    def _cut(self, variable: Any, kind: str) -> _Part | None:
        """A slice at variable places; None for others."""
        made = self.only(variable)
        function = cut
        if made is not None and self._is_backwards(made):
            function, taken = cut_reversed, made.value
            if (inner := self.only(taken)) is None or not taken.is_temp:
                return None
        else:
            inner = made
        places = None if inner is None else places_of(self.func_ir, self.makers[id(inner)][1])
        if not places:
            return None
        values = [known_value(self.func_ir, place, self.kinds) for place in places]
        if UNKNOWN not in values[:2] or values[2:] not in ([], [None], [1]):
            return None
        whole = self._length_of(inner.value)
        ends = [
            self._place(place, value, whole, otherwise)
            for place, value, otherwise in zip(
                places, values, (Counter(), Counter({whole: 1})), strict=False
            )
        ]
        if None in ends:
            return None
        length = Counter(ends[1])
        length.subtract(ends[0])
        if function is cut_reversed:
            self._forget(taken)
        block, maker = self.makers[id(made)]
        return _Part(
            kind, variable, length, whole, block, maker, (function, inner.value, inner.index)
        )

    def _is_backwards(self, made: Any) -> bool:
        """Whether an expression is `items[::-1]`."""
        if made.op == "static_getitem":
            return isinstance(made.index, slice) and made.index == slice(None, None, -1)
        places = places_of(self.func_ir, self.makers[id(made)][1])
        values = [known_value(self.func_ir, place, self.kinds) for place in places or ()]
        return values == [None, None, -1]

    def _place(self, place: Any, value: Any, whole: str, otherwise: Any) -> Any:
        """A place of a slice as a sum of variables; None if it is none."""
        if value is None:
            return otherwise
        found = linear(self.func_ir, place, self.kinds)
        if found is not None and type(value) is int and value < 0:
            found[whole] += 1
        return found


def _is_unknown(part: _Part) -> bool:
    """Whether a part by itself may have any length."""
    varies = any(times for name, times in part.length.items() if name)
    return varies and part.kind in (CUT, STARRED, REPEATED)


def _told(parts: list[_Part]) -> tuple[str, int] | None:
    """The kinds of the parts, with how often the length of each one's tuple counts, and what is
    added; None if the length of the whole is unknown."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part.length)
    for part in parts:
        if part.other and part.other in total:  # the length of the list that the tuple is made of
            total[part.whole] += total.pop(part.other)
    constant, words = total.pop("", 0), []
    for part in parts:
        words.append(f"{part.kind}{total.pop(part.whole, 0)}")
    return None if any(total.values()) else (" ".join(words), constant)


def _is_sum(value: Any) -> bool:
    return isinstance(value, ir.Expr) and value.op == "binop" and meant(value) is operator.add
