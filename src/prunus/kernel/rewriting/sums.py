"""Additions that cannot leave 64 bits, without a test: `total += 1` in a loop over a board.

A variable that is added to in loops is, in single-assignment form, a web of names: where it begins,
where paths join, and the sums. Each sum adds a number of known magnitude (`magnitudes.py`), and is
computed at most once per iteration of the loops around it, whose iterations are known too. So no
sum is larger than the largest beginning plus all that can be added.
"""

from __future__ import annotations

import operator
from typing import Any

from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typing.templates import AbstractTemplate, Signature, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.integers import is_small
from prunus.kernel.numbers.operators import OPERATIONS, meant
from prunus.kernel.numbers.words import low_word
from prunus.kernel.rewriting.escapes import statements
from prunus.kernel.rewriting.magnitudes import LIMIT, Magnitudes


class Unchecked:
    """An operator whose result is known to fit a signed word."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__name__ = f"unchecked_{name}"

    def __repr__(self) -> str:
        return f"<{self.__name__}>"

    def __call__(self, left: int, right: int) -> int:
        """What it computes."""
        return int(getattr(operator, self.name)(left, right))


_ADDING = (operator.add, operator.iadd)
_TAKING = (operator.sub, operator.isub)
_TIMES = (operator.mul, operator.imul)
_NAMES = {
    **dict.fromkeys(_ADDING, "add"),
    **dict.fromkeys(_TAKING, "sub"),
    **dict.fromkeys(_TIMES, "mul"),
}
_UNCHECKED = {name: Unchecked(name) for name in ("add", "sub", "mul")}
_CHECKED = {OPERATIONS[function]: _UNCHECKED[name] for function, name in _NAMES.items()}


def _teach(made: Unchecked) -> None:
    # Numba looks for a type of the operator, though those of its calls are known.
    @infer_global(made)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(types.int64, *args)

    @lower_builtin(made, types.Any, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sides = [low_word(builder, *side) for side in zip(sig.args, args, strict=True)]
        return getattr(builder, made.name)(*sides, flags=("nsw",))


for _made in _UNCHECKED.values():
    globals()[_made.__name__] = _made  # Numba looks them up by name
    _teach(_made)


class _Sums:
    """The webs of one function."""

    def __init__(self, func_ir: Any, typemap: Any, args: Any) -> None:
        self.func_ir = func_ir
        self.magnitudes = Magnitudes(func_ir, typemap, args, self.bound)
        self.places: dict[str, int] = {}
        self.values: dict[str, Any] = {}
        for label, _, statement in statements(func_ir):
            if isinstance(statement, ir.Assign):
                self.places[statement.target.name] = label
                self.values[statement.target.name] = statement.value
        self.webs = self._webs(typemap)
        self._bounds: dict[int, int | None] = {}
        self._loops: list[Any] | None = None

    def _webs(self, typemap: Any) -> dict[str, list[str]]:
        """For each name in a web, all its names."""
        steps = {
            name: found
            for name, value in self.values.items()
            if is_small(typemap.get(name)) and (found := _taken_from(value))
        }
        webs = {}
        for web in _circles(steps):
            for name in web:
                webs[name] = web
        return webs

    def bound(self, name: str) -> int | None:
        """The bound of a name in a web; None if there is none, or if it is in no web."""
        web = self.webs.get(name)
        if web is None:
            return None
        if id(web) not in self._bounds:
            self._bounds[id(web)] = None
            self._bounds[id(web)] = self._bound(web)
        return self._bounds[id(web)]

    def _bound(self, web: list[str]) -> int | None:
        names, begin, added = set(web), 0, 0
        for name in web:
            value = self.values[name]
            inside = [each for each in _taken_from(value) if each in names]
            if not (isinstance(value, ir.Expr) and value.op == "binop"):
                outside = [each for each in _variables(value) if each.name not in names]
                if len(outside) + len(inside) != len(_parts(value)):
                    return None
                bounds = [self.magnitudes.of(each) for each in outside]
                begin = max(begin, *(LIMIT if each is None else each for each in bounds), 0)
                continue
            if len(inside) != 1 or (value.lhs.name in names) == (value.rhs.name in names):
                return None
            other = value.rhs if value.lhs.name in names else value.lhs
            step, times = self.magnitudes.of(other), self._times(self.places[name])
            if step is None or times is None:
                return None
            added += step * times
        return begin + added if begin + added < LIMIT else None

    def _times(self, label: int) -> int | None:
        """How often a block is run at most in one call of the function."""
        if self._loops is None:
            cfg = ir_utils.compute_cfg_from_blocks(self.func_ir.blocks)
            self._loops = list(cfg.loops().values())
        times = 1
        for loop in self._loops:
            if label in loop.body:
                count = self._iterations(loop)
                if count is None:
                    return None
                # The header is run once more than the loop's body.
                times *= count + 1
        return times

    def _iterations(self, loop: Any) -> int | None:
        """The most iterations of a loop each time it is entered; None if they are not known, or if
        the loop goes on after the last item of what it goes over."""
        header = self.func_ir.blocks[loop.header]
        end = header.terminator
        if not isinstance(end, ir.Branch) or end.falsebr in loop.body:
            return None
        is_item = self.values.get(end.cond.name)
        if not isinstance(is_item, ir.Expr) or is_item.op != "pair_second":
            return None
        following = self.values.get(is_item.value.name)
        if not isinstance(following, ir.Expr) or following.op != "iternext":
            return None
        begun = self.places.get(following.value.name)
        source = self.magnitudes.gone_over(following)
        if source is None or begun is None or begun in loop.body:
            return None
        return self.magnitudes.iterations(source)


def _parts(value: Any) -> list[Any]:
    """What an assignment may pass on."""
    if isinstance(value, ir.Var):
        return [value]
    if value.op == "cast":
        return [value.value]
    return list(value.incoming_values) if value.op == "phi" else [value.lhs, value.rhs]


def _variables(value: Any) -> list[Any]:
    return [part for part in _parts(value) if isinstance(part, ir.Var)]


def _taken_from(value: Any) -> list[str]:
    """The names that a copy, a joining of paths, a sum or a difference is made of."""
    if isinstance(value, ir.Expr):
        is_sum = value.op == "binop" and meant(value) in (*_ADDING, *_TAKING)
        if not is_sum and value.op not in ("cast", "phi"):
            return []
    elif not isinstance(value, ir.Var):
        return []
    if isinstance(value, ir.Expr) and value.op == "binop" and meant(value) in _TAKING:
        return [value.lhs.name]
    return [part.name for part in _variables(value)]


def _circles(steps: dict[str, list[str]]) -> list[list[str]]:
    """The strongly connected parts with more than one member of a graph: for each name those it
    leads to (Tarjan 1972, without recursion)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found = []
    for root, begin in steps.items():
        path = [] if root in order else [(root, iter(begin))]
        while path:
            name, ahead = path[-1]
            if name not in order:
                order[name] = lowest[name] = len(order)
                waiting.append(name)
            for following in ahead:
                if following not in steps:
                    continue
                if following not in order:
                    path.append((following, iter(steps[following])))
                    break
                if following in lowest:
                    lowest[name] = min(lowest[name], order[following])
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[name])
                if lowest[name] == order[name]:
                    part = waiting[waiting.index(name) :]
                    del waiting[-len(part) :]
                    if len(part) > 1:
                        found.append(part)
                    for each in part:
                        del lowest[each]
    return found


@register_pass(mutates_CFG=False, analysis_only=False)
class Sums(FunctionPass):
    """Finds such additions, and products of numbers of known magnitude."""

    _name = "prunus_sums"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Replace operators; true if anything changed."""
        func_ir, calltypes = state.func_ir, state.calltypes
        found = [
            statement
            for _, _, statement in statements(func_ir)
            if isinstance(statement, ir.Assign)
            and isinstance(statement.value, ir.Expr)
            and statement.value.op == "binop"
            and statement.value.fn in _CHECKED
            and _is_plain(calltypes[statement.value])
        ]
        if not found:
            return False
        func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
        magnitudes = _Sums(func_ir, state.typemap, state.args).magnitudes
        changed = False
        for statement in found:
            bound = magnitudes.of(statement.target)
            if bound is not None and bound < LIMIT:
                _spare(statement, calltypes)
                changed = True
        return changed


def _spare(statement: Any, calltypes: Any) -> None:
    """Let the operator of a statement do without its test."""
    before = statement.value
    made = ir.Expr.binop(operator.add, before.lhs, before.rhs, before.loc)
    made.fn = _CHECKED[before.fn]
    calltypes[made] = calltypes.pop(before)
    statement.value = made


def _is_plain(sig: Signature) -> bool:
    """Whether an operator's sides and result are plain integers of signed words."""
    return sig.return_type == types.int64 and all(map(is_small, sig.args))
