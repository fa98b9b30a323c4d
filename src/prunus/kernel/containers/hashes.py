"""Python's own hashes of integers and of tuples, compiled.

The hash of an integer is its remainder modulo 2**61 - 1, with its sign; -1 is reserved for errors
(CPython's documentation, "Hashing of numeric types"). That of a tuple is xxHash over the hashes of
its items, whatever their types (the constants are those of CPython's `tupleobject.c`).
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.cpython import hashing
from numba.extending import intrinsic

from prunus.kernel.numbers.integers import WORD

_PRIME_BITS = 61
_PRIME = WORD((1 << _PRIME_BITS) - 1)

_FIRST, _SECOND, _LAST = 11400714785074694791, 14029467366897019727, 2870177450012600261
_ROTATION = 31
_OF_LENGTH = _LAST ^ 3527539
_INSTEAD_OF_MINUS_ONE = 1546275796


def replace(function: FunctionType, by: Callable[..., Any], more: tuple[str, ...] = ()) -> None:
    """Let one of Numba's functions, which it may have registered already, do what `by` does.

    Both have parameters of the same names, and then those of `more`, which are None if they are
    left out."""
    name = f"_prunus_{function.__name__}"
    function.__globals__[name] = by
    count = function.__code__.co_argcount
    names = ", ".join((*function.__code__.co_varnames[:count], *more))
    calling: Any = eval(f"lambda {names}: {name}({names})", function.__globals__)  # noqa: S307
    function.__code__ = calling.__code__
    if more:
        function.__defaults__ = (*(function.__defaults__ or ()), *(None for _ in more))


def original(function: FunctionType) -> Any:
    """What a function of Numba's does by itself, whatever replaces it later."""
    return FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


def hash_of_word(builder: Any, word: Any, is_signed: bool) -> Any:
    """Python's hash of a word that represents a signed or an unsigned integer."""
    zero = WORD(0)
    is_below = builder.icmp_signed("<", word, zero) if is_signed else cgutils.false_bit
    size = builder.select(is_below, builder.neg(word), word)
    rest = builder.add(builder.and_(size, _PRIME), builder.lshr(size, WORD(_PRIME_BITS)))
    rest = builder.select(
        builder.icmp_unsigned(">=", rest, _PRIME), builder.sub(rest, _PRIME), rest
    )
    below = builder.select(
        builder.icmp_unsigned("==", rest, WORD(1)), ir.Constant(WORD, -2), builder.neg(rest)
    )
    return builder.select(is_below, below, rest)


def hash_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Python's hash of a value of any type that has one."""
    typing_context = context.typing_context
    hash_type = typing_context.resolve_value_type(hash)
    of_value = hash_type.get_call_type(typing_context, (kind,), {})
    return context.get_function(hash_type, of_value)(builder, [value])


@intrinsic
def _hash_of_integer(typing_context: Any, number: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        is_signed = getattr(number, "signed", False)
        extend = builder.sext if is_signed else builder.zext
        word = args[0] if args[0].type == WORD else extend(args[0], WORD)
        return hash_of_word(builder, word, is_signed)

    return types.intp(number), lower


@intrinsic
def _hash_of_tuple(typing_context: Any, items: Any) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found: Any = WORD(_LAST)
        for i, kind in enumerate(items.types):
            lane = hash_of(context, builder, kind, builder.extract_value(args[0], i))
            found = builder.add(found, builder.mul(lane, WORD(_SECOND)))
            left, right = WORD(_ROTATION), WORD(64 - _ROTATION)
            found = builder.or_(builder.shl(found, left), builder.lshr(found, right))
            found = builder.mul(found, WORD(_FIRST))
        found = builder.add(found, WORD(len(items.types) ^ _OF_LENGTH))
        is_reserved = builder.icmp_unsigned("==", found, ir.Constant(WORD, -1))
        return builder.select(is_reserved, WORD(_INSTEAD_OF_MINUS_ONE), found)

    return types.intp(items), lower


def _tuple_hash(val):
    if len(val.types) == 0:
        found = hash(())
        return lambda val: found
    return lambda val: _hash_of_tuple(val)  # noqa: PLW0108 - Numba compiles the lambda


def _integer_hash(val):
    return lambda val: _hash_of_integer(val)  # noqa: PLW0108 - Numba compiles the lambda


replace(hashing.int_hash, _integer_hash)
replace(hashing.tuple_hash, _tuple_hash)
