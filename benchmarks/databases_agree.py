"""Databases against searches that know nothing of them: `python -m benchmarks.databases_agree
[--positions N] [--seed N] [GAME ...]`.

Builds a database of each game in a temporary folder, draws so many of its positions at random (all,
if there are no more), and searches each with alpha-beta. Where no position can occur twice in a
game, the search goes to the end and must find the database's value. Elsewhere a win or loss in `p`
plies must be proved by a search of `p` plies and by none of `p - 1`, as far as `p` is at most
`--plies` (by default what the table below says: plain alpha-beta takes some ten times longer for
each two plies); and what lasts longer, or is a draw, must not be proved a win or loss by a search
of `--plies`. In games for scores that may go round for ever, whatever a search of `--plies` proves
must be the database's score. That says nothing of the values beyond. So there each value of the
whole database is also computed again from those of the positions after it, as `prunus db verify`
does. Together with the ends of the game that proves wins, losses and draws, by the same rules and
no search.

Prints, for each game, how many positions were compared in which way. Ends with status 1 at the
first difference, and says the position.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import prunus
from benchmarks.common import Mismatch
from prunus.core.game import Game
from prunus.databases.building import Asked, Work, build_database
from prunus.databases.folder import Database
from prunus.databases.labels import Value
from prunus.databases.verifying import verify_database
from prunus.games import make_game

TO_THE_END: Final = (
    "connect-four:width=5,height=4",
    "tic-tac-toe",
    "mnk:m=4,n=3,k=3",
    "hexapawn:width=4,height=4",
    "breakthrough:width=4,height=4",
    "kalah:holes=3,counters=2",
    "domineering:rows=4,columns=4",
    "hex:size=3",
    "dots:width=2,height=2",
)
"""Games in which no position can occur twice, on boards of any size."""

FAMILIES: Final = {name.partition(":")[0] for name in TO_THE_END}

BY_PLIES: Final = {
    "three-mens-morris": 7,
    "nine-mens-morris:stones=3,rings=2": 5,
    "fox-and-geese:size=6": 7,
    "fox-and-geese": 7,
    "chess-ending:men=KQKR": 4,
    "chess-ending:men=KPK+KRK": 5,
    "awari:stones=10": 9,
}
"""Games that may go round for ever, with the longest wins and losses that searches must find."""


PLIES: Final = 5
"""The same in other games that are named."""


def compared_to_the_end(game: Game, state: Any, value: Value, amount: int | None) -> str:
    """Search a position to the end of the game; the kind of the comparison."""
    wanted = value.value if amount is None else value.value * amount
    found = prunus.solve(game, state, book=False, table=16)
    if found.value != wanted or not found.proved:
        raise Mismatch(f"{game.format(state)}: {wanted} in the database, the search finds {found}")
    return "to the end"


def compared_by_plies(game: Game, state: Any, value: Value, plies: int) -> str:
    """Search a position as far as its distance says, and a ply less; the kind of the comparison."""
    decided = value.value != 0 and value.plies is not None and value.plies <= plies
    shorter = (value.plies or 0) - 1 if decided else plies
    if shorter > 0 and _proved(game, state, shorter):
        raise Mismatch(f"{game.format(state)}: {value} in the database, proved by {shorter} plies")
    if not decided:
        return f"not decided in {plies} plies"
    if _proved(game, state, value.plies or 0) != value.value:
        raise Mismatch(f"{game.format(state)}: {value} in the database, not proved")
    return f"decided in up to {plies} plies"


def compared_scores(game: Game, state: Any, value: Value, plies: int) -> str:
    """Search a position of a game for scores so many plies deep; the kind of the comparison."""
    found = prunus.analyze(game, state, "alphabeta", plies, book=False)
    if not found.proved:
        return f"not decided in {plies} plies"
    if found.value != value.value:
        raise Mismatch(f"{game.format(state)}: {value} in the database, the search proves {found}")
    return f"decided in up to {plies} plies"


def _proved(game: Game, state: Any, plies: int) -> int:
    """1 or -1 if a search of so many plies proves a win or a loss, otherwise 0."""
    if plies == 0:
        return 0
    found = prunus.analyze(game, state, "alphabeta", plies, book=False)
    if not found.proved or not found.value:
        return 0
    return 1 if found.value > 0 else -1


def compare(name: str, options: argparse.Namespace) -> None:
    """Compare one game's database."""
    game, began = make_game(name), time.perf_counter()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "database"
        build_database(game, None, folder, Asked(name, "", ""), Work(threads=2))
        database: Database[Any] = Database(folder, game)
        plies = options.plies or BY_PLIES.get(name, PLIES)
        ends = name.partition(":")[0] in FAMILIES
        if not ends and (wrong := verify_database(database, threads=2)):
            raise Mismatch(wrong[0])
        amount = None if database.scored else database.manifest["amount"]
        kinds: Counter[str] = Counter()
        count = len(database)
        drawn = (rng.randrange(count) for _ in range(options.positions))
        for at in range(count) if count <= options.positions else drawn:
            state = database.positions.state(at)
            value = database.probe(state)
            assert value is not None
            if game.is_terminal(state):
                kinds["over"] += 1
            elif ends:
                kinds[compared_to_the_end(game, state, value, amount)] += 1
            elif database.scored:
                kinds[compared_scores(game, state, value, plies)] += 1
            else:
                kinds[compared_by_plies(game, state, value, plies)] += 1
        seconds = time.perf_counter() - began
        told = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
        print(f"{name}: {count:,} positions; {told}; {seconds:.0f} s", flush=True)


def main() -> int:
    """Compare what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[*TO_THE_END, *BY_PLIES], metavar="GAME")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=0, help="0: those of the game")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.games:
        try:
            compare(name, options)
        except Mismatch as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
