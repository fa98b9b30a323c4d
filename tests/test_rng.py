"""Random numbers: published sequences, unbiased draws, the same results interpreted and
compiled."""

from __future__ import annotations

from collections import Counter

import pytest

from prunus.core.bits import u64
from prunus.core.rng import Xoshiro, below, draw, generator, word_at
from prunus.games import TicTacToe
from prunus.kernel.backends import call
from prunus.kernel.memory import Memory

# Test vectors of rand_xoshiro (rust-random/rngs), generated there with Vigna's reference
# implementations (prng.di.unimi.it).
SPLITMIX = [
    1985237415132408290,
    2979275885539914483,
    13511426838097143398,
    8488337342461049707,
    15141737807933549159,
    17093170987380407015,
    16389528042912955399,
    13177319091862933652,
    10841969400225389492,
    17094824097954834098,
]
XOSHIRO = [
    11520,
    0,
    1509978240,
    1215971899390074240,
    1216172134540287360,
    607988272756665600,
    16172922978634559625,
    8476171486693032832,
    10595114339597558777,
    2904607092377533576,
]
SEEDED_WITH_42 = [1546998764402558742, 6990951692964543102]


def drawn(chance, count):
    words = []
    for _ in range(count):
        word, chance = draw(chance)
        words.append(word)
    return words


def test_published_sequences():
    assert [word_at(1477776061723855037, number) for number in range(1, 11)] == SPLITMIX
    assert drawn(Xoshiro(*map(u64, (1, 2, 3, 4))), 10) == XOSHIRO
    assert drawn(generator(42), 2) == SEEDED_WITH_42


def test_streams_are_other_sequences():
    words = [word for stream in range(50) for word in drawn(generator(7, stream), 20)]
    words += [word for seed in range(8, 58) for word in drawn(generator(seed), 20)]
    assert len(set(words)) == 2000


class Scripted:
    """A fixed list of words to draw, in place of a generator's."""

    def __init__(self, *words):
        self.words = words

    def __call__(self, chance):
        return u64(self.words[chance]), chance + 1


@pytest.mark.parametrize("bits", [3, 4, 8])
def test_draws_are_fair(monkeypatch, bits):
    """With words whose upper bits alone are not 0, all equally frequent, every number is drawn
    equally often once the unfair words are left out. A word is unfair if the lower half of its
    product is below 2**64 % count."""
    for count in (3, 5, 6, 7, (1 << 62) + 1):
        unfair = (1 << 64) % count
        words = [place << 64 - bits for place in range(1 << bits)]
        for word in words:
            monkeypatch.setattr("prunus.core.rng.draw", Scripted(word, (1 << 64) - 1))
            expected = (
                (count - 1, 2) if word * count % (1 << 64) < unfair else (word * count >> 64, 1)
            )
            assert below(0, count) == expected
    monkeypatch.undo()
    spread = Counter(below(generator(3, stream), 6)[0] for stream in range(6000))
    assert set(spread) == set(range(6))
    assert all(850 < times < 1150 for times in spread.values()), "six standard deviations are 173"


def test_nothing_to_draw_from():
    for count in (0, -1):
        with pytest.raises(ValueError, match="nothing to draw from"):
            below(generator(1), count)
    assert below(generator(1), 1)[0] == 0


def draws(game, count, memory) -> int:
    """Draws below limits of all sizes."""
    chance = generator(memory.seed, memory.stream)
    for i in range(0, count, 2):
        word, chance = draw(chance)
        memory.out[i] = word
        most = i + 1 if i % 3 else (word >> (1 + i % 62)) + 1
        memory.out[i + 1], chance = below(chance, int(most))
    return 0


def test_the_same_both_ways():
    found = []
    for compile in (False, True):
        for seed, stream in ((0, 0), (5, 3), ((1 << 64) - 1, 1 << 40)):
            memory = Memory({"seed": "u64", "stream": "i64", "out": ("u64", 600)})
            memory.seed, memory.stream = seed, stream
            call(draws, {"game": TicTacToe(), "count": 600, "memory": memory}, compile)
            found.append(list(map(int, memory.out)))
    assert found[:3] == found[3:]
    assert len({tuple(words) for words in found}) == 3
