"""Who meets whom: the games of a tournament in the order in which they are begun."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prunus.play.referee import Record


@dataclass(frozen=True)
class Slot:
    """A game to be played: between two players, given by their numbers, in a round, which decides
    the opening; both games of a round between the same two players make a pair. The first player
    makes the first move, or the second does."""

    round: int
    first: int
    second: int
    first_begins: bool


@dataclass(frozen=True)
class Played:
    """A game that has been played."""

    slot: Slot
    record: Record


def meetings(players: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    """The pairs of players that meet in each round: everyone with everyone, or (`gauntlet`) the
    first with all others."""
    if gauntlet:
        return [(0, other) for other in range(1, players)]
    return list(itertools.combinations(range(players), 2))


def slots(pairs: Sequence[tuple[int, int]], rounds: range) -> Iterator[Slot]:
    """The games of these rounds: in each, two games for every pair of players."""
    for number in rounds:
        for first, second in pairs:
            for first_begins in (True, False):
                yield Slot(number, first, second, first_begins)


def complete(played: Sequence[Played]) -> list[tuple[Played, Played]]:
    """The pairs of games from one opening of which both have been played and count, in the order of
    their rounds; the one in which the first player began comes first. Games of rounds before the
    first only measure time."""
    found: dict[tuple[int, int, int], list[Played]] = {}
    for each in played:
        slot = each.slot
        if slot.round >= 0:
            found.setdefault((slot.round, slot.first, slot.second), []).append(each)
    return [
        (games[0], games[1]) if games[0].slot.first_begins else (games[1], games[0])
        for _, games in sorted(found.items())
        if len(games) == 2
    ]
