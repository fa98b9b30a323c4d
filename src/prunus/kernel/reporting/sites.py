"""The line of the rules that an error came from, as told by a function's return code.

A compiled function returns a code that says how it ended: 0, or from 1 on that it raised an error.
The kernel's functions, which replace Python's, return 1: their lines mean nothing to authors of
rules. A function of the rules returns the number of a line, and so does one that passes on an error
that came with a 1. The number travels up with the error unchanged, and becomes the line again when
the error becomes a Python error. Nothing is stored on the way, so that threads cannot mix up their
errors.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from llvmlite import ir as native
from numba.core import cgutils
from numba.core.callconv import RETCODE_USEREXC, CPUCallConv

from prunus.kernel.pipeline.inference import is_ours, remembered
from prunus.kernel.reporting.raising import Place

CODE = native.IntType(32)

_NUMBERS = (1 << 31) - 2

_places: WeakValueDictionary[int, Place] = WeakValueDictionary()
"""The lines by number, from 2 on. Libraries keep alive those that their code refers to."""


def _number_of(place: Place) -> int:
    """The unique number of a line."""
    number = zlib.crc32(repr(place.told()).encode()) % _NUMBERS
    while (known := _places.get(2 + number)) is not None and known.told() != place.told():
        number = (number + 1) % _NUMBERS
    return 2 + number


def known_again(places: Mapping[int, Place]) -> dict[int, Place]:
    """Register the lines that code loaded from disk refers to, and return them. Raises LookupError
    if a number already belongs to another line."""
    kept = {number: _places.setdefault(number, place) for number, place in places.items()}
    if any(kept[number].told() != place.told() for number, place in places.items()):
        raise LookupError("two lines have the same number")
    return kept


def code_of(conv: Any, builder: Any) -> Any:
    """The code that a function returns if it raises an error at the place being lowered."""
    place = getattr(builder, "place", None)
    if place is None or not place.is_of_rules or not is_ours():
        return RETCODE_USEREXC
    library = conv.context.active_code_library
    number = _number_of(place)
    library.places[number] = _places.setdefault(number, place)
    return native.Constant(CODE, number)


def handed_on(conv: Any, builder: Any, status: Any) -> Any:
    """The status of a call, with the number of the call's line if its error has none."""
    code = (
        RETCODE_USEREXC
        if getattr(builder, "called", None) in _of_rules()
        else code_of(conv, builder)
    )
    if code is RETCODE_USEREXC:
        return status
    is_unplaced = builder.icmp_signed("==", status.code, RETCODE_USEREXC)
    return status._replace(code=builder.select(is_unplaced, code, status.code))


def _of_rules() -> set[str]:
    """The symbols of functions whose errors all have lines."""
    known: set[str] = remembered("of rules", None, set)
    return known


def note_function(name: str, place: Place) -> None:
    """Record that the errors of the function with this symbol have lines, if its place is in the
    rules."""
    if place.is_of_rules:
        _of_rules().add(name)


def placed(packed: tuple[Any, ...], code: int) -> tuple[Any, ...]:
    """An error as Numba packs it (class, arguments, place), with the line that has this number."""
    place = _places.get(code)
    return packed if place is None else (*packed[:2], place.told())


_plain_return, _plain_call, _plain_unpack = (
    CPUCallConv._return_errcode_raw,
    CPUCallConv.call_function,
    CPUCallConv.unpack_exception,
)


def _return_errcode_raw(self: Any, builder: Any, code: Any) -> None:
    _plain_return(self, builder, code_of(self, builder) if code is RETCODE_USEREXC else code)


def note_called(builder: Any, callee: Any) -> None:
    """Note which function is called now, for the place of an error that comes from it."""
    builder.called = getattr(callee, "name", None)


def _call_function(self: Any, builder: Any, callee: Any, *args: Any, **named: Any) -> Any:
    note_called(builder, callee)
    return _plain_call(self, builder, callee, *args, **named)


def _unpack_exception(self: Any, builder: Any, api: Any, status: Any) -> Any:
    """The error of a function that Python has called, packed."""
    packed = _plain_unpack(self, builder, api, status)
    if not is_ours():
        return packed
    slot = cgutils.alloca_once_value(builder, packed)
    has_line = builder.icmp_signed(">", status.code, RETCODE_USEREXC)
    with builder.if_then(builder.and_(has_line, cgutils.is_not_null(builder, packed))):
        module = api.import_module(self.context.insert_const_string(builder.module, __name__))
        function = api.object_getattr_string(module, placed.__name__)
        number = api.long_from_signed_int(status.code)
        builder.store(api.call_function_objargs(function, (packed, number)), slot)
        for used in (packed, number, function, module):
            api.decref(used)
    return builder.load(slot)


CPUCallConv._return_errcode_raw, CPUCallConv.call_function = _return_errcode_raw, _call_function
CPUCallConv.unpack_exception = _unpack_exception
