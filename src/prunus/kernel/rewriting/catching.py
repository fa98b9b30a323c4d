"""`try` and `except` in compiled code: handlers select errors by class, as in Python, and do not
catch what Python would not raise.

Numba's handlers take every error and cannot tell what it is. Here the error record that code
carries has a number for its class, and a handler keeps the record to compare that number or to
raise the error again. Errors that only compiled code raises, such as that of an integer beyond 64
bits, pass all handlers: otherwise the rules would go on with another value than in Python.
"""

from __future__ import annotations

import builtins
import ctypes
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from llvmlite import binding as llvm
from llvmlite import ir as native
from numba.core import cgutils, errors, types
from numba.core.callconv import ALLOC_FLAG_IDX, RETCODE_USEREXC, CPUCallConv
from numba.core.unsafe import eh
from numba.extending import intrinsic

from prunus.kernel.reporting.raising import ENDED, ONLY_COMPILED, are_shown, stopped
from prunus.kernel.reporting.sites import CODE, code_of, handed_on

NUMBER = native.IntType(32)

LIMIT = 1
"""The class number of errors that no handler catches."""

_CUSTOM = 1 << 10
_BITS = 20

BUILTIN = sorted(
    (
        value
        for value in vars(builtins).values()
        if isinstance(value, type) and issubclass(value, Exception)
    ),
    key=str,
)


def number_of(kind: type[BaseException]) -> int:
    """The number of a class, which is the same in every process because machine code is kept."""
    if kind in BUILTIN:
        return 2 + BUILTIN.index(kind)
    if kind.__module__.startswith("prunus."):
        return LIMIT
    return _CUSTOM + zlib.crc32(f"{kind.__module__}.{kind.__qualname__}".encode()) % (1 << _BITS)


def _with_subclasses(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    yield kind
    for other in kind.__subclasses__():
        yield from _with_subclasses(other)


# The number is stored where Numba stores that of an error's run-time arguments; it is negative if
# there are none.

_set_static, _set_dynamic = CPUCallConv.set_static_user_exc, CPUCallConv.set_dynamic_user_exc
_unset_try, _set_try, _propagate = (
    CPUCallConv.unset_try_status,
    CPUCallConv.set_try_status,
    CPUCallConv.return_status_propagate,
)


class Kept(NamedTuple):
    """The storage for an error: its record, and the number of the line that raised it."""

    record: Any
    code: Any

    def take(self, builder: Any, other: Kept) -> None:
        """Copy an error from other storage."""
        for own, theirs in zip(self, other, strict=True):
            builder.store(builder.load(theirs), own)


def new_kept(conv: Any, builder: Any) -> Kept:
    """New storage, which holds no error."""
    kind = conv._get_excinfo_argument(builder.function).type.pointee
    return Kept(
        cgutils.alloca_once(builder, kind, name="kept", zfill=True),
        cgutils.alloca_once(builder, CODE, name="line", zfill=True),
    )


def set_static(
    conv: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
) -> None:
    """Numba's `set_static_user_exc`, with the number of the class."""
    if exc is StopIteration and _leaves_generator(builder):
        exc, exc_args = stopped(builder)
    _set_static(conv, builder, exc, exc_args, loc, func_name)
    _come_from(conv, builder, code_of(conv, builder))
    if exc is not None:
        limited = (
            getattr(builder, "raises_limit", False)
            or number_of(exc) == LIMIT
            or exc_args == (ENDED,)
            or _is_only_compiled(builder, exc, exc_args)
        )
        made = conv.build_excinfo_struct(exc, exc_args or (), loc, func_name)
        record = conv.context.get_python_api(builder).serialize_object(made)
        parts = list(record.initializer.constant)
        parts[ALLOC_FLAG_IDX] = NUMBER(-(LIMIT if limited else number_of(exc)))
        record.initializer = native.Constant.literal_struct(parts)


def _leaves_generator(builder: Any) -> bool:
    """Whether an error that is raised here leaves a generator; StopIteration becomes RuntimeError
    then. A handler around a generator expression is outside it."""
    is_caught = getattr(builder, "_in_try_block", None)
    return getattr(builder, "in_expression" if is_caught else "in_generator", False)


def _leave_generator(conv: Any, builder: Any, record: Any, is_error: Any) -> None:
    """Raise that RuntimeError if an error with this record is raised and leaves a generator."""
    if not _leaves_generator(builder):
        return
    with builder.if_then(is_error, likely=False):
        stops = NUMBER(number_of(StopIteration))
        is_stop = builder.icmp_signed("==", _class_number(builder, record), stops)
        with builder.if_then(is_stop, likely=False):
            conv.return_user_exc(builder, *stopped(builder), builder.place)


def _is_only_compiled(builder: Any, exc: Any, args: Any) -> bool:
    """Whether one of the functions that replace Python's, which have no place in rules, raises what
    Python would not."""
    if getattr(builder, "place", None) is not None:
        return False
    return exc is OverflowError or (bool(args) and str(args[0]).startswith(ONLY_COMPILED))


WITH_VALUES = ctypes.c_int64(0)
"""The number of errors that compiled code has raised with values known only then."""

MOST_WITH_VALUES = 1 << 20
"""From this number on such errors are raised without their values, which take some 80 bytes each:
if rules catch an error, nobody frees them."""
NOT_KEPT = "its values are not kept in compiled code"

llvm.add_symbol("prunus_errors_with_values", ctypes.addressof(WITH_VALUES))


def set_dynamic(conv: Any, builder: Any, exc: Any, *args: Any, **named: Any) -> None:
    """Numba's `set_dynamic_user_exc`, with the number of the class."""
    name, kind = "prunus_errors_with_values", native.IntType(64)
    globals_of = builder.module.globals
    counter = globals_of.get(name) or native.GlobalVariable(builder.module, kind, name)
    count = builder.load(counter)
    most = MOST_WITH_VALUES if are_shown(args[1]) else -1
    shown = builder.icmp_signed("<", count, kind(most))
    with builder.if_else(shown) as (kept, dropped):
        with kept:
            builder.store(builder.add(count, kind(1)), counter)
            _set_dynamic(conv, builder, exc, *args, **named)
            place = _flag(builder, builder.load(conv._get_excinfo_argument(builder.function)))
            builder.store(builder.or_(builder.load(place), NUMBER(number_of(exc) << 8)), place)
        with dropped:
            loc = named.get("loc") or (args[2] if len(args) > 2 else None)
            set_static(conv, builder, exc, (NOT_KEPT,), loc or getattr(builder, "place", None))
    _come_from(conv, builder, code_of(conv, builder))


def _flag(builder: Any, record: Any) -> Any:
    return builder.gep(record, [NUMBER(0), NUMBER(ALLOC_FLAG_IDX)], inbounds=True)


def _class_number(builder: Any, record: Any) -> Any:
    flag = builder.load(_flag(builder, record))
    return builder.select(
        builder.icmp_signed(">", flag, NUMBER(0)), builder.ashr(flag, NUMBER(8)), builder.neg(flag)
    )


def caught(conv: Any, builder: Any) -> Kept:
    """The storage for the error caught last in the function."""
    if not hasattr(builder, "prunus_caught"):
        builder.prunus_caught = new_kept(conv, builder)
    found: Kept = builder.prunus_caught
    return found


def _current(conv: Any, builder: Any) -> Kept:
    """The storage for the current error of the function."""
    if not hasattr(builder, "prunus_current"):
        builder.prunus_current = new_kept(conv, builder)._replace(
            record=conv._get_excinfo_argument(builder.function)
        )
    found: Kept = builder.prunus_current
    return found


def _come_from(conv: Any, builder: Any, code: Any) -> None:
    """Note the number of the line that raised the current error. Only handlers ask."""
    if getattr(builder, "catches", False):
        builder.store(code, _current(conv, builder).code)


def _begin_try(conv: Any, builder: Any) -> None:
    _set_try(conv, builder)
    place = conv._get_excinfo_argument(builder.function)
    builder.store(cgutils.get_null_value(place.type.pointee), place)


def _end_try(conv: Any, builder: Any) -> None:
    coming, last = _current(conv, builder), caught(conv, builder)
    is_none = cgutils.is_null(builder, builder.load(coming.record))
    for new, old in zip(coming, last, strict=True):
        builder.store(builder.select(is_none, builder.load(old), builder.load(new)), old)
    _unset_try(conv, builder)


def _hand_on(conv: Any, builder: Any, status: Any) -> None:
    """Leave with the error of a called function, or go to the handler around the call."""
    status = handed_on(conv, builder, status)
    _come_from(conv, builder, status.code)
    _leave_generator(conv, builder, status.excinfoptr, status.is_error)
    handler = getattr(builder, "_in_try_block", None)
    if not handler:
        _propagate(conv, builder, status)
        return
    builder.store(status.excinfoptr, conv._get_excinfo_argument(builder.function))
    passes = builder.icmp_signed("==", _class_number(builder, status.excinfoptr), NUMBER(LIMIT))
    with builder.if_then(passes, likely=False):
        conv._return_errcode_raw(builder, status.code)
    builder.branch(handler["target"])


CPUCallConv.set_static_user_exc, CPUCallConv.set_dynamic_user_exc = set_static, set_dynamic
CPUCallConv.set_try_status, CPUCallConv.unset_try_status, CPUCallConv.return_status_propagate = (
    _begin_try,
    _end_try,
    _hand_on,
)


_RERAISE = "Unreachable condition reached (op code RERAISE"


def is_raised_again(exc: Any, args: Any) -> bool:
    """Whether Numba's code for raising an error means the one that was caught."""
    return exc is None or (exc is AssertionError and bool(args) and _RERAISE in str(args[0]))


def raise_again(conv: Any, builder: Any) -> None:
    """Leave with the error that was caught last."""
    set_again(conv, builder)
    _leave_generator(conv, builder, builder.load(_current(conv, builder).record), cgutils.true_bit)
    code = builder.load(caught(conv, builder).code)
    raises = builder.icmp_signed(">=", code, RETCODE_USEREXC)
    conv._return_errcode_raw(builder, builder.select(raises, code, RETCODE_USEREXC))


def set_again(conv: Any, builder: Any) -> None:
    """Make the error that was caught last the current one."""
    _current(conv, builder).take(builder, caught(conv, builder))


@intrinsic
def on_its_way(typingctx):
    """Sets the error that was caught last, for the handler that runs next."""

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        set_again(context.call_conv, builder)
        return context.get_dummy_value()

    return types.none(), lower


@intrinsic
def exception_match(typingctx, exc_value, exc_class):
    """Whether the caught error belongs to a class, or to one of several."""
    kinds = exc_class.types if isinstance(exc_class, types.BaseTuple) else (exc_class,)
    if not all(isinstance(kind, types.ExceptionClass) for kind in kinds):
        raise errors.TypingError("`except` is followed by something other than classes of errors")
    classes = [kind.exc_class for kind in kinds]
    if RecursionError in classes:
        raise errors.TypingError("`except RecursionError`: compiled code stops later than Python")

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if any(kind in (Exception, BaseException) for kind in classes):
            return cgutils.true_bit
        found = _class_number(builder, builder.load(caught(context.call_conv, builder).record))
        fits = cgutils.false_bit
        for number in sorted(
            {number_of(known) for kind in classes for known in _with_subclasses(kind)} - {LIMIT}
        ):
            fits = builder.or_(fits, builder.icmp_unsigned("==", found, NUMBER(number)))
        return fits

    return types.boolean(exc_value, exc_class), lower


eh.exception_match = exception_match
