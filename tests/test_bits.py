"""The unsigned integers of `prunus.core.bits` against Python's own, interpreted: modulo 2**bits,
contagious, exact in comparisons."""

from __future__ import annotations

import operator
import pickle
import random
from typing import NamedTuple

import pytest

from prunus import Game, u8, u16, u64, u128, u256
from prunus.core.bits import bit_index, bswap, clz, ctz, lowest_bit, mulhi
from prunus.core.state import StateLayout, key_is_exact, state_key

KINDS = {u64: 64, u128: 128, u256: 256}
OPERATORS = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.and_,
    operator.or_,
    operator.xor,
]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


def numbers(rng, bits):
    """Numbers of random lengths, and the neighbours of powers of two."""
    power = 1 << rng.randrange(bits)
    return rng.choice(
        (rng.getrandbits(rng.randrange(1, bits + 1)), power, power - 1, (1 << bits) - 1, 0, 1)
    )


def pairs(count):
    rng = random.Random(5)
    for _ in range(count):
        left = rng.choice(list(KINDS))
        right = rng.choice([*KINDS, int])
        a = left(numbers(rng, KINDS[left]))
        b = right(numbers(rng, KINDS.get(right, KINDS[left])))
        if right is int and rng.random() < 0.4:
            b = -b
        yield (a, b) if rng.random() < 0.5 else (b, a)


@pytest.mark.parametrize("operate", OPERATORS, ids=lambda f: f.__name__)
def test_operators_are_taken_modulo_the_wider_side(operate):
    for a, b in pairs(2000):
        kind = max((k for k in map(type, (a, b)) if k in KINDS), key=KINDS.__getitem__)
        x, y = int(a) % (1 << KINDS[kind]), int(b) % (1 << KINDS[kind])
        if operate in (operator.floordiv, operator.mod) and y == 0:
            with pytest.raises(ZeroDivisionError):
                operate(a, b)
            continue
        result = operate(a, b)
        assert type(result) is kind
        assert int(result) == operate(x, y) % (1 << KINDS[kind]), (a, b)


@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda f: f.__name__)
def test_comparisons_are_exact(compare):
    assert all(compare(a, b) == compare(int(a), int(b)) for a, b in pairs(2000))


@pytest.mark.parametrize("kind", KINDS)
def test_shifts(kind):
    bits = KINDS[kind]
    x = kind((1 << bits) - 5)
    for places in (0, 1, bits // 2, bits - 1, bits, bits + 1, 10 * bits, 1 << 70):
        left, right = x << places, x >> places
        assert type(left) is type(right) is kind
        assert (left, right) == (
            (int(x) << places) % (1 << bits) if places < bits else 0,
            int(x) >> places if places < bits else 0,
        )
    for operate in (operator.lshift, operator.rshift):
        with pytest.raises(ValueError, match="negative shift"):
            operate(x, -1)
    assert type(1 << kind(3)) is kind and 1 << kind(3) == 8 and 1 << kind(bits) == 0
    assert type(u64(1) << u128(70)) is u128 and u64(1) << u128(70) == 1 << 70


@pytest.mark.parametrize("kind", KINDS)
def test_one_side(kind):
    bits, x = KINDS[kind], kind(12)
    assert (-x, ~x, +x, abs(x)) == ((1 << bits) - 12, (1 << bits) - 13, 12, 12)
    assert {type(-x), type(~x), type(+x), type(abs(x))} == {kind}
    assert type(int(x)) is int and hash(kind((1 << bits) - 1)) == hash((1 << bits) - 1)
    assert pickle.loads(pickle.dumps(x)) == x and type(pickle.loads(pickle.dumps(x))) is kind
    assert kind(-1) == (1 << bits) - 1 and kind(1 << bits) == 0


@pytest.mark.parametrize("operate", [*OPERATORS, operator.lshift], ids=lambda f: f.__name__)
def test_an_operand_with_more_bits_is_refused(operate):
    for kind, bits in KINDS.items():
        for outside in (1 << bits, -(1 << bits) - 1):
            with pytest.raises(OverflowError, match=f"{bits} bits"):
                operate(outside, kind(3))
            if operate is not operator.lshift:
                with pytest.raises(OverflowError, match=f"{bits} bits"):
                    operate(kind(3), outside)


class Wide(Game):
    class State(NamedTuple):
        turn: u8
        board: u128
        small: u16
        field: u256
        words: tuple[u128, ...]


def test_layout_keeps_every_bit():
    rng = random.Random(3)
    state = Wide.State(1, (1 << 128) - 2, 65535, (1 << 255) + 7, (5, 1 << 127, 1 << 64))
    layout = StateLayout(state)
    assert layout.offsets == (0, 8, 24, 32, 64, 80, 96) and layout.size == 112
    buffer = memoryview(bytearray(layout.size * 3))
    for index in range(3):
        state = Wide.State(
            rng.randrange(256),
            rng.getrandbits(128),
            7,
            rng.getrandbits(256),
            [rng.getrandbits(128) for _ in range(3)],
        )
        layout.pack(buffer, index, state)
        assert layout.unpack(buffer, index) == state
        assert type(layout.unpack(buffer, index).board) is u128


def test_every_word_counts_in_the_key():
    state = Wide.State(1, 2, 3, 4, (5, 6, 7))
    assert not key_is_exact(state)
    keys = {state_key(state._replace(board=1 << bit)) for bit in range(128)}
    keys |= {state_key(state._replace(board=0, field=1 << bit)) for bit in range(256)}
    assert len(keys) == 128 + 256


@pytest.mark.parametrize("kind", KINDS)
def test_functions_of_bits(kind):
    bits, rng = KINDS[kind], random.Random(9)
    assert (ctz(kind(0)), clz(kind(0))) == (bits, bits)
    for _ in range(300):
        x, y = kind(numbers(rng, bits)), kind(numbers(rng, bits))
        text = f"{int(x):0{bits}b}"
        assert bit_index(x) == ctz(x) and lowest_bit(x) == int(x) & -int(x)
        if x:
            assert (ctz(x), clz(x)) == (
                len(text) - len(text.rstrip("0")),
                len(text) - len(text.lstrip("0")),
            )
        turned = "".join(reversed([text[i : i + 8] for i in range(0, bits, 8)]))
        assert bswap(x) == int(turned, 2) and type(bswap(x)) is kind
        assert mulhi(x, y) == int(x) * int(y) // 2**bits and type(mulhi(x, y)) is kind
    assert (ctz(12), clz(1), mulhi(-1, 2)) == (2, 63, 1)
    with pytest.raises(OverflowError):
        ctz(1 << 70)
