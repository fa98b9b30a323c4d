"""Errors that compiled code raises, each at its line of the source.

A place goes into machine code as a module, a function and the rank of a line among the function's lines: these hold however many
comments are written above it, so that code kept on disk stays right. `prunus.kernel.locating` makes file and line of them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering

from prunus.kernel.locating import PREFIX, line_ranks, remember


class Place:
    """Where an instruction stands, as Numba's exceptions carry it."""

    def __init__(self, module: str, function: str, rank: int) -> None:
        self.function, self.filename, self.line = function, PREFIX + module, rank

    @staticmethod
    def of(function: Any, line: int = 0) -> Place:
        """The place of a line of a function, or where the function begins."""
        return Place(function.__module__ or "", function.__qualname__, line_ranks(function.__code__).get(line, 0))

    def _raw_function_name(self) -> str:
        return self.function


class InlinedLoc(ir.Loc):
    """A line of a function that has become part of another: `inlined` are the functions that did so, from the outermost on."""

    def __init__(self, loc: Any, function: Any, inlined: tuple[Any, ...]) -> None:
        super().__init__(loc.filename, loc.line, loc.col)
        self.function, self.inlined = function, inlined


class PlacedLower(Lower):
    """Numba's lowering, which tells the emitters of instructions where they are (`builder.place`)."""

    def lower_inst(self, inst: Any) -> None:
        """Lower one instruction of the intermediate code."""
        self.builder.place = Place.of(getattr(self.loc, "function", self.func_ir.func_id.func), self.loc.line)
        super().lower_inst(inst)

    def lower_function_body(self) -> Any:
        """Lower a whole function; its code object is remembered for the places in it."""
        remember(self.func_ir.func_id.func)
        return super().lower_function_body()

    def return_exception(self, exc_class: Any, exc_args: Any = None, loc: Any = None) -> None:
        """`raise` in the source."""
        super().return_exception(exc_class, exc_args, self.builder.place)

    def return_dynamic_exception(self, exc_class: Any, exc_args: Any, nb_types: Any, loc: Any = None) -> None:
        """`raise` with arguments known at run time only."""
        super().return_dynamic_exception(exc_class, exc_args, nb_types, self.builder.place)


@register_pass(mutates_CFG=True, analysis_only=False)
class PlacedLowering(BaseNativeLowering):
    """The pass that lowers with `PlacedLower`."""

    _name = "prunus_lowering"

    @property
    def lowering_class(self) -> Any:
        """The class that lowers."""
        return PlacedLower


def fail(context: Any, builder: Any, kind: type[Exception], text: str) -> None:
    """Leave the function with an error; the current block ends here."""
    context.call_conv.return_user_exc(builder, kind, (text,), loc=getattr(builder, "place", None))


def fail_if(context: Any, builder: Any, condition: Any, kind: type[Exception], text: str) -> None:
    """Leave the function with an error where a condition holds, which it hardly ever does."""
    guard(builder, condition, ("fail", kind, text), lambda: fail(context, builder, kind, text))


def guard(builder: Any, condition: Any, key: tuple[Any, ...], leave: Callable[[], None]) -> None:
    """Go to a block out of the way where a condition holds. `leave` fills it and ends it; the same line's blocks with one key are one."""
    place = getattr(builder, "place", None)
    target = getattr(builder, "_in_try_block", None)
    whole = (*key, place and (place.function, place.line), target and id(target))
    cold = builder.function.__dict__.setdefault("prunus_cold", {})
    here = builder.block
    if whole not in cold:
        cold[whole] = builder.append_basic_block("cold")
        builder.position_at_end(cold[whole])
        leave()
        builder.position_at_end(here)
    onwards = builder.append_basic_block("onwards")
    builder.cbranch(condition, cold[whole], onwards).set_weights([1, 99_999])
    builder.position_at_end(onwards)
