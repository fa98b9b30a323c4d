"""Errors that compiled code raises, each with its line of the source.

Machine code refers to a place by a module, a function and the rank of a line among the function's
lines. These do not change when comments are written above it, so that code kept on disk stays
right. `prunus.kernel.reporting.locating` turns them back into file and line.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

from llvmlite import binding as llvm
from llvmlite import ir as native
from numba.core import cgutils, errors, ir, types
from numba.core.callconv import RETCODE_USEREXC, CPUCallConv

from prunus.kernel.reporting.locating import GIVEN, PREFIX, line_ranks


class Place:
    """The place of an instruction, in the form that Numba's exceptions carry."""

    def __init__(self, module: str, function: str, rank: int) -> None:
        self.function, self.filename, self.line = function, PREFIX + module, rank

    @staticmethod
    def of(function: Any, line: int = 0) -> Place:
        """The place of a line of a function, or of the function's beginning."""
        return Place(
            function.__module__ or "",
            function.__qualname__,
            line_ranks(function.__code__).get(line, 0),
        )

    def told(self) -> tuple[str, str, int]:
        """The place as Numba packs it with an error."""
        return self.function, self.filename, self.line

    @property
    def is_of_rules(self) -> bool:
        """Whether it is in something else than Prunus's own functions."""
        module = self.filename.removeprefix(PREFIX)
        return not module.startswith("prunus.") or module.startswith("prunus.games.")

    def _raw_function_name(self) -> str:
        return self.function


class InlinedLoc(ir.Loc):
    """A line of a function that was inlined. `inlined` are the functions it is now part of, from
    the outermost on; `in_generator` says if it is in a generator expression."""

    def __init__(self, loc: Any, function: Any, inlined: tuple[Any, ...]) -> None:
        super().__init__(loc.filename, loc.line, loc.col)
        self.function, self.inlined = function, inlined
        self.in_generator = getattr(loc, "in_generator", False)


ENDS = "ends"
"""What `in_generator` says in code that stands for a function such as `map`, in whose argument
StopIteration is the end of the items."""

STOPPED = "generator raised StopIteration"
ENDED = "compiled code does not end map, filter and the like by StopIteration: write a loop"


def stopped(builder: Any) -> tuple[type[Exception], tuple[str]]:
    """The error that StopIteration becomes where it leaves a generator, and its arguments."""
    is_ended = getattr(builder, "in_expression", False) == ENDS
    return (OverflowError, (ENDED,)) if is_ended else (RuntimeError, (STOPPED,))


@functools.cache
def text_of_empty(function: Callable[..., Any]) -> str:
    """Python's message for `min` or `max` of no items."""
    try:
        function(())
    except ValueError as error:
        return str(error)
    raise AssertionError(function)


KEYS_EXCHANGED = (
    "a loop goes over a dictionary while keys are removed from it and others added: make a list of "
    "the keys first, list(...)"
)

SAME_NAN = (
    "a NaN is compared with another in a list or tuple, or is a key: Python asks whether they are "
    "one object, which compiled code does not know"
)

TOO_DEEP = "maximum recursion depth exceeded"

NO_TEXT = "str() or repr() of something else than"

ONLY_COMPILED = (
    KEYS_EXCHANGED,
    SAME_NAN,
    NO_TEXT,
    "tuple(): the list does not have",
    "the order of a copy of a constant set",
    "a constant set is combined with one that has the same items",
    "a negative exponent gives a float",
    "zip(strict=True): not equally many items",
    TOO_DEEP,
)
"""How the messages begin of those errors, other than OverflowError, that Python does not raise, or
not at the same place; no handler catches them."""


def pass_handlers(conv: Any, builder: Any) -> None:
    """Leave the function with the error that was set, skipping all handlers."""
    conv._return_errcode_raw(builder, RETCODE_USEREXC)


def fail(context: Any, builder: Any, kind: type[Exception], text: str) -> None:
    """Leave the function with an error; the current block ends here."""
    if kind is not OverflowError and not text.startswith(ONLY_COMPILED):
        context.call_conv.return_user_exc(
            builder, kind, (text,), loc=getattr(builder, "place", None)
        )
        return
    builder.raises_limit = True
    context.call_conv.set_static_user_exc(
        builder, kind, (text,), loc=getattr(builder, "place", None)
    )
    builder.raises_limit = False
    pass_handlers(context.call_conv, builder)


def fail_if(
    context: Any, builder: Any, condition: Any, kind: type[Exception], text: str, number: Any = None
) -> None:
    """Leave the function with an error if a condition holds, which is rare. The signed `number`
    replaces `THE_NUMBER` in the text."""
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


def owner_of(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    """What may be None, of which an attribute is taken: AttributeError if it is None, where Numba
    raises TypeError."""
    found = context.make_helper(builder, kind, value=value)
    missing = builder.not_(cgutils.as_bool_bit(builder, found.valid))
    text = f"'NoneType' object has no attribute '{name}'"
    fail_if(context, builder, missing, AttributeError, text)
    return found.data


def _given(module: Any) -> Any:
    """The address of `locating.GIVEN`, as compiled code sees it."""
    name = "prunus_number_given"
    return (
        module.globals[name]
        if name in module.globals
        else native.GlobalVariable(module, native.IntType(8 * ctypes.sizeof(GIVEN)), name)
    )


llvm.add_symbol("prunus_number_given", ctypes.addressof(GIVEN))


def guard(builder: Any, condition: Any, key: tuple[Any, ...], leave: Callable[[], None]) -> Any:
    """Branch to a separate block if a condition holds, and return that block. `leave` fills and
    ends it; branches from the same line with the same key share a block."""
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


# Numba's own errors, with the line that raises them.

_SIMPLE = (types.Integer, types.Boolean, types.Float, types.UnicodeType)
"""Types whose values become Python objects directly."""


def are_shown(kinds: Any) -> bool:
    """Whether errors can have values of these types (None: constants) among their arguments."""
    given = [kind for kind in kinds if kind is not None]
    parts = [part for kind in given for part in (kind if type(kind) in _ROWS else (kind,))]
    return all(isinstance(part, _SIMPLE) for part in parts)


_ROWS = (types.UniTuple, types.Tuple)

_plain_static, _plain_dynamic = CPUCallConv.return_user_exc, CPUCallConv.set_dynamic_user_exc


def _return_user_exc(
    self: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
) -> None:
    place = loc or getattr(builder, "place", None)
    _plain_static(self, builder, exc, exc_args, place, func_name)


def _set_dynamic_user_exc(
    self: Any,
    builder: Any,
    exc: Any,
    exc_args: Any,
    nb_types: Any,
    loc: Any = None,
    func_name: Any = None,
) -> None:
    if are_shown(nb_types):
        self.emit_unwrap_dynamic_exception_fn = functools.partial(_emit_arguments, self)
    _plain_dynamic(
        self, builder, exc, exc_args, nb_types, loc or getattr(builder, "place", None), func_name
    )


def _emit_arguments(conv: Any, module: Any, struct: Any, kinds: Any) -> Any:
    """The function that makes Python objects from an error's run-time arguments. Numba's version
    asks for the environment of the raising function, which parts of a search do not have."""
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
    made = [
        api.from_native_value(kind, builder.extract_value(values, i))
        for i, kind in enumerate(kinds)
    ]
    if any(item is None for item in made):
        raise errors.TypingError("an error is raised with a value that compiled code cannot show")
    conv.context.nrt.free(builder, function.args[0])
    builder.ret(api.tuple_pack(made))
    return function


CPUCallConv.return_user_exc, CPUCallConv.set_dynamic_user_exc = (
    _return_user_exc,
    _set_dynamic_user_exc,
)
