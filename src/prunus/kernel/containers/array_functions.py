"""What NumPy does and Numba does not, or otherwise: `np.dot`, `@` and `tolist` of integers; `any`,
`all`, `max` and `min` along an axis; `np.diag` of a table, which is a view; masks, whose length is
checked; and `a += b`, which reads all of `b` before it changes `a`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import cgutils, errors, types
from numba.extending import intrinsic, overload, overload_method, register_jitable
from numba.np import arrayobj, npyfuncs
from numba.np.numpy_support import is_nonelike

from prunus.kernel.boards.packed import Packed
from prunus.kernel.containers.hashes import original, replace
from prunus.kernel.numbers.in_place import IN_PLACE
from prunus.kernel.pipeline.sparing import arraymath
from prunus.kernel.reporting.raising import fail_if


def _integers(*arrays):
    return all(isinstance(array, types.Array) and array.dtype == types.int64 for array in arrays)


def _dot(a, b):
    """The product of vectors or matrices of 64-bit integers; sums wrap as NumPy's."""
    if not _integers(a, b):
        return None
    return _PRODUCTS.get((a.ndim, b.ndim))


@register_jitable
def _match(length, other):
    if length != other:
        raise ValueError("the lengths of the arrays of np.dot or @ differ")


def _vectors(a, b):
    _match(len(a), len(b))
    total = 0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def _matrix_and_vector(a, b):
    _match(a.shape[1], len(b))
    result = np.zeros(len(a), np.int64)
    for i in range(len(a)):
        for k in range(len(b)):
            result[i] += a[i, k] * b[k]
    return result


def _vector_and_matrix(a, b):
    _match(len(a), len(b))
    result = np.zeros(b.shape[1], np.int64)
    for k in range(len(a)):
        for j in range(b.shape[1]):
            result[j] += a[k] * b[k, j]
    return result


def _matrices(a, b):
    _match(a.shape[1], len(b))
    result = np.zeros((len(a), b.shape[1]), np.int64)
    for i in range(len(a)):
        for k in range(len(b)):
            for j in range(b.shape[1]):
                result[i, j] += a[i, k] * b[k, j]
    return result


_PRODUCTS = {
    (1, 1): _vectors,
    (2, 1): _matrix_and_vector,
    (1, 2): _vector_and_matrix,
    (2, 2): _matrices,
}
overload(np.dot)(_dot)
overload(operator.matmul)(_dot)


@overload_method(types.Array, "tolist")
def _tolist(array):
    if array.dtype not in (types.int64, types.boolean, types.float64):
        return None
    if array.ndim == 1:
        return lambda array: [item for item in array]  # noqa: C416 - Numba has no list of an array
    if array.ndim == 2:
        return lambda array: [[item for item in row] for row in array]  # noqa: C416
    return None


@intrinsic
def _read_only(typingctx: Any, array: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return arrayobj.impl_ret_borrowed(context, builder, sig.return_type, args[0])

    return array.copy(readonly=True)(array), lower


def _diagonal(v, k=0):
    """A view that cannot be written to, as NumPy's."""
    part = v[max(-k, 0) :, max(k, 0) :]
    stride = part.strides[0] + part.strides[1]
    return _read_only(np.lib.stride_tricks.as_strided(part, (min(part.shape),), (stride,)))


def _diag(v, k=0):
    if isinstance(v, types.Array) and v.ndim == 2:
        return _diagonal
    return _numpy_diag(v, k)


_numpy_diag = original(arrayobj.impl_np_diag)
replace(arrayobj.impl_np_diag, _diag)


@overload_method(types.Array, "diagonal")
def _diagonal_of(array, offset=0):
    if array.ndim == 2:
        return lambda array, offset=0: _diagonal_view(array, offset)
    return None


_diagonal_view = register_jitable(_diagonal)


def _teach_axis(function: Any, numbas: Any) -> None:
    """`any`, `all`, `max` or `min` of each column (axis 0) or each row (axis 1) of a table."""
    is_truth = function in (np.any, np.all)

    @register_jitable
    def of_rows(rows):
        found = np.empty(len(rows), np.bool_ if is_truth else rows.dtype)
        for i in range(len(rows)):
            found[i] = function(rows[i])
        return found

    def along(a, axis=None):
        if axis in (0, -2):
            return of_rows(a.T)
        if axis in (1, -1):
            return of_rows(a)
        raise ValueError("a table has the axes 0 and 1, or -2 and -1")

    def choose(a, axis):
        if not is_nonelike(axis):
            is_table = isinstance(a, types.Array) and a.ndim == 2
            return along if is_table and isinstance(axis, types.Integer) else None
        of_all = numpys(a)
        if of_all is None:
            return None
        of_all = register_jitable(of_all)
        return lambda a, axis=None: of_all(a)

    numpys = original(numbas)
    replace(numbas, choose, ("axis",))


_teach_axis(np.any, arraymath.np_any)
_teach_axis(np.all, arraymath.np_all)
_teach_axis(np.max, arraymath.npy_max)
_teach_axis(np.min, arraymath.npy_min)


@overload(abs)
def _abs(a):
    if not isinstance(a, types.Array):
        return None
    return lambda a: np.absolute(a)  # noqa: PLW0108 - its parameters have to have these names


@overload(np.trace)
def _trace(a):
    return (lambda a: np.diag(a).sum()) if _integers(a) and a.ndim == 2 else None


def _teach_sequences(function: Any) -> None:
    """A function of an array for tuples and lists of integers, which NumPy makes arrays of."""

    @overload(function)
    def choose(a):
        is_sequence = isinstance(a, Packed | types.List | types.UniTuple)
        if is_sequence and a.dtype in (types.int64, types.boolean):
            return lambda a: function(np.array(a))
        return None


for _function in (np.sum, np.prod, np.mean, np.max, np.min, np.any, np.all, np.argmax, np.argmin):
    _teach_sequences(_function)


class Masks(arrayobj.FancyIndexer):
    """Indices of arrays among which a mask must be as long as the array, or raises IndexError."""

    def prepare(self) -> None:
        """Begin: the shapes are known."""
        for length, indexer in zip(self.shapes, self.indexers, strict=True):
            if isinstance(indexer, arrayobj.BooleanArrayIndexer):
                (size,) = cgutils.unpack_tuple(self.builder, indexer.idxary.shape)
                differs = self.builder.icmp_signed("!=", size, length)
                text = "a mask is not as long as the array that it is an index of"
                fail_if(self.context, self.builder, differs, IndexError, text)
        super().prepare()


arrayobj.FancyIndexer = Masks


_TRUTHS = (operator.iadd, operator.imul, operator.iand, operator.ior, operator.ixor)
"""What gives truth values of truth values."""


def _fits(change: Any, array: Any, other: Any) -> bool:
    """Whether NumPy puts the result of an operator back into its left side."""
    other = other.dtype if isinstance(other, types.Array) else types.unliteral(other)
    if array.dtype == types.float64:
        return True
    if array.dtype == types.int64:
        return change is not operator.itruediv and other in (types.int64, types.boolean)
    return array.dtype == other == types.boolean and change in _TRUTHS


def _teach(change: Any, result: Any) -> None:
    """Let `a += b` and the like read all of `b` before `a` changes. Numba's own operators do not,
    and a sum that leaves 64 bits is lost in their inner loops."""
    result = register_jitable(result)

    def changed(a, b):
        a[:] = result(a, b)
        return a

    def in_place(a, b):
        """What stands for the operator."""

    IN_PLACE[change] = in_place

    @overload(in_place)
    def choose(a, b):
        if not _fits(change, a, b):
            raise errors.TypingError(
                f"NumPy does not put the result back into an array of {a.dtype}: write a = a ... b"
            )
        return changed


_teach(operator.iadd, lambda a, b: a + b)
_teach(operator.isub, lambda a, b: a - b)
_teach(operator.imul, lambda a, b: a * b)
_teach(operator.itruediv, lambda a, b: a / b)
_teach(operator.ifloordiv, lambda a, b: a // b)
_teach(operator.imod, lambda a, b: a % b)
_teach(operator.iand, lambda a, b: a & b)
_teach(operator.ior, lambda a, b: a | b)
_teach(operator.ixor, lambda a, b: a ^ b)


def _quotient(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """`//` of items: the lowest number by -1 is itself, as in NumPy."""
    made = _numpy_quotient(context, builder, sig, args)
    dividend, divisor = args
    lowest = builder.icmp_signed("==", dividend, dividend.type(-1 << (dividend.type.width - 1)))
    leaves = builder.and_(lowest, builder.icmp_signed("==", divisor, divisor.type(-1)))
    return builder.select(leaves, dividend, made)


_numpy_quotient = original(npyfuncs.np_int_sdiv_impl)
replace(npyfuncs.np_int_sdiv_impl, _quotient)
