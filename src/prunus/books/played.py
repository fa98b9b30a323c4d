"""Making a book of the positions that came up in games."""

from __future__ import annotations

import random
import shlex
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import prunus
from prunus.books.building import check_plies
from prunus.books.costly import ALONE, searched
from prunus.books.journal import PlayedJournal, Searched
from prunus.books.positions import Edge, Positions, check_game, only_start
from prunus.books.work import BookProgress, Resources, Work, finish
from prunus.books.writing import beside, expect_room, write_book
from prunus.core.game import Game, game_meant
from prunus.core.state import StateLayout
from prunus.run.limits import Stop, is_integer
from prunus.tables.book import FromGames, folder_name, forget_books, packed, users_folder
from prunus.tables.errors import BookError
from prunus.tables.identity import identity

ELSEWHERE: Final = -2
"""The target of an action that leads to a position which is not among those of the games."""


@dataclass(frozen=True)
class PlayedPositions:
    """The positions of a book from games: those up to `plies` plies from the start (None: to the
    end of the games) that came up, up to symmetry, in `at_least` so many games; with `cost`, of
    these the ones that cost more nodes to solve; with `nodes`, the ones that cost no more. `files`
    are named in the manifest. Each of the `games` is the legal actions from the start. Raises
    BookError for what is no such number."""

    plies: int | None = None
    at_least: int = 1
    cost: int | None = None
    nodes: int | None = None
    files: tuple[str, ...] = ()
    games: Sequence[Sequence[int]] = ()

    def of(self, games: Sequence[Sequence[int]]) -> PlayedPositions:
        """The same positions of these games."""
        return replace(self, games=games)

    def __post_init__(self) -> None:
        if self.plies is not None:
            check_plies(self.plies)
        for name, number in (
            ("at least", self.at_least),
            ("a cost of", self.cost),
            ("at most", self.nodes),
        ):
            if number is not None and (not is_integer(number) or number < 1):
                raise BookError(f"{name} {number!r}: it must be an integer, 1 or more")
        if self.cost is not None and self.nodes is not None and self.nodes <= self.cost:
            raise BookError(
                f"positions that cost more than {self.cost:,} nodes are not solved within "
                f"{self.nodes:,}: give more --nodes, or a smaller --by-cost"
            )

    def option(self) -> str:
        """The options of the command for these positions."""
        numbers = (
            ("--plies", self.plies),
            ("--at-least", None if self.at_least == 1 else self.at_least),
            ("--by-cost", self.cost),
            ("--nodes", self.nodes),
        )
        return " ".join(
            [f"--from-games {shlex.quote(file)}" for file in self.files]
            + [f"{name} {number}" for name, number in numbers if number is not None]
        )


def build_played_book(
    game: Game,
    which: PlayedPositions,
    folder: Path | None = None,
    *,
    spec: str = "",
    using: Resources = ALONE,
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> Path:
    """Make the book of positions of games, and return its folder. By default this is the user's
    folder for the game.

    Each position is searched as `solve` does with one thread and an empty table of
    `using.megabytes`, so the book is the same every time. A position that is not solved within
    `which.nodes` is in the book only if the positions after it prove its value; how many are left
    out is said, and the manifest keeps it. The start is in the book if it is solved.

    spec: the game as the user named it, for the manifest. say: called with a line for each stage.
    Ctrl-C raises KeyboardInterrupt; what is known stays in a file beside the folder, and the same
    call continues from there, as does one with more games or more nodes. Raises BookError for a
    game that cannot have books, and if there is nothing to put into it.
    """
    game_meant(game).freeze()
    check_game(game)
    folder = users_folder() / folder_name(game) if folder is None else folder
    positions = _positions(game, which)
    for state in positions.states:
        expect_room(game, state)
    count = len(which.games)
    say(
        f"{len(positions.states):,} positions up to symmetry in {count:,} games, by ply: "
        f"{' '.join(map(str, positions.counts()))}"
    )
    subject = {
        "game": identity(game),
        "megabytes": using.megabytes,
        "prunus": prunus.__version__,
    }
    journal = PlayedJournal(beside(folder, ".solving"), subject)
    try:
        making = _Making(positions, which, using, journal)
        making.search(say, watch)
        unsolved = making.write(folder, spec, count)
    except BaseException:
        journal.close()
        raise
    if unsolved:
        say(
            f"{unsolved:,} of {len(positions.states):,} positions were not solved within "
            f"{which.nodes:,} nodes and are not in the book; give more --nodes (the others stay "
            f"solved, in {journal.path})"
        )
        journal.close()
    else:
        journal.remove()
    forget_books()
    return folder


def _positions(game: Game, which: PlayedPositions) -> Positions:
    """The positions that came up often enough, each at the ply where it was reached first. Their
    order does not depend on that of the games."""
    found, times, plies = only_start(game), Counter[object](), dict[object, int]()
    for actions in which.games:
        passed = _passed(game, actions if which.plies is None else actions[: which.plies])
        times.update(passed.keys())
        for state, ply in passed.items():
            plies[state] = min(ply, plies.get(state, ply))
    start, layout = found.states[0], StateLayout(game.initial())
    often = [each for each in plies if times[each] >= which.at_least and each != start]
    if (not often and which.plies != 0) or times[start] < which.at_least:
        raise BookError(
            f"no position after the start came up in {which.at_least:,} of the "
            f"{len(which.games):,} games; give more games, or a smaller --at-least"
        )
    often.sort(key=lambda state: (plies[state], packed(layout, state)))
    found.states += often
    found.known = {state: number for number, state in enumerate(found.states)}
    found.plies = plies[often[-1]] if often else 0
    found.first += [
        1 + bisect_left(often, ply, key=plies.__getitem__) for ply in range(1, found.plies + 1)
    ]
    return found


def _passed(game: Game, actions: Sequence[int]) -> dict[object, int]:
    """The positions that a game passes through, as canonical States, and their plies. Raises
    BookError if one comes again."""
    state = game.initial()
    passed = {game.canonical(state): 0}
    for ply, action in enumerate(actions, 1):
        state = game.result(state, action)
        if game.is_terminal(state):
            break
        canonical = game.canonical(state)
        if canonical in passed:
            raise BookError(
                f"{game.title()} has cycles ({game.format(state)} comes again in a game): there "
                f"are no books of it"
            )
        passed[canonical] = ply
    return passed


class _Making:
    """The positions of the book that is being made, and what is known of each."""

    def __init__(
        self, positions: Positions, which: PlayedPositions, using: Resources, journal: PlayedJournal
    ) -> None:
        self.positions, self.which, self.using, self.journal = positions, which, using, journal
        layout = StateLayout(positions.states[0])
        self.names = [packed(layout, state).hex() for state in positions.states]

    def search(
        self, say: Callable[[str], None], watch: Callable[[BookProgress], None] | None
    ) -> None:
        """Search what is not known yet."""
        total = len(self.positions.states)
        rest = [number for number in range(total) if self._known(number) is None]
        if len(rest) < total:
            say(f"{total - len(rest):,} of them were searched earlier")
        # The most costly positions are the first ones. Mixed with the others, they let the time
        # that is left be told rightly.
        random.Random(0).shuffle(rest)  # noqa: S311 - an order, not a secret
        finish(Work(rest, self._measure, self.using.threads), total, say, watch)

    def _measure(self, number: int, stop: Stop) -> bool:
        game, state = self.positions.game, self.positions.states[number]
        found = searched(game, state, self.which.nodes, self.using, stop)
        if found is None:
            return False
        unsolved = Searched(self.which.nodes)
        self.journal.add(self.names[number], unsolved if found.value is None else found)
        return True

    def _known(self, number: int) -> Searched | None:
        """What a search of at most `which.nodes` nodes says of a position, without a value if it is
        not solved by then; None if that is not known."""
        found, most = self.journal.results.get(self.names[number]), self.which.nodes
        if found is None or found.nodes is None:
            return None
        if most is not None and found.nodes >= most and (found.value is None or found.nodes > most):
            return Searched(most)
        return None if found.value is None else found

    def write(self, folder: Path, spec: str, games: int) -> int:
        """Write the book, and return the number of positions that are left out because they are not
        solved. Raises BookError if searches contradict each other, and if none is solved."""
        positions, which = self.positions, self.which
        edges = [self._edges(number) for number in range(len(positions.states))]
        known = [found for n in range(len(edges)) if (found := self._known(n)) is not None]
        values = _backed_up([found.value for found in known], edges)
        unsolved = values.count(None)
        chosen = [
            (number, value, self._best(number, value, values, edges[number]))
            for number, value in enumerate(values)
            if value is not None
        ]
        chosen = [each for each in chosen if each[0] == 0 or self._is_costly(known[each[0]])]
        if not chosen:
            raise BookError(
                f"none of the {len(positions.states):,} positions is solved within {which.nodes:,} "
                f"nodes: no book is written; give more --nodes"
            )
        write_book(
            folder,
            _only(positions, [number for number, *_ in chosen]),
            [value for _, value, _ in chosen],
            [best for *_, best in chosen],
            {
                "game": spec or positions.game.title(),
                "how": which.option(),
                "seconds": round(self.journal.seconds, 1),
                "threads": self.using.threads,
                "megabytes": self.using.megabytes,
                "games": self._said(games, unsolved),
            },
        )
        return unsolved

    def _said(self, games: int, unsolved: int) -> FromGames:
        """What the manifest says of the games."""
        return {
            "games": games,
            "plies": self.which.plies,
            "at_least": self.which.at_least,
            "positions": len(self.positions.states),
            "cost": self.which.cost,
            "nodes": self.which.nodes,
            "unsolved": unsolved,
        }

    def _is_costly(self, found: Searched) -> bool:
        cost = self.which.cost
        return cost is None or found.value is None or (found.nodes or 0) > cost

    def _edges(self, number: int) -> list[Edge]:
        """The actions of a position."""
        game, state, edges = self.positions.game, self.positions.states[number], []
        for action in map(int, game.actions(state)):
            child = game.result(state, action)
            sign = 1 if game.keeps_turn(state, child) else -1
            if game.is_terminal(child):
                edges.append(Edge(action, sign, -1, int(game.utility(child))))
            else:
                target = self.positions.known.get(game.canonical(child), ELSEWHERE)
                edges.append(Edge(action, sign, target, 0))
        return edges

    def _best(
        self, number: int, value: int, values: Sequence[int | None], edges: Sequence[Edge]
    ) -> tuple[int, ...]:
        """The best actions of a position that are known: that of its search, and all whose values
        are. Raises BookError if what is known of them contradicts the value."""
        worths = [_worth(edge, values) for edge in edges]
        most = max((worth for worth in worths if worth is not None), default=value)
        if most > value or (None not in worths and most < value):
            state = self.positions.game.format(self.positions.states[number])
            raise BookError(
                f"{state}: a search found {value}, its positions one ply later say {most}; no book "
                f"is written"
            )
        found = self._known(number)
        action = None if found is None else found.action
        return tuple(
            edge.action
            for edge, worth in zip(edges, worths, strict=True)
            if worth == value or edge.action == action
        )


def _backed_up(values: list[int | None], edges: Sequence[Sequence[Edge]]) -> list[int | None]:
    """The values, and those that follow from the values of all positions one ply later."""
    values, is_new = values.copy(), True
    while is_new:
        is_new = False
        for number in reversed(range(len(values))):
            if values[number] is None:
                worths = [_worth(edge, values) for edge in edges[number]]
                proved = [worth for worth in worths if worth is not None]
                if worths and len(proved) == len(worths):
                    values[number], is_new = max(proved), True
    return values


def _worth(edge: Edge, values: Sequence[int | None]) -> int | None:
    """What an action is worth; None if that is not known."""
    if edge.target == ELSEWHERE:
        return None
    value = edge.value if edge.target < 0 else values[edge.target]
    return None if value is None else edge.sign * value


def _only(positions: Positions, numbers: Sequence[int]) -> Positions:
    """The positions of these ascending numbers, up to the last ply that has one."""
    found = positions.only(numbers)
    found.plies = max(ply for ply, first in enumerate(positions.first) if first <= numbers[-1])
    found.first, found.terminal = found.first[: found.plies + 1], []
    return found
