"""Items that are made as narrow as their field before paths join: in `tuple(p if i == a else c for
i, c in enumerate(cells))` the stone and the cell, not the one that was chosen.

An item for a field of 8 or 16 bits is cut to twice this width, and a number that even these bits
cannot hold is kept beside it. LLVM mostly knows that there is no such number; the loop then handles
two to four times as many items at once as it could handle words. An item that is known to be in the
field's range needs no test, and then not twice the width.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from llvmlite import ir as native
from numba.core import ir, ir_utils, types
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.extending import lower_builtin, models, register_model

from prunus.core.bits import CASTS
from prunus.kernel.containers.sequences import call_instead
from prunus.kernel.numbers.integers import TRUTH_OR_INT, WORD, Number
from prunus.kernel.numbers.words import in_range, word
from prunus.kernel.rewriting.escapes import statements
from prunus.kernel.rewriting.inlining import used_variables

PLAIN = (types.boolean, types.int64, TRUTH_OR_INT)


def is_fitting(scalar: Any, dtype: Any) -> bool:
    """Whether items of a type are cut in this way for fields of a scalar."""
    return scalar is not None and CASTS[scalar][0] in (8, 16) and dtype in PLAIN


class Fitted(types.Type):
    """The type of a number of type `dtype` for a field of a scalar."""

    def __init__(self, scalar: Any, dtype: Any) -> None:
        self.scalar, self.dtype = scalar, dtype
        super().__init__(f"{dtype} for a {scalar.__name__}")

    def unify(self, typingctx: Any, other: Any) -> Any:
        """The common type of two paths: a number, if the other one has no such item."""
        if isinstance(other, Fitted) and other.scalar is self.scalar:
            joined = typingctx.unify_pairs(self.dtype, other.dtype)
            return Fitted(self.scalar, joined) if joined in PLAIN else None
        return typingctx.unify_pairs(self.dtype, other) if isinstance(other, Number) else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """To numbers."""
        return Conversion.safe if isinstance(other, Number | Fitted) else None

    def __reduce__(self) -> Any:
        return Fitted, (self.scalar, self.dtype)


def form_of(scalar: Any) -> Any:
    """Twice the width of a scalar."""
    return native.IntType(2 * CASTS[scalar][0])


@register_model(Fitted)
class _FittedModel(models.PrimitiveModel):
    """The number cut to twice its field's width; the number itself if this changes it, otherwise
    0; what is to be tested against the field's range, of the first part's width: the first part, or
    0, which every range contains, if that is in range for certain."""

    def __init__(self, manager: Any, kind: Fitted) -> None:
        form = form_of(kind.scalar)
        super().__init__(manager, kind, native.LiteralStructType([form, WORD, form]))


def fitted(value, witness, field, changes):
    """An item of a list that `filled_list` makes with these arguments, in the form above if the
    list's items have it."""
    raise NotImplementedError


@lower_builtin(fitted, types.Any, types.Any, types.Any, types.Any)
def _fit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, given = sig.return_type, sig.args[0]
    if not isinstance(kind, Fitted):
        return context.cast(builder, args[0], given, kind)
    parts = parts_of(builder, kind, word(builder, given, args[0]))
    known = isinstance(given, types.IntegerLiteral) and in_range(kind.scalar, given.literal_value)
    return joined(builder, [*parts[:2], parts[0].type(0)] if known else parts)


def parts_of(builder: Any, kind: Fitted, number: Any) -> list[Any]:
    """The three parts of a fitted number, from a signed word."""
    form = form_of(kind.scalar)
    limit = 1 << (form.width - 1)
    inside = builder.icmp_unsigned("<", builder.add(number, WORD(limit)), WORD(2 * limit))
    half = builder.trunc(number, form)
    return [half, builder.select(inside, WORD(0), number), half]


def joined(builder: Any, parts: list[Any]) -> Any:
    """A structure from its parts."""
    kinds = [part.type for part in parts]
    made = native.Constant(native.LiteralStructType(kinds), native.Undefined)
    for i, part in enumerate(parts):
        made = builder.insert_value(made, part, i)
    return made


@lower_cast(Fitted, types.Any)
def _as_number(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    if isinstance(toty, Fitted):
        return value
    number = builder.extract_value(value, 1)
    inside = builder.icmp_unsigned("==", number, WORD(0))
    number = builder.select(inside, builder.sext(builder.extract_value(value, 0), WORD), number)
    if fromty.dtype is types.boolean:
        number = builder.icmp_unsigned("!=", number, WORD(0))
    return context.cast(builder, number, fromty.dtype, toty)


def fit_items(func_ir: Any, adding: list[int], names: set[str], how: tuple[Any, ...]) -> None:
    """Make the items that are added to a list by one statement of these blocks fit before paths
    join. `how` are the arguments of `filled_list`."""
    added = [
        statement
        for label, _, statement in statements(func_ir)
        if label in adding and _adds(func_ir, statement, names)
    ]
    if len(added) != 1:
        return
    uses = Counter(used_variables(func_ir))
    web, work, leaves = set[str](), [added[0].value.args[0]], []
    while work:
        item = work.pop()
        if "$" not in item.name or uses[item.name] != 1 or item.name in web:
            continue
        web.add(item.name)
        for place, _, statement in list(statements(func_ir)):
            if isinstance(statement, ir.Assign) and statement.target.name == item.name:
                leaves.append((place, statement))
                if isinstance(statement.value, ir.Var):
                    work.append(statement.value)
    made = [
        (place, statement)
        for place, statement in leaves
        if not (isinstance(statement.value, ir.Var) and statement.value.name in web)
    ]
    # Where no paths join, cutting twice only hides from LLVM that a word is used once.
    if len(made) > 1:
        for place, statement in made:
            _fit_before(func_ir.blocks[place], statement, how)


def _adds(func_ir: Any, statement: Any, names: set[str]) -> bool:
    call = statement.value if isinstance(statement, ir.Assign) else None
    if not (isinstance(call, ir.Expr) and call.op == "call"):
        return False
    found = ir_utils.guard(ir_utils.get_definition, func_ir, call.func)
    return (
        isinstance(found, ir.Expr)
        and found.op == "getattr"
        and found.attr == "append"
        and found.value.name in names
    )


def _fit_before(block: Any, statement: Any, how: tuple[Any, ...]) -> None:
    """Make the value that a statement assigns fit."""
    place = block.body.index(statement)
    whole = block.scope.redefine(ir_utils.mk_unique_var("$whole"), loc=statement.loc)
    block.body.insert(place, ir.Assign(statement.value, whole, statement.loc))
    call_instead(block, statement, fitted, whole, *how)


__all__ = ["PLAIN", "Fitted", "fit_items", "fitted", "form_of", "is_fitting", "joined", "parts_of"]
