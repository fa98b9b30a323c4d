"""Making an opening book: enumerate, solve the last ply, back values up, write the files."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from prunus.books.journal import SolvedJournal
from prunus.books.positions import Positions, back_up, check_game, enumerate_positions
from prunus.books.work import USUAL, BookProgress, Resources, finish, solving
from prunus.books.writing import Origin, beside, write_book
from prunus.core.game import Game, game_meant
from prunus.run.limits import is_integer
from prunus.tables.book import folder_name, forget_books, users_folder
from prunus.tables.errors import BookError
from prunus.tables.identity import identity


def build_book(
    game: Game,
    plies: int,
    folder: Path | None = None,
    *,
    spec: str = "",
    using: Resources = USUAL,
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> Path:
    """Make the book of all positions up to `plies` plies, and return its folder. By default this is
    the user's folder for the game, where the commands find it by themselves.

    spec: the game as the user named it, for the manifest. say: called with a line for each stage.
    Ctrl-C raises KeyboardInterrupt; what is solved stays in a file beside the folder, and the same
    call continues from there. Raises BookError for a game that cannot have books.
    """
    game_meant(game).freeze()
    folder = users_folder() / folder_name(game) if folder is None else folder
    positions = enumerated(game, plies, say)
    deepest = positions.deepest()
    journal = SolvedJournal(
        beside(folder, ".solving"),
        {"game": identity(game), "plies": plies, "positions": positions.counts()},
    )
    try:
        work = solving(
            positions,
            [number for number in deepest if number not in journal.results],
            journal.add,
            using,
        )
        say(
            f"{len(deepest):,} positions to solve at ply {plies}"
            + (f", {len(journal.results):,} of them solved earlier" if journal.results else "")
        )
        finish(work, len(deepest), say, watch)
        values: list[int | None] = [None] * deepest.start + [
            journal.results[number][0] for number in deepest
        ]
        best = back_up(positions, values) + [(journal.results[number][1],) for number in deepest]
        extra: Origin = {
            "game": spec or game.title(),
            "how": f"--plies {plies}",
            "seconds": round(journal.seconds, 1),
            "threads": using.threads,
            "megabytes": using.megabytes,
        }
        write_book(folder, positions, [value for value in values if value is not None], best, extra)
    except BaseException:
        journal.close()
        raise
    journal.remove()
    forget_books()
    return folder


def enumerated(game: Game, plies: int, say: Callable[[str], None]) -> Positions:
    """All positions up to this ply, counted aloud. Raises BookError."""
    check_game(game)
    check_plies(plies)
    say(f"enumerating the positions of {game.title()} up to ply {plies}")
    positions = enumerate_positions(game, plies, telling(say))
    say(
        f"{len(positions.states):,} positions up to symmetry, by ply: "
        f"{' '.join(map(str, positions.counts()))}"
    )
    return positions


def check_plies(plies: int) -> None:
    """Raise BookError unless this is a number of plies."""
    if not is_integer(plies) or plies < 0:
        raise BookError(f"a book to ply {plies!r}: it must be an integer, 0 or more")


def telling(say: Callable[[str], None]) -> Callable[[int, int], None]:
    """A function that `enumerate_positions` may call: it says every two seconds how many positions
    there are so far."""
    last = time.perf_counter()

    def watch(ply: int, count: int) -> None:
        nonlocal last
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            say(f"  ply {ply}: {count:,} positions so far")

    return watch


def estimate(
    game: Game,
    plies: int,
    samples: int,
    *,
    seed: int = 0,
    using: Resources = USUAL,
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> tuple[int, int, float]:
    """An estimate of how long a book would take: the number of positions at its last ply, the
    number of random ones solved, and the seconds this took. Neighbouring positions share more work
    than random ones, so the estimate is rather too high. Ctrl-C ends it early."""
    game.freeze()
    positions = enumerated(game, plies, say)
    deepest = positions.deepest()
    chosen = random.Random(seed).sample(deepest, min(samples, len(deepest)))  # noqa: S311 - a sample, not a secret
    clock = [0.0]

    def progress(done: int, seconds: float) -> None:
        clock[0] = seconds
        if watch is not None:
            watch(BookProgress(0, done, len(chosen), seconds))

    began = time.perf_counter()
    work = solving(positions, chosen, lambda number, value, action: None, using, progress)
    work.run()
    return len(deepest), work.done, time.perf_counter() - began
