"""`board | 1 << n` for a u128 or u256 board: the shift, which by itself is a plain integer, gets
the width of its neighbour.

A plain integer has 64 bits in compiled code, so that `1 << 100` by itself raises. In an operand of
`|`, `&`, `^`, `-`, `~` or a comparison, however, the other side tells how many bits are wanted.
This pass finds such shifts before types are known and passes their neighbours to them; the
neighbours' types decide.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.integers import U64, WORD, Number
from prunus.kernel.numbers.operators import ONES, shift_left
from prunus.kernel.numbers.wide import Wide, may_be_negative
from prunus.kernel.numbers.wide_conversions import resized
from prunus.kernel.numbers.words import word
from prunus.kernel.reporting.raising import fail_if

_BITWISE = {"or_", "ior", "and_", "iand", "xor", "ixor"}
"""Operators with the same result modulo 2**bits, whether a mask among their operands is a plain
integer or has that many bits."""

_DIRECT = _BITWISE | {
    "sub",
    "isub",
    "add",
    "iadd",
    "mul",
    "imul",
    "floordiv",
    "ifloordiv",
    "mod",
    "imod",
}
_COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}
"""Further operators that may take a mask directly, beside the neighbour that decides."""


class ShiftBeside:
    """`shift_beside(value, places, neighbour, ...)`: `value << places` in the type of the first
    neighbour that is contagious."""

    __name__ = "shift_beside"

    def __call__(self, value: int, places: int, *neighbours: int) -> int:
        return value << places


class OnesBeside(ShiftBeside):
    """`ones_beside(1, places, neighbour, ...)`: `(1 << places) - 1` in the type of the first
    neighbour that is contagious."""

    __name__ = "ones_beside"

    def __call__(self, value: int, places: int, *neighbours: int) -> int:
        return (value << places) - 1


shift_beside = ShiftBeside()
ones_beside = OnesBeside()


def _deciding(neighbours: Any) -> Any:
    """The first contagious type among the neighbours, nearest first: the one that a shift of a
    plain integer meets."""
    return next(
        (
            kind
            for kind in neighbours
            if kind is U64 or (isinstance(kind, Wide) and kind.is_unsigned)
        ),
        None,
    )


@infer_global(shift_beside)
class _ShiftBeside(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        made = _deciding(args[2:])
        if isinstance(made, Wide) and all(isinstance(kind, Number) for kind in args[:2]):
            return signature(made, *args)
        plain = self.context.resolve_function_type(shift_left, args[:2], {})
        return None if plain is None else signature(plain.return_type, *args)


def _shift_count(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """A shift count as a word; compiled code raises ValueError if it is negative."""
    count = word(builder, kind, value)
    if may_be_negative(kind):
        negative = builder.icmp_signed("<", count, WORD(0))
        fail_if(context, builder, negative, ValueError, "negative shift count")
    return count


@lower_builtin(shift_beside, types.VarArg(types.Any))
def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = sig.return_type
    if not (isinstance(made, Wide) and made.is_unsigned):
        plain = context.typing_context.resolve_function_type(shift_left, sig.args[:2], {})
        return context.get_function(shift_left, plain)(builder, args[:2])
    value = resized(builder, word(builder, sig.args[0], args[0]), made.bits)
    count = _shift_count(context, builder, sig.args[1], args[1])
    inside = builder.icmp_unsigned("<", count, WORD(made.bits))
    places = resized(builder, builder.and_(count, WORD(made.bits - 1)), made.bits)
    shifted = builder.shl(value, places)
    kept = builder.and_(inside, builder.icmp_unsigned("==", builder.lshr(shifted, places), value))
    fail_if(
        context,
        builder,
        builder.not_(kept),
        OverflowError,
        f"a mask made by << does not fit the {made.bits} bits of its neighbour",
    )
    return shifted


@infer_global(ones_beside)
class _OnesBeside(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        made = _deciding(args[2:])
        if isinstance(made, Wide) and isinstance(args[1], Number):
            return signature(made, *args)
        plain = self.context.resolve_function_type(ONES, args[1:2], {})
        return None if plain is None else signature(plain.return_type, *args)


@lower_builtin(ones_beside, types.VarArg(types.Any))
def _lower_ones(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = sig.return_type
    if not isinstance(made, Wide):
        plain = context.typing_context.resolve_function_type(ONES, sig.args[1:2], {})
        return context.get_function(ONES, plain)(builder, args[1:2])
    count = _shift_count(context, builder, sig.args[1], args[1])
    beyond = builder.icmp_unsigned(">", count, WORD(made.bits))
    fail_if(
        context,
        builder,
        beyond,
        OverflowError,
        f"a mask made by << does not fit the {made.bits} bits of its neighbour",
    )
    places = resized(
        builder, builder.and_(builder.sub(WORD(made.bits), count), WORD(made.bits - 1)), made.bits
    )
    ones = builder.lshr(places.type(-1), places)
    return builder.select(builder.icmp_unsigned("==", count, WORD(0)), places.type(0), ones)


@register_pass(mutates_CFG=False, analysis_only=False)
class Masks(FunctionPass):
    """Passes their neighbours to the shifts of literals."""

    _name = "prunus_masks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        changed = False
        for block in state.func_ir.blocks.values():
            if any(_name(value) == "lshift" for value in block.find_exprs()):
                changed |= _Block(state.func_ir, block).rewrite()
        return changed


class _Block:
    """A basic block with its expressions as trees again: each variable that the compiler named is
    used once."""

    def __init__(self, func_ir: Any, block: Any) -> None:
        self.func_ir, self.block = func_ir, block
        self.made: dict[str, int] = {}
        self.masks: set[str] = set()
        self.users: dict[str, list[int]] = {}
        for place, statement in enumerate(block.body):
            for variable in statement.list_vars():
                if not (isinstance(statement, ir.Assign) and variable is statement.target):
                    self.users.setdefault(variable.name, []).append(place)
            if isinstance(statement, ir.Assign):
                self.made[statement.target.name] = place

    def rewrite(self) -> bool:
        """Rewrite the shifts of the block; true if there were any."""
        moves: dict[int, list[Any]] = {}
        gone: set[int] = set()
        chains = [
            self._chain(place)
            for place, statement in enumerate(self.block.body)
            if self._is_mask(statement)
        ]
        # Two masks that meet cannot decide for each other.
        self.masks = {self.block.body[chain[-1]].target.name for chain in chains}
        for chain in chains:
            user = self._user(chain[-1])
            neighbours = self._neighbours(chain, user) if user is not None else []
            if user is not None and neighbours and self._may_move(chain, user):
                gone.update(chain)
                # The neighbours may be computed after the shift, so the shift moves to where it is
                # used.
                moves.setdefault(user, []).extend(self._moved(chain, neighbours))
        body = enumerate(self.block.body)
        self.block.body = [
            part
            for place, old in body
            if place not in gone
            for part in (*moves.get(place, ()), old)
        ]
        return bool(gone)

    def _value(self, place: int) -> Any:
        statement = self.block.body[place]
        return (
            statement.value
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr)
            else None
        )

    def _constant(self, variable: Any) -> Any:
        found = guard(get_definition, self.func_ir, variable)
        value = found.value if isinstance(found, ir.Const | ir.Global | ir.FreeVar) else None
        return value if type(value) is int and value >= 0 else None

    def _is_mask(self, statement: Any) -> bool:
        """Whether a statement shifts a literal to the left."""
        value = statement.value if isinstance(statement, ir.Assign) else None
        return (
            isinstance(value, ir.Expr)
            and _name(value) == "lshift"
            and self._constant(value.lhs) is not None
        )

    def _user(self, place: int) -> int | None:
        """The statement that uses this one's result, if there is exactly one and the result has no
        name in the source."""
        name = self.block.body[place].target.name
        users = self.users.get(name, [])
        return (
            users[0]
            if name.startswith("$") and len(users) == 1 and self.made[name] == place
            else None
        )

    def _chain(self, place: int) -> list[int]:
        """The shift and, if it follows, its `~` or the subtraction of a constant from it."""
        user = self._user(place)
        value = None if user is None else self._value(user)
        is_less = (
            value is not None
            and _name(value) == "sub"
            and value.lhs.name == self.block.body[place].target.name
        )
        if (value is not None and _name(value) == "invert") or (
            is_less and self._constant(value.rhs) is not None
        ):
            return [place, user]  # type: ignore[list-item]
        return [place]

    def _neighbours(self, chain: list[int], user: int) -> list[Any]:
        """The operands that meet the mask, nearest first, as far as they exist when the mask is
        used."""
        found: list[Any] = []
        here, place, allowed = (
            chain[-1],
            user,
            _DIRECT if len(chain) > 1 else _DIRECT | _COMPARISONS,
        )
        while place is not None:
            value = self._value(place)
            name = "" if value is None else _name(value)
            if name not in allowed:
                break
            if name != "invert":
                mine = self.block.body[here].target.name
                other = value.rhs if value.lhs.name == mine else value.lhs
                is_mask = other.name in self.masks
                made_later = other.name.startswith("$") and self.made.get(other.name, -1) >= user
                if other.name != mine and not is_mask and not made_later:
                    found.append(other)
                if name not in _BITWISE and not (is_mask and name in ("sub", "isub")):
                    break
            # Further up, the value may be negative; only operators that ignore signs may meet it.
            here, place, allowed = place, self._user(place), _BITWISE | {"invert"}  # type: ignore[assignment]
        return found

    def _may_move(self, chain: list[int], user: int) -> bool:
        """Whether the chain's operands still have the same values where the chain is used."""
        body = self.block.body
        for place in chain:
            wanted = {variable.name for variable in body[place].list_vars()}
            later = (body[i] for i in range(place + 1, user) if i not in chain)
            if any(
                isinstance(statement, ir.Assign) and statement.target.name in wanted
                for statement in later
            ):
                return False
        return True

    def _moved(self, chain: list[int], neighbours: list[Any]) -> list[Any]:
        """The statements that make the mask in the type of its neighbours."""
        shift, *rest = (self.block.body[place] for place in chain)
        less_one = (
            rest
            and _name(rest[0].value) == "sub"
            and self._constant(rest[0].value.rhs) == self._constant(shift.value.lhs) == 1
        )
        if less_one:
            return self._beside(shift, neighbours, ones_beside, rest[0].target)
        return [*self._beside(shift, neighbours, shift_beside, shift.target), *rest]

    def _beside(
        self, shift: Any, neighbours: list[Any], beside: ShiftBeside, target: Any
    ) -> list[Any]:
        value, loc, scope = shift.value, shift.loc, self.block.scope
        function = scope.redefine(f"${beside.__name__}", loc)
        named = ir.Assign(ir.Global(beside.__name__, beside, loc), function, loc)
        call = ir.Expr.call(function, [value.lhs, value.rhs, *neighbours], (), loc)
        self.func_ir._definitions[function.name] = [named.value]
        self.func_ir._definitions[target.name] = [call]
        return [named, ir.Assign(call, target, loc)]


def _name(expression: Any) -> str:
    """The name of an operator's function; empty for other expressions."""
    return expression.fn.__name__ if expression.op in ("binop", "inplace_binop", "unary") else ""
