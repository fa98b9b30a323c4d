"""Building a database: positions, then values, then the folder, each kept as soon as it is there.

What takes long is kept while it goes on: the positions found so far, ply by ply, and the labels
after a wave of backward analysis. So a build that is killed, or stopped by Ctrl-C, goes on where it
was, and ends with the same files.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import prunus
from prunus.algorithms.enumerating import Found, Level
from prunus.core.arrays import View
from prunus.core.game import Game, S
from prunus.core.state import StateLayout, is_machine_state
from prunus.databases.backward import Solved, expect_values_of_positions, solve_positions
from prunus.databases.ends import Ends
from prunus.databases.folder import (
    FORMAT,
    RANKED_FORMAT,
    VALUES,
    Made,
    Manifest,
    Ranking,
    identity_of,
    read_manifest,
)
from prunus.databases.labels import Counts, count_labels
from prunus.databases.limit import Limited, MemoryLimitError
from prunus.databases.numbering import Positions, Watch, number_positions, representative
from prunus.databases.ranking import Marks, Ranked, rank_count_of, rank_positions
from prunus.databases.waves import Begun
from prunus.databases.workshop import AnyArray, Plan, StorageError, Workshop
from prunus.kernel.columns import StateView
from prunus.tables.positions import PositionSet
from prunus.tables.stored import provenance

OFTEN = 60.0
"""The seconds after which what has been done is kept."""


class Asked(NamedTuple):
    """What is asked for: the game and its start as texts, the command that goes on with the build,
    and whether only wins, draws and losses are wanted of a game that is played for scores."""

    game: str
    start: str
    command: str
    outcomes: bool = False


class Work(NamedTuple):
    """How the work is done: `often` is the number of seconds after which it is kept, `memory` the
    most bytes that the process may take (None: as many as there are)."""

    threads: int = 1
    compile: bool | None = None
    watch: Watch | None = None
    often: float = OFTEN
    memory: int | None = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a build; the message says what is kept."""


def build_database(
    game: Game[S], start: S | None, folder: Path, asked: Asked, work: Work
) -> Manifest:
    """Build a database, going on with what an earlier call left in `FOLDER.building`; return its
    manifest. Raises DatabaseError for games that cannot be solved, folders that exist, another
    builder at work, disks that are full, and too little memory; Interrupted at Ctrl-C, after the
    work was kept."""
    expect_values_of_positions(game, asked.outcomes)
    plan = plan_of(game, asked)
    with Workshop(folder, plan) as shop:
        if shop.is_finished():
            shop.publish()
            return read_manifest(folder)
        keeper = _Keeper(shop, work.often)
        if work.memory is not None:
            first = game.initial() if start is None else start
            size = StateLayout(first).size if is_machine_state(first) else 0
            limited = Limited(work.memory, size, PositionSet(game, first), work.watch)
            work = work._replace(watch=limited)
        try:
            every = not asked.start and game.every_rank
            positions = _positions(game, start, keeper, work, every)
            solved = _solved(positions, asked, keeper, work)
            _publish(solved, shop, asked, work.threads)
        except KeyboardInterrupt:
            keeper.keep()
            raise Interrupted(_said(shop)) from None
        except MemoryLimitError as error:
            keeper.keep()
            raise MemoryLimitError(str(error), _said(shop, " with more --memory")) from None
        except MemoryError:
            keeper.keep()
            raise
        except (StorageError, OSError):
            raise
        except Exception:  # of the rules: other rules cannot go on with what there is
            shop.abandon()
            raise
    return read_manifest(folder)


def plan_of(game: Game, asked: Asked) -> Plan:
    """What is built, as a record of its beginning says it."""
    return {
        "identity": identity_of(game),
        "start": asked.start,
        "outcomes": asked.outcomes,
        "prunus": prunus.__version__,
    }


def _said(shop: Workshop, how: str = "") -> str:
    """What is left of a build that has been interrupted, and how to go on."""
    if not shop.files:
        return "interrupted before anything could be kept"
    return f"interrupted: what is done is kept in {shop.place}, and the same command{how} goes on"


def write(solved: Solved, folder: Path, made: Made) -> None:
    """Write a database that was solved in memory. Raises DatabaseError if there is something of
    that name."""
    asked = Asked(made["game"], made["start"], made["command"], not solved.scored)
    plan = plan_of(solved.positions.game, asked)
    with Workshop(folder, plan) as shop:
        _keep_positions(solved.positions, shop)
        _publish(solved, shop, asked, made["threads"])


class _Keeper:
    """Keeps the work from time to time."""

    def __init__(self, shop: Workshop, often: float) -> None:
        self.shop, self.often = shop, often
        self.ends: dict[
            str, int
        ] = {}  # how many arrays of positions are kept up to each file's end
        self._pending: Callable[[], None] | None = None
        self._last = time.perf_counter()

    def found(self, levels: Level, last: int) -> None:
        """Keep the positions found so far, if it is time."""
        count = len(levels)

        def write() -> None:
            if len(levels) >= count:  # otherwise the positions are being sorted, and leave the list
                self._keep_found(levels[:count], last)

        self._offer(write)

    def marked(self, marks: Marks) -> None:
        """Keep the marks so far, if it is time."""
        self._offer(lambda: self._keep_newest("marked-", marks))

    def begun(self, begun: Begun) -> None:
        """Keep the labels given so far, if it is time."""
        self._offer(lambda: self._keep_newest("labels-", begun.labels, begun.told))

    def done(self) -> None:
        """Nothing is left to be kept: the stage is over."""
        self._pending, self._last = None, time.perf_counter()

    def keep(self) -> None:
        """Keep what was offered last."""
        if self._pending is not None:
            self._pending()
        self.done()

    def _offer(self, write: Callable[[], None]) -> None:
        self._pending = write
        if time.perf_counter() - self._last >= self.often:
            self.keep()

    def _keep_found(self, levels: Level, last: int) -> None:
        names = self.shop.names("found-")
        new = levels[self.ends[names[-1]] if names else 0 :]
        pieces = [_words(states, count) for states, count in new if isinstance(states, StateView)]
        if not pieces:  # the last ply of an earlier run
            return
        in_last = sum(count for _, count in levels[len(levels) - last :])
        name = f"found-{len(names):06}"
        self.ends[name] = len(levels)
        self.shop.save(name, pieces, note=in_last)

    def _keep_newest(self, beginning: str, array: AnyArray, note: int = 0) -> None:
        """Keep an array in place of the one kept before, under another name: at any moment one of
        them is whole."""
        before = self.shop.names(beginning)
        name = f"{beginning}{int(before[-1].split('-')[1]) + 1 if before else 0:06}"
        self.shop.save(name, [array], note=note)
        self.shop.forget(*before)


def _words(states: StateView, count: int) -> AnyArray:
    """The words of the first States of an array."""
    words: AnyArray = states.array[: count * states.layout.size // 8]
    return words


def _positions(
    game: Game[S], start: S | None, keeper: _Keeper, work: Work, every: bool
) -> Positions[S]:
    """The numbered positions: kept ones, or new ones, which are kept; with `every`, those of all
    ranks."""
    shop = keeper.shop
    first = representative(game, game.initial() if start is None else start)
    if rank_count_of(game):
        return _ranked(game, first, keeper, work, every)
    states, buckets = shop.load("states"), shop.load("buckets")
    if states is not None and buckets is not None:
        layout = StateLayout(first)
        view = StateView(8 * len(states) // layout.size, layout, states)
        return Positions(game, first, view, View(buckets))
    shop.forget("states", "buckets", "values", *shop.names("labels-"))
    positions = number_positions(
        game,
        start,
        threads=work.threads,
        compile=work.compile,
        watch=work.watch,
        found=_found(first, keeper),
        keep=keeper.found,
    )
    keeper.done()
    _keep_positions(positions, shop)
    return positions


def _ranked(game: Game[S], first: S, keeper: _Keeper, work: Work, every: bool) -> Positions[S]:
    """The same of a game that numbers its positions."""
    shop = keeper.shop
    marks, hints = shop.load("marks"), shop.load("hints")
    if marks is not None and hints is not None:
        count = shop.files["marks.npy"]["note"]
        return Ranked(game, first, rank_count_of(game), View(marks), View(hints), count)
    shop.forget("marks", "hints", "values", *shop.names("labels-"))
    kept = [words for name in shop.names("marked-") if (words := shop.load(name)) is not None]
    positions = rank_positions(
        game,
        None if every else first,
        threads=work.threads,
        compile=work.compile,
        watch=work.watch,
        found=np.array(kept[-1], np.uint64) if kept else None,
        keep=keeper.marked,
    )
    keeper.done()
    _keep_positions(positions, shop)
    return positions


def _keep_positions(positions: Positions, shop: Workshop) -> None:
    for name, array in positions.arrays().items():
        shop.save(name, [array], note=len(positions))
    shop.forget(*shop.names("found-"), *shop.names("marked-"))


def _found(first: object, keeper: _Keeper) -> Found | None:
    """The positions that earlier runs found, as far as their files are whole."""
    shop, found = keeper.shop, None
    names = shop.names("found-")
    known: Level = []
    for place, name in enumerate(names):
        words = shop.load(name)
        if words is None:
            shop.forget(*names[place:])
            break
        layout = StateLayout(first)
        size = layout.size // 8
        count, last = len(words) // size, shop.files[f"{name}.npy"]["note"]
        split = max(0, count - last)
        parts = [(words[: split * size], split), (words[split * size :], count - split)]
        views: Level = [(StateView(n, layout, part), n) for part, n in parts]
        found = Found([*known, views[0]], [views[1]])
        known += views
        keeper.ends[name] = len(known)
    return found


def _solved(positions: Positions[S], asked: Asked, keeper: _Keeper, work: Work) -> Solved:
    """All positions with their labels, which are kept."""
    shop = keeper.shop
    begun = None
    for name in reversed(shop.names("labels-")):
        words = shop.load(name)
        if words is not None:
            labels = np.array(words, np.uint16)
            begun = Begun(labels, shop.files[f"{name}.npy"]["note"])
            break
    solved = solve_positions(
        positions,
        outcomes=True if asked.outcomes else None,
        threads=work.threads,
        compile=work.compile,
        watch=work.watch,
        begun=begun,
        keep=keeper.begun,
    )
    keeper.done()
    return solved


def _ranking(positions: Positions) -> Ranking:
    """What a manifest says about the ranks of a game, if it has ranks."""
    if not isinstance(positions, Ranked):
        return {}
    return {"ranks": positions.ranks, "ranking": positions.fingerprint()}


def _publish(solved: Solved, shop: Workshop, asked: Asked, threads: int) -> None:
    """Write the values and the manifest, and give the folder its name."""
    shop.save(VALUES, [solved.labels.array])
    counts = count_labels(solved.labels.array, solved.scored)
    made = manifest_of(shop, solved.positions, asked, threads, solved.ends, solved.scored, counts)
    shop.finish(dict(made))


def manifest_of(
    shop: Workshop,
    positions: Positions,
    asked: Asked,
    threads: int,
    ends: Ends,
    scored: bool,
    counts: Counts,
) -> Manifest:
    """The manifest of a database whose files are kept."""
    return {
        "format": RANKED_FORMAT if isinstance(positions, Ranked) else FORMAT,
        "game": asked.game,
        "start": asked.start,
        "command": asked.command,
        "seconds": round(shop.seconds, 2),
        "threads": threads,
        "identity": shop.plan["identity"],
        "scored": scored,
        "amount": ends.most if ends.single else None,
        "positions": len(positions),
        "ends": ends.number,
        "won": counts.won,
        "drawn": counts.drawn,
        "lost": counts.lost,
        "longest": counts.longest,
        **_ranking(positions),
        **provenance(),
        "files": {
            path: {"bytes": said["bytes"], "sha256": said["sha256"]}
            for path in (f"{name}.npy" for name in (*positions.stored, VALUES))
            for said in [shop.files[path]]
        },
    }
