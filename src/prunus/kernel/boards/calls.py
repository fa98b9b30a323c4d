"""How functions take and give long tuples, so that LLVM passes on where a board lies instead of
copying it.

Numba fills every variable and every result with zeros first, and takes structures apart to put
them together again. LLVM then divides a board into vectors, and keeps what it has divided.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import RETCODE_OK, CPUCallConv, excinfo_t
from numba.core.datamodel import default_manager
from numba.core.datamodel.models import StructModel

from prunus.kernel.boards.homes import holds_packed, is_packed, keep_home, store_whole
from prunus.kernel.boards.packed import CHUNK, PackedModel
from prunus.kernel.reporting.sites import note_called


def _is_board(kind: Any) -> bool:
    """Whether a type of LLVM is a packed tuple or a structure of such and of numbers, which may
    begin with any content."""
    return holds_packed(kind) and not _holds_addresses(kind)


def _holds_addresses(kind: Any) -> bool:
    return isinstance(kind, ir.PointerType) or (
        not is_packed(kind) and any(map(_holds_addresses, getattr(kind, "elements", ())))
    )


def _alloca_once(
    builder: Any, ty: Any, size: Any = None, name: str = "", zfill: bool = False
) -> Any:
    """Numba's own, but a board is not filled with zeros, and lies where vectors may lie."""
    if size is not None or zfill or not _is_board(ty):
        return _plain_alloca_once(builder, ty, size, name, zfill)
    with builder.goto_entry_block():
        place = builder.alloca(ty, name=name)
    place.align = CHUNK // 8
    return place


def _call_function(
    self: Any, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = ()
) -> Any:
    """Numba's own, but a result with a board is not filled with zeros first, and stays where the
    function puts it."""
    kind = self.get_return_type(resty).pointee
    if not _is_board(kind):
        return _plain_call_function(self, builder, callee, resty, argtys, args, attrs)
    note_called(builder, callee)
    place = cgutils.alloca_once(builder, kind)
    error = cgutils.alloca_once(builder, ir.PointerType(excinfo_t), name="excinfo")
    given = self._get_arg_packer(argtys).as_arguments(builder, args)
    code = builder.call(callee, [place, error, *given], attrs=attrs or ())
    status = self._get_return_status(builder, code, builder.load(error))
    result = builder.load(place)
    keep_home(result)
    return status, self.context.get_returned_value(builder, resty, result)


def _return_value(self: Any, builder: Any, value: Any) -> None:
    """Numba's own, but a board is copied from where it lies."""
    store_whole(builder, value, self._get_return_argument(builder.function))
    self._return_errcode_raw(builder, RETCODE_OK)


def _decorate_function(
    self: Any, function: Any, args: Any, kinds: Any, noalias: bool = False
) -> None:
    """Numba's own, which moreover tells LLVM that nobody changes a board during the call."""
    _plain_decorate_function(self, function, args, kinds, noalias)
    models = [default_manager.lookup(kind) for kind in kinds]
    are_boards = [flag for model in models for flag in _are_boards(model)]
    for argument, is_board in zip(self.get_arguments(function), are_boards, strict=True):
        if is_board:
            # `add_attribute` knows some of LLVM's attributes only.
            set.update(argument.attributes, ("captures(none)", "noalias", "readonly"))


def _are_boards(model: Any) -> list[bool]:
    """For each of the arguments that a value of this model takes, whether it is a packed tuple. (A
    list of the same form has the same type of LLVM, and is changed.)"""
    if isinstance(model, PackedModel):
        return [True]
    if isinstance(model, StructModel):
        return [flag for part in model._models for flag in _are_boards(part)]
    return [False] * _number_of(model.get_argument_type())


def _number_of(kind: Any) -> int:
    return sum(map(_number_of, kind)) if isinstance(kind, tuple | list) else 1


_plain_alloca_once = cgutils.alloca_once
_plain_call_function = CPUCallConv.call_function
_plain_decorate_function = CPUCallConv.decorate_function
cgutils.alloca_once = _alloca_once
CPUCallConv.call_function, CPUCallConv.return_value = _call_function, _return_value
CPUCallConv.decorate_function = _decorate_function
