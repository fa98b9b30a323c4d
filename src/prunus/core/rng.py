"""Seeded random numbers for algorithms: plain functions on values, the same numbers interpreted, compiled and in any number of threads.

A draw gives a number and the generator to draw the next one from, as a State gives the next State:

    chance = generator(seed, number)
    place, chance = below(chance, len(moves))

`generator` makes xoshiro256** (Blackman & Vigna 2018), a different one for each stream: where every item of a parallel loop draws from the
stream of its own number, no result depends on which thread came to it. `word_at` is SplitMix64 (Steele, Lea & Flood 2014), whose n-th word
is found without those before it: what is random for good, such as the leaves of a tree, is looked up by it. Neither is for secrets.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from prunus.core.bits import i64, mix, mulhi, u64

GOLDEN: Final = 0x9E3779B97F4A7C15
"""The odd number nearest to 2**64 divided by the golden ratio: what SplitMix64 adds from one word to the next."""


class Xoshiro(NamedTuple):
    """A generator xoshiro256**: 256 bits, not all of them 0."""

    a: u64
    b: u64
    c: u64
    d: u64


def word_at(seed: int, number: int) -> u64:
    """The word of this number, from 1, that SplitMix64 gives from a seed of 64 bits."""
    return mix(u64(seed) + number * u64(GOLDEN))


def generator(seed: int, stream: int = 0) -> Xoshiro:
    """The generator of a seed and a stream, each any 64 bits. That of stream 0 is seeded with the first four words of SplitMix64, as its
    authors advise; that of another stream likewise, from a seed of its own."""
    start = u64(seed) ^ mix(stream)
    return Xoshiro(word_at(start, 1), word_at(start, 2), word_at(start, 3), word_at(start, 4))


def draw(chance: Xoshiro) -> tuple[u64, Xoshiro]:
    """64 random bits, and the generator for what is drawn next."""
    a, b, c, d = chance
    drawn = rotated(b * 5, 7) * 9
    c2, d2 = c ^ a, d ^ b
    return drawn, Xoshiro(a ^ d2, b ^ c2, c2 ^ b << 17, rotated(d2, 45))


def below(chance: Xoshiro, count: int) -> tuple[int, Xoshiro]:
    """A number from 0 to count - 1, each as likely as any other, and the generator for what is drawn next; 1 <= count < 2**63, otherwise
    ValueError.

    The number is the upper half of a product; where its lower half falls into the part that would favour some numbers, another word is
    drawn (Lemire 2019, "Fast random integer generation in an interval").
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
    """A word with its bits moved up by 1 to 63 places, those that leave it coming in below."""
    return word << places | word >> (64 - places)
