"""Making a book of the positions that are costly to search; the others are searched when they are
asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import prunus
from prunus.books.building import check_plies, telling
from prunus.books.journal import CostJournal, Searched
from prunus.books.positions import Positions, add_ply, back_up, check_game, only_start
from prunus.books.work import BookProgress, Resources, Work, finish, solving
from prunus.books.writing import beside, write_book
from prunus.core.game import Game, game_meant
from prunus.run.driver import solve
from prunus.run.limits import Stop, is_integer
from prunus.run.task import MEGABYTES
from prunus.tables.book import folder_name, forget_books, users_folder
from prunus.tables.errors import BookError
from prunus.tables.identity import identity

ALONE: Final = Resources(megabytes=MEGABYTES)
"""A search with the default table of `solve`."""


@dataclass(frozen=True)
class Costly:
    """The positions of a book: those up to `plies` plies from the start that cost more than `nodes`
    nodes to solve; without `plies`, up to the first ply at which none costs more. Raises BookError
    for what is no such number."""

    nodes: int
    plies: int | None = None

    def __post_init__(self) -> None:
        if self.plies is not None:
            check_plies(self.plies)
        if not is_integer(self.nodes) or self.nodes < 1:
            raise BookError(f"{self.nodes!r} nodes: the cost must be an integer, 1 or more")

    def option(self) -> str:
        """The options of the command for these positions."""
        return f"--by-cost {self.nodes}" + ("" if self.plies is None else f" --plies {self.plies}")


def build_costly_book(
    game: Game,
    which: Costly,
    folder: Path | None = None,
    *,
    spec: str = "",
    using: Resources = ALONE,
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> Path:
    """Make the book of costly positions, and return its folder. By default this is the user's
    folder for the game.

    All positions, up to symmetry, are searched ply by ply, as `solve` does with one thread and an
    empty table of `using.megabytes`, each with no more nodes than it may cost; so the book is the
    same every time. Values are backed up by minimax from those that these searches prove; only the
    costly positions at a last ply that was given are searched to the end. The start is always in
    the book.

    spec: the game as the user named it, for the manifest. say: called with a line for each stage.
    Ctrl-C raises KeyboardInterrupt; what is known stays in a file beside the folder, and the same
    call continues from there. Raises BookError for a game that cannot have books.
    """
    game_meant(game).freeze()
    check_game(game)
    folder = users_folder() / folder_name(game) if folder is None else folder
    subject = {
        "game": identity(game),
        "nodes": which.nodes,
        "plies": which.plies,
        "megabytes": using.megabytes,
        "prunus": prunus.__version__,
    }
    journal = CostJournal(beside(folder, ".solving"), subject)
    try:
        search = _Search(only_start(game), which, using, journal, say, watch)
        search.all_plies(which.plies)
        search.write(folder, spec)
    except BaseException:
        journal.close()
        raise
    journal.remove()
    forget_books()
    return folder


class _Search:
    """The positions of the book that is being made, and what is known of each."""

    def __init__(
        self,
        positions: Positions,
        which: Costly,
        using: Resources,
        journal: CostJournal,
        say: Callable[[str], None],
        watch: Callable[[BookProgress], None] | None,
    ) -> None:
        self.positions, self.which, self.using, self.journal = positions, which, using, journal
        self.say, self.watch = say, watch
        self.costly: list[int] = []

    def _key(self, number: int) -> int:
        return int(self.positions.game.key(self.positions.states[number]))

    def all_plies(self, plies: int | None) -> None:
        """Search the positions ply by ply: up to this one, or up to the first one that has no
        costly position."""
        while True:
            numbers = self.positions.deepest()
            costly = self._costly_of(numbers)
            self.costly += costly
            if self.positions.plies == plies or not (numbers if plies is not None else costly):
                break
            add_ply(self.positions, telling(self.say))
        missing = [number for number in costly if self._known(number).value is None]
        if missing:
            self.say(f"{len(missing):,} positions to solve at the last ply, {plies}")
            work = solving(self.positions, missing, self._solved, self.using)
            finish(work, len(missing), self.say, self.watch)

    def _costly_of(self, numbers: Sequence[int]) -> list[int]:
        """Those of the positions, all at the last ply, that cost more than they may."""
        known = self.journal.results
        rest = [number for number in numbers if (number, self._key(number)) not in known]
        earlier = len(numbers) - len(rest)
        self.say(
            f"ply {self.positions.plies}: {len(numbers):,} positions up to symmetry, each to "
            f"search with at most {self.which.nodes:,} nodes"
            + (f"; {earlier:,} were searched earlier" if earlier else "")
        )
        finish(Work(rest, self._measure, self.using.threads), len(numbers), self.say, self.watch)
        costly = [number for number in numbers if self._known(number).nodes is None]
        self.say(f"  {len(costly):,} cost more")
        return costly

    def _known(self, number: int) -> Searched:
        """What is known of a position that has been searched."""
        return self.journal.results[number, self._key(number)]

    def _measure(self, number: int, stop: Stop) -> bool:
        found = searched(
            self.positions.game, self.positions.states[number], self.which.nodes, self.using, stop
        )
        if found is None:
            return False
        self.journal.add(number, self._key(number), found)
        return True

    def _solved(self, number: int, value: int, action: int) -> None:
        self.journal.add(number, self._key(number), Searched(None, value, action))

    def write(self, folder: Path, spec: str) -> None:
        """Back the values up and write the book. Raises BookError if a search and the positions
        after it disagree."""
        positions, deepest = self.positions, self.positions.deepest()
        values: list[int | None] = [None] * deepest.start
        values += [self._known(number).value for number in deepest]
        best = back_up(positions, values)
        for number in range(deepest.start):
            found = self._known(number).value
            if found is not None and found != values[number]:
                raise BookError(
                    f"{positions.game.format(positions.states[number])}: a search found {found}, "
                    f"its positions one ply later say {values[number]}; no book is written"
                )
        chosen = sorted({0, *self.costly})
        others = set(range(len(positions.states))) - set(self.costly)
        most = max((self._known(number).nodes or 0 for number in others), default=0)
        write_book(
            folder,
            positions.only(chosen),
            [value for number in chosen if (value := values[number]) is not None],
            [best[number] if number < deepest.start else self._action(number) for number in chosen],
            {
                "game": spec or positions.game.title(),
                "how": self.which.option(),
                "seconds": round(self.journal.seconds, 1),
                "threads": self.using.threads,
                "megabytes": self.using.megabytes,
                "cost": {
                    "nodes": self.which.nodes,
                    "megabytes": self.using.megabytes,
                    "searched": len(positions.states),
                    "most": most,
                },
            },
        )

    def _action(self, number: int) -> tuple[int, ...]:
        action = self._known(number).action
        return () if action is None else (action,)


def searched(
    game: Game, state: object, nodes: int | None, using: Resources, stop: Stop | None = None
) -> Searched | None:
    """What a search of at most `nodes` nodes (None: as many as it takes) with an empty table says
    of a position; None if it was stopped before that."""
    found = solve(
        game,
        state,
        algorithm="engine",
        nodes=nodes,
        table=using.megabytes,
        compile=using.compile,
        stop=stop,
        book=False,
    )
    spent, most = found.statistics.nodes, math.inf if nodes is None else nodes
    # A search that is ended by its limit has gone beyond it.
    if (stop is not None and stop.requested) or (found.interrupted and spent <= most):
        return None
    is_solved = found.proved and found.bound == "exact" and not found.interrupted
    if is_solved and found.best is not None and spent <= most:
        return Searched(spent, found.value, found.best)
    if not found.interrupted and spent <= most:
        raise BookError(f"{game.format(state)}: the search proved no value")
    return Searched(None)
