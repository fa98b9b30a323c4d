"""`(a * b + c) & CONSTANT` and `% CONSTANT` of plain integers: exact, even if an inner result needs
more than 64 bits.

Python computes the full product and then takes a part of it. If nothing else uses the inner
results, only that part must be right: the low bits of a sum, a difference, a product or a left
shift depend only on low bits, and remainders only on remainders. A pass turns such an expression
into one operation, a `Part`. If one of its sides is not a plain integer, the operation becomes its
operators again.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from llvmlite import ir as native
from numba.core import cgutils, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, find_const, guard, mk_unique_var
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, overload

from prunus.core.bits import clz, mulhi, u64
from prunus.kernel.numbers import arithmetic
from prunus.kernel.numbers.integers import (
    BIT,
    DOUBLE,
    LONG,
    MASK,
    U64,
    WORD,
    Either,
    Number,
    double,
    is_small,
    low_word,
)
from prunus.kernel.numbers.operators import OPERATIONS, Operation

_OF_REST = ("add", "sub", "mul", "neg")
"""Operators whose result modulo any number depends only on their sides modulo that number."""

_OF_LOW_BITS = (*_OF_REST, "and", "or", "xor", "invert", "lshift")
"""The same modulo a power of two; for `<<`, of its left side."""

_LARGE = 1 << 31
"""Below this limit, a sum is not worth rewriting: it hardly ever needs more than 64 bits."""

_BY_NAME = {
    operation.name: operation for operation in OPERATIONS.values() if len(operation.functions) == 1
}


class Node(NamedTuple):
    """An operator; each side is another operator or the index of a variable."""

    name: str
    sides: tuple[Any, ...]


class Part(NamedTuple):
    """An expression; `limit` is the constant of its last operator, `&` or `%`."""

    limit: int
    whole: Node

    @property
    def mask(self) -> int | None:
        """The mask of the wanted bits; None for `%` by a number that is not a power of two."""
        if self.whole.name == "and":
            return self.limit
        return None if self.limit & (self.limit - 1) else self.limit - 1

    @property
    def inner(self) -> Any:
        """The operand of the last operator."""
        return self.whole.sides[0]


_parts: list[Part] = []
_places: dict[Part, int] = {}


class PartOf:
    """`part_of(number, variable, ...)`: expression `number`, applied to these variables."""

    __name__ = "part_of"

    def __call__(self, number: int, *variables: Any) -> Any:
        def value(node: Any) -> Any:
            return (
                _BY_NAME[node.name](*map(value, node.sides))
                if isinstance(node, Node)
                else variables[node]
            )

        return value(_parts[number].whole)


part_of = PartOf()


# Finding them.


@register_pass(mutates_CFG=False, analysis_only=False)
class Parts(FunctionPass):
    """Turns each such expression into one operation."""

    _name = "prunus_parts"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        func_ir = state.func_ir
        roots = [
            (block, statement, operation, limit)
            for block in func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            for operation, limit in _limits(func_ir, statement.value)
        ]
        if not roots:
            return False
        uses = Counter(
            name
            for block in func_ir.blocks.values()
            for statement in block.body
            for name in _used(statement)
        )
        # The last first: an outer expression includes the inner ones.
        found = [_rewrite(func_ir, uses, *root) for root in reversed(roots)]
        if any(found):
            func_ir._definitions = build_definitions(func_ir.blocks)
        return any(found)


def _used(statement: Any) -> set[str]:
    if isinstance(statement, ir.Del):
        return set()
    named = {variable.name for variable in statement.list_vars()}
    return named - {statement.target.name} if isinstance(statement, ir.Assign) else named


def _operator(value: Any) -> str:
    """The name of an operator on integers; empty for other expressions."""
    is_operator = (
        isinstance(value, ir.Expr)
        and value.op in ("binop", "unary")
        and isinstance(value.fn, Operation)
    )
    return value.fn.name if is_operator else ""


def _limits(func_ir: Any, value: Any) -> Any:
    """The operator and the constant, if an expression takes a part of a number."""
    name = _operator(value)
    if name not in ("and", "mod"):
        return
    for side in (value.rhs, value.lhs) if name == "and" else (value.rhs,):
        limit = guard(find_const, func_ir, side)
        if (
            isinstance(limit, int)
            and type(limit) not in (bool, u64)
            and (0 <= limit < 1 << 64 if name == "and" else 0 < limit < 1 << 63)
        ):
            yield name, int(limit)
            return


def _rewrite(
    func_ir: Any, uses: Counter[str], block: Any, statement: Any, name: str, limit: int
) -> bool:
    value = statement.value
    if statement not in block.body or _operator(value) != name:
        return False
    expression = _Expression(
        func_ir,
        uses,
        block,
        _OF_LOW_BITS if name == "and" or limit & (limit - 1) == 0 else _OF_REST,
    )
    constant, inner = (
        (value.rhs, value.lhs)
        if guard(find_const, func_ir, value.rhs) == limit
        else (value.lhs, value.rhs)
    )
    tree = expression.node(inner)
    if not expression.is_worth_it(limit):
        return False
    part = Part(limit, Node(name, (tree, expression.place(constant))))
    if part not in _places:
        _places[part] = len(_parts)
        _parts.append(part)
    loc, scope = statement.loc, block.scope
    function, number = (
        scope.redefine(mk_unique_var(f"$part_{what}"), loc) for what in ("of", "number")
    )
    statement.value = ir.Expr.call(function, (number, *expression.variables), (), loc)
    named = [
        ir.Assign(ir.Global("part_of", part_of, loc), function, loc),
        ir.Assign(ir.Const(_places[part], loc), number, loc),
    ]
    for made in named:
        func_ir._definitions[made.target.name] = [made.value]
    at = block.body.index(statement)
    before = [
        other
        for other in block.body[:at]
        if not (isinstance(other, ir.Assign) and other.target.name in expression.gone)
    ]
    block.body = [*before, *named, *block.body[at:]]
    return True


class _Expression:
    """The tree of expressions that a variable is computed by, as far as nothing else uses them: its
    `variables`, and the names that are `gone`."""

    def __init__(
        self, func_ir: Any, uses: Counter[str], block: Any, operators: tuple[str, ...]
    ) -> None:
        self.func_ir, self.uses, self.operators = func_ir, uses, operators
        self.made = {
            statement.target.name: statement.value
            for statement in block.body
            if isinstance(statement, ir.Assign)
        }
        self.variables: list[Any] = []
        self.gone: set[str] = set()
        self.names: set[str] = set()

    def place(self, variable: Any) -> int:
        """Add a variable to those of the tree; return its index."""
        self.variables.append(variable)
        return len(self.variables) - 1

    def node(self, variable: Any) -> Any:
        """The tree of a variable, or its index."""
        names, value = [], variable
        while isinstance(value, ir.Var):
            if (
                self.uses[value.name] != 1
                or value.name not in self.made
                or len(self.func_ir._definitions[value.name]) != 1
            ):
                return self.place(variable)
            names.append(value.name)
            value = self.made[value.name]
        name = _operator(value)
        if name not in self.operators or self._is_mask(value):
            return self.place(variable)
        self.gone.update(names)
        self.names.add(name)
        if value.op == "unary":
            return Node(name, (self.node(value.value),))
        return Node(
            name,
            (
                self.node(value.lhs),
                self.place(value.rhs) if name == "lshift" else self.node(value.rhs),
            ),
        )

    def _is_mask(self, value: Any) -> bool:
        """Whether a value is `1 << n` or `(1 << n) - 1`, which are left alone."""
        first = self.made.get(value.lhs.name) if _operator(value) == "sub" else None
        if _operator(value) == "lshift":
            return guard(find_const, self.func_ir, value.lhs) is not None
        return (
            _operator(first) == "lshift" and guard(find_const, self.func_ir, first.lhs) is not None
        )

    def is_worth_it(self, limit: int) -> bool:
        """Whether the inner results may be long."""
        return bool(self.names & {"mul", "lshift"}) or (
            limit >= _LARGE and bool(self.names & {"add", "sub"})
        )


# Their translation.


def _are_plain(kinds: Any) -> bool:
    return all(
        isinstance(kind, Number) and kind is not U64 and not isinstance(kind, Either)
        for kind in kinds
    )


@infer_global(part_of)
class _PartOf(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        part = _parts[args[0].literal_value]
        if not _are_plain(args[1:]):
            return signature(self._of_operators(part.whole, args[1:]), *args)
        if part.mask is None and part.limit >> 32:
            self.context.resolve_function_type(_rest_of_product, (U64, U64, U64), {})
        return signature(
            MASK if part.whole.name == "and" and part.limit >> 63 else types.int64, *args
        )

    def _of_operators(self, node: Any, kinds: Any) -> Any:
        if not isinstance(node, Node):
            return kinds[node]
        sides = tuple(self._of_operators(side, kinds) for side in node.sides)
        return self.context.resolve_function_type(_BY_NAME[node.name], sides, {}).return_type


@lower_builtin(part_of, types.VarArg(types.Any))
def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    part = _parts[sig.args[0].literal_value]
    lowering = _Lowering(context, builder, sig.args[1:], args[1:])
    if not _are_plain(sig.args[1:]):
        return lowering.by_operators(part.whole)[1]
    if part.mask is not None:
        return builder.and_(lowering.low_bits(part.inner), WORD(part.mask))
    return lowering.rest(part.inner, part.limit)


class _Lowering:
    """Emits the instructions of a tree."""

    def __init__(self, context: Any, builder: Any, kinds: Any, values: Any) -> None:
        self.context, self.builder, self.kinds, self.values = context, builder, kinds, values

    def by_operators(self, node: Any) -> tuple[Any, Any]:
        """The type and the value, computed operator by operator."""
        if not isinstance(node, Node):
            return self.kinds[node], self.values[node]
        sides = [self.by_operators(side) for side in node.sides]
        operation = _BY_NAME[node.name]
        function = self.context.typing_context.resolve_value_type(operation)
        wanted = function.get_call_type(
            self.context.typing_context, tuple(kind for kind, _ in sides), {}
        )
        call = self.context.get_function(function, wanted)
        self.context.add_linking_libs(getattr(call, "libs", ()))
        given = zip(sides, wanted.args, strict=True)
        return wanted.return_type, call(
            self.builder,
            [self.context.cast(self.builder, value, kind, to) for (kind, value), to in given],
        )

    def low_bits(self, node: Any) -> Any:
        """The value modulo 2**64."""
        if not isinstance(node, Node):
            return low_word(self.builder, self.kinds[node], self.values[node])
        left = self.low_bits(node.sides[0])
        if node.name in ("neg", "invert"):
            return (self.builder.neg if node.name == "neg" else self.builder.not_)(left)
        if node.name == "lshift":
            place = node.sides[1]
            sides = (U64, self.kinds[place]), (left, self.values[place])
            return arithmetic.shifted_left_u64("lshift", self.context, self.builder, *sides)
        return arithmetic.ring_u64(
            node.name, self.context, self.builder, (U64, U64), (left, self.low_bits(node.sides[1]))
        )

    def rest(self, node: Any, limit: int) -> Any:
        """The value modulo a number below 2**63: of the value itself if it fits 64 bits, otherwise
        from remainders."""
        value, lost = self.value(node)
        made = cgutils.alloca_once(self.builder, WORD)
        with self.builder.if_else(lost, likely=False) as (long, short):
            with long:
                self.builder.store(self.of_rests(node, limit), made)
            with short:
                self.builder.store(self._rest_of(types.int64, value, limit), made)
        return self.builder.load(made)

    def value(self, node: Any) -> tuple[Any, Any]:
        """The value as a signed word, and whether it does not fit."""
        builder = self.builder
        if not isinstance(node, Node):
            kind, value = self.kinds[node], self.values[node]
            low = low_word(builder, kind, value)
            if is_small(kind):
                return low, BIT(0)
            return low, builder.icmp_signed(
                "!=", builder.sext(low, DOUBLE), double(builder, kind, value)
            )
        left, lost = self.value(node.sides[0])
        if node.name == "neg":
            left, right = WORD(0), left
        else:
            right, more = self.value(node.sides[1])
            lost = builder.or_(lost, more)
        operate = "sub" if node.name == "neg" else node.name
        pair = getattr(builder, f"s{operate}_with_overflow")(left, right)
        return builder.extract_value(pair, 0), builder.or_(lost, builder.extract_value(pair, 1))

    def _rest_of(self, kind: Any, value: Any, limit: int) -> Any:
        sides = (types.unliteral(kind), types.IntegerLiteral(limit)), (value, WORD(limit))
        return arithmetic.quotient_int("mod", self.context, self.builder, *sides)

    def of_rests(self, node: Any, limit: int) -> Any:
        """The value modulo the limit, computed from the sides modulo the limit."""
        builder, most = self.builder, WORD(limit)
        if not isinstance(node, Node):
            kind, value = self.kinds[node], self.values[node]
            return (
                self._rest_of(LONG, double(builder, kind, value), limit)
                if kind is LONG
                else self._rest_of(kind, value, limit)
            )
        left = self.of_rests(node.sides[0], limit)
        if node.name == "neg":
            return builder.select(
                builder.icmp_unsigned("==", left, WORD(0)), left, builder.sub(most, left)
            )
        right = self.of_rests(node.sides[1], limit)
        if node.name == "mul":
            return self._product(left, right, limit)
        if node.name == "sub":
            less = builder.sub(left, right)
            return builder.select(
                builder.icmp_unsigned("<", left, right), builder.add(less, most), less
            )
        total = builder.add(left, right)
        return builder.select(
            builder.icmp_unsigned("<", total, most), total, builder.sub(total, most)
        )

    def _product(self, left: Any, right: Any, limit: int) -> Any:
        if limit <= 1 << 32:
            return self.builder.urem(self.builder.mul(left, right), WORD(limit))
        function = self.context.typing_context.resolve_value_type(_rest_of_product)
        call = self.context.get_function(
            function, function.get_call_type(self.context.typing_context, (U64, U64, U64), {})
        )
        self.context.add_linking_libs(getattr(call, "libs", ()))
        return call(self.builder, [left, right, native.Constant(WORD, limit)])


def _rest_of_product(left, right, limit):
    """Numba's overload below: `left * right % limit` for u64 below the limit, which is below
    2**63."""
    raise NotImplementedError


@overload(_rest_of_product)
def _rest_of_product_overload(left, right, limit):
    def rest_of_product(left, right, limit):
        # Long division by two digits of 32 bits (Knuth, The Art of Computer Programming 2, 4.3.1,
        # algorithm D).
        places = clz(limit)
        low = left * right
        high = (mulhi(left, right) << places) | (low >> (64 - places))
        low = low << places
        divisor = limit << places
        first, second = divisor >> 32, divisor & 0xFFFFFFFF
        for i in range(2):
            digit = low >> 32 if i == 0 else low & 0xFFFFFFFF
            whole = high // first
            rest = high - whole * first
            while whole >> 32 != 0 or whole * second > (rest << 32 | digit):
                whole -= 1
                rest += first
                if rest >> 32 != 0:
                    break
            high = (high << 32 | digit) - whole * divisor
        return high >> places

    return rest_of_product
