"""Making an opening book: enumerate, solve the last ply, back values up, write the files."""

from __future__ import annotations

import json
import random
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import numpy as np

from prunus.books.journal import SolvedJournal
from prunus.books.positions import Positions, back_up, enumerate_positions
from prunus.core.game import Game, game_meant
from prunus.core.state import StateLayout
from prunus.run.driver import solve
from prunus.run.limits import Stop, is_integer
from prunus.tables.book import (
    FORMAT,
    BookError,
    Manifest,
    StoredFile,
    folder_name,
    forget_books,
    identity,
    packed,
    users_folder,
)
from prunus.tables.stored import MANIFEST, checksum, provenance, seal_of
from prunus.tables.transposition import TranspositionTable, has_exact_key

MEGABYTES = 512.0
"""The default size of the table that the searches of a book share."""

MOST_ACTIONS = 64
"""The most actions of a position in a book: the best ones are stored as bits."""


class Origin(TypedDict):
    """How a book was made."""

    game: str
    seconds: float
    threads: int
    megabytes: float


@dataclass(frozen=True)
class BookProgress:
    """The progress of making a book: positions solved before this run and in it, positions to solve
    in all, and the seconds of this run."""

    before: int
    done: int
    total: int
    seconds: float

    @property
    def left(self) -> float | None:
        """The seconds left at the speed of this run; None before anything is known."""
        return (
            self.seconds / self.done * (self.total - self.before - self.done) if self.done else None
        )


@dataclass(frozen=True)
class Resources:
    """The means of the searches for a book: the number of positions solved at once, the megabytes
    of the table that they share, and whether they are compiled (None: if possible)."""

    threads: int = 1
    megabytes: float = MEGABYTES
    compile: bool | None = None


@dataclass
class Work:
    """Positions that several threads solve with one table; `solved` is called with (number, value,
    best action)."""

    positions: Positions
    numbers: Sequence[int]
    solved: Callable[[int, int, int], None]
    using: Resources = Resources()
    watch: Callable[[int, float], None] | None = None
    stop: Stop = field(default_factory=Stop)
    errors: list[BaseException] = field(default_factory=list)
    done: int = 0

    def run(self) -> bool:
        """Solve all positions; whether Ctrl-C has left some unsolved. One thread solves each
        position; the threads help each other through the table."""
        game, states = self.positions.game, self.positions.states
        table = TranspositionTable(self.using.megabytes, game, states[0])
        rest, lock, began = iter(self.numbers), threading.Lock(), time.perf_counter()

        def work() -> None:
            try:
                while not self.stop.requested:
                    with lock:
                        number = next(rest, None)
                    if number is None:
                        return
                    self._one(number, table)
            except BaseException as error:  # raised again in the caller's thread
                self.errors.append(error)
                self.stop.now()

        helpers = [threading.Thread(target=work, daemon=True) for _ in range(self.using.threads)]
        for helper in helpers:
            helper.start()
        interrupted = self._wait(helpers, began)
        if self.errors:
            raise self.errors[0]
        return interrupted

    def _one(self, number: int, table: TranspositionTable) -> None:
        game, state = self.positions.game, self.positions.states[number]
        found = solve(
            game,
            state,
            algorithm="engine",
            table=table,
            compile=self.using.compile,
            stop=self.stop,
            book=False,
        )
        if found.interrupted:
            return
        if not found.proved or found.value is None or found.best is None:
            raise BookError(f"{game.format(state)}: the search proved no value")
        self.solved(number, found.value, found.best)
        self.done += 1

    def _wait(self, helpers: list[threading.Thread], began: float) -> bool:
        interrupted = False
        while any(helper.is_alive() for helper in helpers):
            try:
                for helper in helpers:
                    helper.join(0.1)
                if self.watch is not None:
                    self.watch(self.done, time.perf_counter() - began)
            except KeyboardInterrupt:
                interrupted = True
                self.stop.now()
        return interrupted


def build_book(
    game: Game,
    plies: int,
    folder: Path | None = None,
    *,
    spec: str = "",
    using: Resources = Resources(),
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
    positions = _enumerated(game, plies, say)
    deepest = positions.deepest()
    journal = SolvedJournal(
        _beside(folder, ".solving"),
        {"game": identity(game), "plies": plies, "positions": positions.counts()},
    )
    try:
        work = Work(
            positions,
            [number for number in deepest if number not in journal.results],
            journal.add,
            using,
        )
        _finish(work, journal, len(deepest), say, watch)
        values: list[int | None] = [None] * deepest.start + [
            journal.results[number][0] for number in deepest
        ]
        best = back_up(positions, values) + [(journal.results[number][1],) for number in deepest]
        extra: Origin = {
            "game": spec or game.title(),
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


def _finish(
    work: Work,
    journal: SolvedJournal,
    total: int,
    say: Callable[[str], None],
    watch: Callable[[BookProgress], None] | None,
) -> None:
    """Solve the positions missing from the journal. Raises KeyboardInterrupt after Ctrl-C."""
    before = len(journal.results)
    say(
        f"{total:,} positions to solve at ply {work.positions.plies}"
        + (f", {before:,} of them solved earlier" if before else "")
    )
    if watch is not None:
        show = watch
        work.watch = lambda done, seconds: show(BookProgress(before, done, total, seconds))
    if work.run():
        say(
            f"stopped: {len(journal.results):,} of {total:,} positions are solved and kept; the "
            f"same command continues from here"
        )
        raise KeyboardInterrupt


def _enumerated(game: Game, plies: int, say: Callable[[str], None]) -> Positions:
    if game.players != 2 or game.repetition_rule != 0:
        raise BookError(
            f"{game.title()} has no books: they are for two players and values that do not depend "
            f"on the way to a position"
        )
    if not is_integer(plies) or plies < 0:
        raise BookError(f"a book to ply {plies!r}: it must be an integer, 0 or more")
    identity(game)
    last = time.perf_counter()

    def watch(ply: int, count: int) -> None:
        nonlocal last
        if time.perf_counter() - last > 2:
            last = time.perf_counter()
            say(f"  ply {ply}: {count:,} positions so far")

    say(f"enumerating the positions of {game.title()} up to ply {plies}")
    positions = enumerate_positions(game, plies, watch)
    say(
        f"{len(positions.states):,} positions up to symmetry, by ply: "
        f"{' '.join(map(str, positions.counts()))}"
    )
    return positions


def _beside(folder: Path, ending: str) -> Path:
    return folder.with_name(folder.name + ending)


def estimate(
    game: Game,
    plies: int,
    samples: int,
    *,
    seed: int = 0,
    using: Resources = Resources(),
    say: Callable[[str], None] = lambda text: None,
    watch: Callable[[BookProgress], None] | None = None,
) -> tuple[int, int, float]:
    """An estimate of how long a book would take: the number of positions at its last ply, the
    number of random ones solved, and the seconds this took. Neighbouring positions share more work
    than random ones, so the estimate is rather too high. Ctrl-C ends it early."""
    game.freeze()
    positions = _enumerated(game, plies, say)
    deepest = positions.deepest()
    chosen = random.Random(seed).sample(deepest, min(samples, len(deepest)))  # noqa: S311 - a sample, not a secret
    clock = [0.0]

    def progress(done: int, seconds: float) -> None:
        clock[0] = seconds
        if watch is not None:
            watch(BookProgress(0, done, len(chosen), seconds))

    began = time.perf_counter()
    work = Work(positions, chosen, lambda number, value, action: None, using, progress)
    work.run()
    return len(deepest), work.done, time.perf_counter() - began


def write_book(
    folder: Path,
    positions: Positions,
    values: list[int],
    best: list[tuple[int, ...]],
    extra: Origin,
) -> None:
    """Write a complete book beside its place and then move it there, so that half a book is never
    found."""
    game, count = positions.game, len(positions.states)
    new = _beside(folder, ".new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    keys = np.fromiter((int(game.key(state)) for state in positions.states), np.uint64, count)
    order = np.argsort(keys, kind="stable")
    masks = [_mask(game, *pair) for pair in zip(positions.states, best, strict=True)]
    smallest, largest = min(values), -abs(max(values)) - 1
    signed = np.promote_types(np.min_scalar_type(smallest), np.min_scalar_type(largest))
    arrays = {
        "keys": keys,
        "values": np.array(values, signed),
        "best": np.array(masks, np.min_scalar_type(max(masks))),
    }
    if not has_exact_key(game, positions.states[0]):
        layout = StateLayout(positions.states[0])
        rows = b"".join(packed(layout, state) for state in positions.states)
        arrays["states"] = np.frombuffer(rows, np.uint8).reshape(count, layout.size)
    files: dict[str, StoredFile] = {}
    for name, array in arrays.items():
        path = new / f"{name}.npy"
        np.save(path, array[order])
        files[path.name] = {
            "bytes": path.stat().st_size,
            "sha256": checksum(path),
            "type": str(array.dtype),
        }
    manifest = _manifest(positions, files, extra)
    (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    old = _beside(folder, ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _mask(game: Game, state: object, actions: tuple[int, ...]) -> int:
    legal = sorted(map(int, game.actions(state)))
    if len(legal) > MOST_ACTIONS:
        raise BookError(
            f"{game.format(state)} has {len(legal)} actions; books have room for {MOST_ACTIONS}"
        )
    return sum(1 << legal.index(action) for action in actions)


def _manifest(positions: Positions, files: dict[str, StoredFile], extra: Origin) -> Manifest:
    spec, plies = extra["game"], positions.plies
    said: Manifest = {
        "format": FORMAT,
        "game": spec,
        "identity": identity(positions.game),
        "plies": plies,
        "positions": positions.counts(),
        "terminal_actions": positions.terminal,
        "command": f"prunus book build {spec} --plies {plies} --threads {extra['threads']} --table "
        f"{extra['megabytes']:g}",
        "seconds": extra["seconds"],
        "threads": extra["threads"],
        **provenance(),
        "files": files,
        "check": "",
    }
    return {**said, "check": seal_of(said)}
