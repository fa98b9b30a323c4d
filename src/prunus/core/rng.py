"""Seeded random numbers for algorithms: plain functions on values, with the same results
interpreted, compiled and in any number of threads.

A draw returns a number and the generator for the next draw, as a State leads to the next State:

    chance = generator(seed, number)
    place, chance = below(chance, len(moves))

`generator` makes a xoshiro256** (Blackman & Vigna 2018), a different one for each stream: if every
item of a parallel loop draws from the stream with its own number, no result depends on which thread
handled it. `word_at` is SplitMix64 (Steele, Lea & Flood 2014), whose n-th word can be computed
without those before it: use it to look up random data that never changes, such as the leaves of a
tree. Neither is cryptographically secure.
"""

from __future__ import annotations

from typing import NamedTuple

from prunus.core.bits import GOLDEN, i64, mix, mulhi, u64


class Xoshiro(NamedTuple):
    """The state of a xoshiro256** generator: 256 bits, not all of them 0."""

    a: u64
    b: u64
    c: u64
    d: u64


def word_at(seed: int, number: int) -> u64:
    """Word `number`, counted from 1, of SplitMix64 with a 64-bit seed."""
    return mix(u64(seed) + number * u64(GOLDEN))


def generator(seed: int, stream: int = 0) -> Xoshiro:
    """The generator for a seed and a stream, each any 64 bits. Stream 0 is seeded with the first
    four words of SplitMix64, as its authors advise; every other stream in the same way, from a seed
    of its own."""
    start = u64(seed) ^ mix(stream)
    return Xoshiro(word_at(start, 1), word_at(start, 2), word_at(start, 3), word_at(start, 4))


def draw(chance: Xoshiro) -> tuple[u64, Xoshiro]:
    """64 random bits, and the generator for the next draw."""
    a, b, c, d = chance
    drawn = rotated(b * 5, 7) * 9
    c2, d2 = c ^ a, d ^ b
    return drawn, Xoshiro(a ^ d2, b ^ c2, c2 ^ b << 17, rotated(d2, 45))


def below(chance: Xoshiro, count: int) -> tuple[int, Xoshiro]:
    """A uniformly distributed number from 0 to count - 1, and the generator for the next draw; 1 <=
    count < 2**63, otherwise ValueError.

    The number is the upper half of a product. If its lower half falls where some numbers would be
    favoured, another word is drawn (Lemire 2019, "Fast random integer generation in an interval").
    """
    if count < 1:
        raise ValueError("there is nothing to draw from: the count of numbers is less than 1")
    word, after = draw(chance)
    low = word * count
    if low < count:
        unfair = -u64(count) % count
        while low < unfair:
            word, after = draw(after)
            low = word * count
    return i64(mulhi(word, count)), after


def rotated(word: u64, places: int) -> u64:
    """A word with its bits rotated upwards by 1 to 63 places."""
    return word << places | word >> (64 - places)
