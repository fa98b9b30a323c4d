"""A contest: games of a schedule that are played one after another or side by side, and kept."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol

from prunus.play.players import MatchError, PlayerLimits
from prunus.play.ratings.sprt import Sprt
from prunus.play.tournament.schedule import Played, Slot, complete
from prunus.play.tournament.store import Store

FAILURES: Final = 5
"""A match is abandoned when a player has failed in this many games in a row."""

FIRST_CLOCK: Final = 1.0
"""The seconds that an `equal` player has in the first of the games that only measure time."""

DEBT: Final = (0.5, 1.5)
"""The least and the greatest value of an `equal` clock, as multiples of the opponent's mean time a
game."""

Clocks = Callable[[Slot], tuple[float | None, float | None]]


class Runner(Protocol):
    """Where games are played."""

    def play(self, slots: Iterator[Slot], clocks: Clocks) -> Iterator[Played]:
        """Play games and yield each as soon as it is over. A slot is taken when its game can begin,
        and `clocks` then says what the clocks of the slot's players show."""

    def names(self) -> Sequence[str]:
        """The players' names, as far as they are known."""


class Contest:
    """The state of a contest: the games played so far. `limits` are those of the players; `sprt`
    ends a contest of two players as soon as it has a verdict."""

    def __init__(
        self,
        schedule: Sequence[Slot],
        limits: Sequence[PlayerLimits],
        store: Store | None = None,
        sprt: Sprt | None = None,
    ) -> None:
        self.schedule, self.limits, self.store, self.sprt = schedule, limits, store, sprt
        self.played: list[Played] = [] if store is None else store.games()

    def run(self, runner: Runner, watch: Callable[[], None] | None = None) -> None:
        """Play the missing games. `watch` is called after each. Raises MatchError if a player of a
        match keeps failing; KeyboardInterrupt passes through."""
        if self.is_decided():
            return
        for played in runner.play(self._missing(), self._clocks):
            self.played.append(played)
            if self.store is not None:
                self.store.add(played)
                for number in (played.slot.first, played.slot.second):
                    self.store.name(number, runner.names()[number])
            if watch is not None:
                watch()
            self._expect_sense(runner.names())
            if self.is_decided():
                return

    def pairs(self) -> list[int]:
        """How many pairs of games gave the first player 0, 1/2, 1, 3/2 and 2 points."""
        counts = [0] * 5
        for one, other in complete(self.played):
            counts[round(2 * (one.record.score + other.record.score))] += 1
        return counts

    def is_decided(self) -> bool:
        """Whether the sequential test has its verdict."""
        return self.sprt is not None and self.sprt.verdict(self.pairs()) is not None

    def _missing(self) -> Iterator[Slot]:
        """The games still to be played."""
        done = {each.slot for each in self.played}
        yield from (slot for slot in self.schedule if slot not in done)

    def _clocks(self, slot: Slot) -> tuple[float | None, float | None]:
        return self._clock(slot, 0), self._clock(slot, 1)

    def _clock(self, slot: Slot, side: int) -> float | None:
        """The seconds that a player has for the next game. An `equal` clock is set so that the
        player's time over all games that count will equal the opponent's, whose next game is
        expected to take as long as its games so far."""
        limits = self.limits[(slot.first, slot.second)[side]]
        if not limits.equal:
            return limits.clock
        records = [
            each.record
            for each in self.played
            if (each.slot.first, each.slot.second) == (slot.first, slot.second)
        ]
        if not records:
            return FIRST_CLOCK
        mean = statistics.mean(record.seconds[1 - side] for record in records)
        counted = [record for record in records if record.pair >= 0]
        owed = mean + sum(record.seconds[1 - side] - record.seconds[side] for record in counted)
        return min(DEBT[1] * mean, max(DEBT[0] * mean, owed))

    def _expect_sense(self, names: Sequence[str]) -> None:
        """Raise MatchError if one of two players does nothing but fail. A tournament goes on
        without complaint: the others have to play their games."""
        if len(self.limits) > 2:
            return
        last = [each.record for each in self.played[-FAILURES:]]
        failed = {record.failed for record in last}
        if (
            len(last) == FAILURES
            and len(failed) == 1
            and None not in failed
            and all(record.end not in ("resigned", "time") for record in last)
        ):
            raise MatchError(
                f"{names[last[-1].failed or 0]} has failed in {FAILURES} games in a row, in the "
                f"last one: {last[-1].end}: {last[-1].note}"
            )


def ahead(limits: Iterable[PlayerLimits], rounds: int) -> range:
    """The rounds of a contest; one before the first only measures time, if a player's clock is to
    equal its opponent's."""
    return range(-1 if any(each.equal for each in limits) else 0, rounds)
