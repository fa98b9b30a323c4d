"""Errors that compiled code raises, each at its line of the source.

A place goes into machine code as a module, a function and the rank of a line among the function's lines: these hold however many
comments are written above it, so that code kept on disk stays right. `prunus.kernel.locating` makes file and line of them again.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir as native
from numba.core import errors, ir, types
from numba.core.callconv import CPUCallConv
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering

from prunus.kernel.catching import catches, handlers_of, is_raised_again, pass_handlers, raise_again, set_again
from prunus.kernel.locating import GIVEN, PREFIX, line_ranks, remember
from prunus.kernel.sparing import is_counted


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
        if isinstance(inst, ir.Assign) and not isinstance(inst.value, ir.Arg):
            # The most of them, and Numba writes each as a text first.
            self.debuginfo.mark_location(self.builder, self.loc.line)
            self.notify_loc(self.loc)
            name = inst.target.name
            self.storevar(self.lower_assign(self.typeof(name), inst), name)
        elif isinstance(inst, ir.Del):
            self.delvar(inst.value)
        else:
            super().lower_inst(inst)
        if isinstance(inst, ir.Jump) and getattr(inst.loc, "stays_loop", False) and getattr(self.builder, "is_worth_keeping", False):
            keep_loop(self.builder)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Let a variable have a value. What it held before is of interest only where it holds memory."""
        kind = self.typeof(name)
        if argidx is not None or name in self._singly_assigned_vars or self._disable_sroa_like_opt or is_counted(self.context, kind):
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, kind)
            self.builder.store(value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """Let a variable end."""
        if self._disable_sroa_like_opt or is_counted(self.context, self.typeof(name)):
            super().delvar(name)

    def lower_function_body(self) -> Any:
        """Lower a whole function; its code object is remembered for the places in it."""
        remember(self.func_ir.func_id.func)
        self._handlers = handlers_of(self.func_ir) if catches(self.func_ir) else {}
        return super().lower_function_body()

    def pre_block(self, block: Any) -> None:
        """Before a block is lowered: an error in it goes to the handler around, also in what came into the function from others."""
        super().pre_block(block)
        label = next((label for label in self._handlers if self.blocks[label] is block), None)
        if label is not None and not hasattr(self.builder, "_in_try_block") and self._handlers[label] != label:
            self.builder._in_try_block = {"target": self.blkmap[self._handlers[label]]}

    def return_exception(self, exc_class: Any, exc_args: Any = None, loc: Any = None) -> None:
        """`raise` in the source."""
        if is_raised_again(exc_class, exc_args):
            raise_again(self.call_conv, self.builder)
        else:
            super().return_exception(exc_class, exc_args, self.builder.place)

    def set_exception(self, exc_class: Any, exc_args: Any = None, loc: Any = None) -> None:
        """`raise` within `try`, behind which Numba goes to the handler."""
        if is_raised_again(exc_class, exc_args):
            set_again(self.call_conv, self.builder)
        else:
            super().set_exception(exc_class, exc_args, self.builder.place)

    def return_dynamic_exception(self, exc_class: Any, exc_args: Any, nb_types: Any, loc: Any = None) -> None:
        """`raise` with arguments known at run time only."""
        super().return_dynamic_exception(exc_class, exc_args, nb_types, self.builder.place)


def keep_loop(builder: Any) -> None:
    """Ask LLVM to keep the loop whose way back the block ends with: written out round by round it could no longer be done in vectors."""
    whole = native.MDValue(builder.module, (), name=str(len(builder.module.metadata)))
    never = builder.module.add_metadata([native.MetaDataString(builder.module, "llvm.loop.unroll.disable")])
    whole.operands = (whole, never)
    builder.block.terminator.set_metadata("llvm.loop", whole)


@register_pass(mutates_CFG=True, analysis_only=False)
class PlacedLowering(BaseNativeLowering):
    """The pass that lowers with `PlacedLower`."""

    _name = "prunus_lowering"

    @property
    def lowering_class(self) -> Any:
        """The class that lowers."""
        return PlacedLower


ONLY_COMPILED = ("tuple(): the list has not",)
"""How the messages begin of errors, other than OverflowError, that Python does not raise: no handler takes them."""


def fail(context: Any, builder: Any, kind: type[Exception], text: str) -> None:
    """Leave the function with an error; the current block ends here."""
    if kind is not OverflowError and not text.startswith(ONLY_COMPILED):
        context.call_conv.return_user_exc(builder, kind, (text,), loc=getattr(builder, "place", None))
        return
    builder.raises_limit = True
    context.call_conv.set_static_user_exc(builder, kind, (text,), loc=getattr(builder, "place", None))
    builder.raises_limit = False
    pass_handlers(context.call_conv, builder)


def fail_if(context: Any, builder: Any, condition: Any, kind: type[Exception], text: str, number: Any = None) -> None:
    """Leave the function with an error where a condition holds, which it hardly ever does. A signed `number` is what `THE_NUMBER` in the
    text stands for."""
    if number is None:
        guard(builder, condition, ("fail", kind, text), lambda: fail(context, builder, kind, text))
        return

    def leave() -> None:
        given = _given(builder.module)
        shown = builder.phi(number.type)
        builder.store(builder.sext(shown, given.type.pointee), given, align=8)
        fail(context, builder, kind, text)

    here = builder.block
    cold = guard(builder, condition, ("fail", kind, text, number.type.width), leave)
    cold.instructions[0].add_incoming(number, here)


def _given(module: Any) -> Any:
    """The place of `locating.GIVEN`, as compiled code knows it."""
    name = "prunus_number_given"
    return module.globals[name] if name in module.globals else native.GlobalVariable(module, native.IntType(8 * ctypes.sizeof(GIVEN)), name)


llvm.add_symbol("prunus_number_given", ctypes.addressof(GIVEN))


def guard(builder: Any, condition: Any, key: tuple[Any, ...], leave: Callable[[], None]) -> Any:
    """Go to a block out of the way where a condition holds, and return it. `leave` fills it and ends it; the same line's blocks with one
    key are one."""
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
    return cold[whole]


# Numba's own errors, at the line where they are raised.

_SIMPLE = (types.Integer, types.Boolean, types.Float, types.UnicodeType)
"""Types whose values become Python objects without more ado."""

_plain_static, _plain_dynamic = CPUCallConv.return_user_exc, CPUCallConv.set_dynamic_user_exc


def _return_user_exc(self: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None) -> None:
    _plain_static(self, builder, exc, exc_args, loc or getattr(builder, "place", None), func_name)


def _set_dynamic_user_exc(self: Any, builder: Any, exc: Any, exc_args: Any, nb_types: Any, loc: Any = None, func_name: Any = None) -> None:
    if all(isinstance(kind, _SIMPLE) for kind in nb_types if kind is not None):
        self.emit_unwrap_dynamic_exception_fn = functools.partial(_emit_arguments, self)
    _plain_dynamic(self, builder, exc, exc_args, nb_types, loc or getattr(builder, "place", None), func_name)


def _emit_arguments(conv: Any, module: Any, struct: Any, kinds: Any) -> Any:
    """The function that makes Python objects of the arguments of an error that are known at run time only. Numba's asks for the environment
    of the function that raises, which parts of a search have none of."""
    pointer = native.IntType(8).as_pointer()
    kinds = [kind for kind in kinds if kind is not None]
    name = f"prunus.arguments.{'.'.join(map(str, kinds))}"
    if name in module.globals:
        return module.globals[name]
    function = native.Function(module, native.FunctionType(pointer, [pointer]), name)
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    builder = native.IRBuilder(function.append_basic_block())
    api = conv.context.get_python_api(builder)
    values = builder.load(builder.bitcast(function.args[0], struct.as_pointer()))
    made = [api.from_native_value(kind, builder.extract_value(values, i)) for i, kind in enumerate(kinds)]
    if any(item is None for item in made):
        raise errors.TypingError("an error is raised with a value that compiled code cannot show")
    conv.context.nrt.free(builder, function.args[0])
    builder.ret(api.tuple_pack(made))
    return function


CPUCallConv.return_user_exc, CPUCallConv.set_dynamic_user_exc = _return_user_exc, _set_dynamic_user_exc
