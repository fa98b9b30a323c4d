"""A match or a tournament from its terms: players and games as texts, played here or by workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from prunus.play.match import Result, check
from prunus.play.players import MatchError, PlayerLimits
from prunus.play.ratings.bradley_terry import Meeting, Table, rated
from prunus.play.ratings.sprt import Sprt
from prunus.play.specs import player_of
from prunus.play.tournament.contest import Contest, Runner, ahead
from prunus.play.tournament.schedule import Played, complete, meetings, slots
from prunus.play.tournament.store import Store
from prunus.play.tournament.worker import prepared
from prunus.play.tournament.workers import Terms, Workers


@dataclass
class Event:
    """`rounds` rounds, in each of which everyone meets everyone (`gauntlet`: the first player all
    others) in a pair of games. `concurrency` is the number of games played side by side; if it
    is more than 1, each has a process of its own. `out`: the file in which the games are kept and
    from which the event is continued. `sprt` ends a match of two as soon as it has a verdict."""

    terms: Terms
    rounds: int
    gauntlet: bool = False
    concurrency: int = 1
    out: Path | None = None
    sprt: Sprt | None = None
    played: list[Played] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    limits: list[PlayerLimits] = field(default_factory=list)

    def play(self, watch: Callable[[], None] | None = None) -> None:
        """Play the missing games. `watch` is called after each. Ctrl-C raises KeyboardInterrupt:
        the finished games are in `played` and on record. Raises MatchError, GameError and the other
        errors of what the terms describe."""
        with ExitStack() as stack:
            limits = self.limits = self._limits()
            contest = stack.enter_context(self._contest(limits))
            runner: Runner
            if self.concurrency == 1:
                here = stack.enter_context(closing(prepared(self.terms)))
                here.warm_up()
                runner = here
            else:
                if any(each.equal for each in limits):
                    raise MatchError(
                        "clock=equal measures the games one after another: leave out --concurrency"
                    )
                runner = stack.enter_context(closing(Workers(self.terms, self.concurrency)))

            def note() -> None:
                self.names = _distinct(runner.names())
                if watch is not None:
                    watch()

            contest.run(runner, note)
            if self.concurrency == 1:
                self.names = _distinct(runner.names())

    def _limits(self) -> list[PlayerLimits]:
        """The limits of the players. Raises MatchError if they cannot play."""
        from prunus.adapters import open_any

        defaults = PlayerLimits(**self.terms.defaults)
        players = [player_of(spec, defaults, self.terms.database) for spec in self.terms.specs]
        if len(players) < 2:
            raise MatchError("a tournament needs two players or more: --player engine,depth=4 ...")
        if self.concurrency > 1 and any(
            spec.split(",")[0] == "person" for spec in self.terms.specs
        ):
            raise MatchError("a person plays one game at a time: leave out --concurrency")
        limits = [player.limits for player in players]
        check(open_any(self.terms.game)[0], self.rounds, limits)
        if self.sprt is not None and len(limits) > 2:
            raise MatchError("a sequential test is for two players")
        self.names = self.names or _distinct(
            [player.name or spec for player, spec in zip(players, self.terms.specs, strict=True)]
        )
        return limits

    @contextmanager
    def _contest(self, limits: list[PlayerLimits]) -> Iterator[Contest]:
        """The contest with the games that are on record."""
        with ExitStack() as stack:
            keep = None
            if self.out is not None:
                title = {
                    k: v for k, v in asdict(self.terms).items() if k not in ("specs", "margin")
                }
                title["gauntlet"] = self.gauntlet
                if not self.terms.database:  # records of matches without one do not name it
                    del title["database"]
                keep = stack.enter_context(closing(Store(self.out, title, self.terms.specs)))
                if keep.games():
                    self.names = _distinct(keep.names())
            pairs = meetings(len(limits), self.gauntlet)
            schedule = list(slots(pairs, ahead(limits, self.rounds)))
            contest = Contest(schedule, limits, keep, self.sprt)
            self.played = contest.played
            yield contest

    @property
    def total(self) -> int:
        """How many games are played in all, unless a test ends them sooner."""
        return 2 * self.rounds * len(meetings(len(self.terms.specs), self.gauntlet))

    def result(self) -> Result:
        """The result of a match of two."""
        return Result((self.names[0], self.names[1]), tuple(self.played))

    def table(self, anchors: dict[str, float] | None = None, crashes: bool = True) -> Table:
        """The ratings of all players, from complete pairs. Without `crashes`, pairs of games in
        which a program crashed are left out. Raises RatingError."""
        observed = []
        for one, other in complete(self.played):
            if crashes or not (one.record.crashed or other.record.crashed):
                names = self.names[one.slot.first], self.names[one.slot.second]
                observed.append(Meeting(*names, one.record.score + other.record.score))
        return rated(observed, anchors)

    def failures(self) -> dict[str, dict[str, int]]:
        """How often each player has lost by a failure of each kind."""
        found: dict[str, dict[str, int]] = {}
        for each in self.played:
            record, slot = each.record, each.slot
            if record.failed is not None and slot.round >= 0:
                name = self.names[(slot.first, slot.second)[record.failed]]
                kinds = found.setdefault(name, {})
                kinds[record.end] = kinds.get(record.end, 0) + 1
        return found


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number after those that have come before."""
    found: list[str] = []
    for name in names:
        same = sum(other == name or other.startswith(f"{name} #") for other in found)
        found.append(f"{name} #{same + 1}" if same else name)
    return found
