"""`zip` of long tuples for Numba: one index for all of them."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.types.abstract import IteratorType
from numba.core.typing import builtins
from numba.core.typing.templates import signature
from numba.extending import lower_builtin, models, register_model

from prunus.kernel.boards.homes import home_of
from prunus.kernel.boards.packed import Packed
from prunus.kernel.boards.packed_values import item_pointer, widened
from prunus.kernel.numbers.integers import WORD


class PackedZip(IteratorType):
    """The type of the iterator over several long tuples at once."""

    def __init__(self, *parts: Packed) -> None:
        self.parts = parts
        super().__init__(f"zip of {', '.join(map(str, parts))}")

    @property
    def yield_type(self) -> Any:
        """The type of its items."""
        return types.Tuple.from_types(tuple(part.dtype for part in self.parts))

    def __reduce__(self) -> Any:
        return PackedZip, self.parts


@register_model(PackedZip)
class _Model(models.StructModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        parts = [(f"part{i}", part) for i, part in enumerate(kind.parts)]
        super().__init__(manager, kind, [("index", types.EphemeralPointer(types.intp)), *parts])


_plain_zip = builtins.Zip.generic


def _zip(self: Any, args: Any, kws: Any) -> Any:
    """The type of `zip`: Numba's own, or for long tuples the above. `map` calls it with one."""
    fits = len(args) > 0 and not kws and all(isinstance(kind, Packed) for kind in args)
    return signature(PackedZip(*args), *args) if fits else _plain_zip(self, args, kws)


builtins.Zip.generic = _zip


@lower_builtin(zip, Packed, types.VarArg(Packed))
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = context.make_helper(builder, sig.return_type)
    made.index = cgutils.alloca_once_value(builder, WORD(0))
    for i, items in enumerate(args):
        setattr(made, f"part{i}", items)
    return made._getvalue()


@lower_builtin("iternext", PackedZip)
@iternext_impl(RefType.BORROWED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    parts = sig.args[0].parts
    homes = [home_of(builder, builder.extract_value(args[0], 1 + i)) for i in range(len(parts))]
    place = builder.extract_value(args[0], 0)
    index = builder.load(place)
    inside = builder.icmp_unsigned("<", index, WORD(min(part.count for part in parts)))
    result.set_valid(inside)
    with builder.if_then(inside):
        items = [
            widened(builder, part, builder.load(item_pointer(builder, part, home, index)))
            for part, home in zip(parts, homes, strict=True)
        ]
        result.yield_(context.make_tuple(builder, sig.args[0].yield_type, items))
        builder.store(builder.add(index, WORD(1)), place)


def shortest(kind: Any) -> int | None:
    """How many items a `zip` gives, if it takes only tuples; slices of lists have the types of the
    lists."""
    sources = getattr(kind, "parts", ()) or [_source(each) for each in kind.source_types]
    if not all(isinstance(source, types.BaseTuple | Packed) for source in sources):
        return None
    return min(source.count for source in sources)


def _source(iterator: Any) -> Any:
    return getattr(iterator, "container", getattr(iterator, "items", None))
