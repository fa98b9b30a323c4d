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

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import build_definitions, find_const, guard, mk_unique_var

from prunus.core.bits import u64
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


class Term(NamedTuple):
    """An operator; each side is another operator or the index of a variable."""

    name: str
    sides: tuple[Any, ...]


class Part(NamedTuple):
    """An expression; `limit` is the constant of its last operator, `&` or `%`."""

    limit: int
    whole: Term

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
                if isinstance(node, Term)
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
    part = Part(limit, Term(name, (tree, expression.place(constant))))
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
            return Term(name, (self.node(value.value),))
        return Term(
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
