"""Playing games in this process, one after another."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Final

from prunus.core.game import Game
from prunus.kernel.pipeline.garbage import unexamined
from prunus.play.openings import Openings
from prunus.play.players import Player
from prunus.play.referee import Manners, Referee, usual_length
from prunus.play.tournament.contest import Clocks
from prunus.play.tournament.schedule import Played, Slot

USUAL: Final = Manners()


class Here:
    """A runner with players of its own. A player is warmed up before its first game. Until `close`,
    Python does not collect garbage among what there was then: a move may have less time."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        openings: Openings,
        manners: Manners = USUAL,
    ) -> None:
        self.game, self.players, self.openings, self.manners = game, players, openings, manners
        self.warm: set[int] = set()
        self.calm = ExitStack()
        self.length: float | None = None

    def names(self) -> list[str]:
        """The players' names; those of programs are known once they have run."""
        return [player.name for player in self.players]

    def warm_up(self) -> None:
        """Do what takes long the first time, for all players. Raises MatchError if one of them
        cannot play this game."""
        for number in range(len(self.players)):
            self._warm_up(number)

    def _warm_up(self, number: int) -> None:
        if number not in self.warm:
            self.players[number].warm_up(self.game)
            self.warm.add(number)
            self.calm.enter_context(unexamined())

    def play(self, slots: Iterator[Slot], clocks: Clocks) -> Iterator[Played]:
        """Play the games. Ctrl-C raises KeyboardInterrupt at once. Raises MatchError if a player
        cannot play."""
        with heeding_interrupts() as interrupted:
            for slot in slots:
                yield self.game_of(slot, clocks(slot), interrupted)

    def game_of(
        self,
        slot: Slot,
        clocks: tuple[float | None, float | None],
        interrupted: Sequence[int] = (),
    ) -> Played:
        """Play one game."""
        opening = self.openings[slot.round]
        if self.length is None:
            self.length = usual_length(self.game)
        for number in (slot.first, slot.second):
            self._warm_up(number)
        players = self.players[slot.first], self.players[slot.second]
        referee = Referee(
            self.game, players, slot.first_begins, clocks, self.length, interrupted, self.manners
        )
        return Played(slot, referee.play(slot.round, opening.actions, opening.state))

    def close(self) -> None:
        """End the players."""
        with self.calm:
            for player in self.players:
                player.close()


@contextmanager
def heeding_interrupts() -> Iterator[list[int]]:
    """A list that Ctrl-C makes non-empty, in addition to raising KeyboardInterrupt: a search takes
    the latter as the wish to end only that search."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, note)
    except ValueError:  # not the main thread: only that one receives signals
        yield seen
        return
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
