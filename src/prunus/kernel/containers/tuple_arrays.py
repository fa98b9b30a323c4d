"""`np.array` and `np.asarray` of packed tuples, and `dtype=int`, for Numba."""

from __future__ import annotations

import numpy as np
from numba.core import errors, types
from numba.core.typing import npydecl
from numba.extending import lower_builtin, overload_method
from numba.np import arrayobj
from numba.np.numpy_support import is_nonelike

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.containers.views import ViewType


def _array(object, dtype=None):
    if isinstance(object, types.Array):
        if is_nonelike(dtype):
            return lambda object, dtype=None: object.copy()  # noqa: A006 - NumPy's name
        return lambda object, dtype=None: object.astype(dtype)  # noqa: A006 - NumPy's name
    if isinstance(object, ViewType) and object.kind == "i64" and is_nonelike(dtype):
        return _OF_VIEWS.get(object.ndim)
    if not isinstance(object, Packed):
        return _numpy_array(object, dtype)
    if object.dtype not in (types.int64, types.boolean):
        raise errors.TypingError("np.array() of a tuple of u64: write [int(v) for v in t] in it")
    if is_nonelike(dtype):
        return lambda object, dtype=None: np.array(list(object))  # noqa: A006 - NumPy's name
    return lambda object, dtype=None: np.array(list(object), dtype)  # noqa: A006 - NumPy's name


def _of_line(object, dtype=None):
    made = np.empty(len(object), np.int64)
    for i in range(len(object)):
        made[i] = object[i]
    return made


def _of_table(object, dtype=None):
    made = np.empty(object.shape, np.int64)
    for i in range(object.shape[0]):
        for j in range(object.shape[1]):
            made[i, j] = object[i, j]
    return made


_OF_VIEWS = {1: _of_line, 2: _of_table}
"""A game's own array as one that can be computed with."""


@overload_method(ViewType, "copy")
def _copy(view):
    if view.kind == "i64" and view.of_game and view.ndim in _OF_VIEWS:
        return lambda view: np.array(view)  # noqa: PLW0108 - the parameter has this name
    return None


_numpy_array = original(arrayobj.impl_np_array)
replace(arrayobj.impl_np_array, _array)

_KINDS = ((int, types.int64), (bool, types.boolean), (float, types.float64))


def _number_type(dtype):
    if isinstance(dtype, types.Function):
        return next((kind for each, kind in _KINDS if each is dtype.typing_key), None)
    return _numpy_number_type(dtype)


_numpy_number_type = original(npydecl.parse_dtype)
replace(npydecl.parse_dtype, _number_type)
lower_builtin("array.astype", types.Array, types.Function)(arrayobj.array_astype)
