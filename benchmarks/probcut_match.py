"""ProbCut with half the time against full width: `python -m benchmarks.probcut_match [--games N]
[--nodes N | --milliseconds M]`.

Othello with the evaluation of the catalogue's game, random openings of 8 plies, each played with
both sides. Four matches against the engine without selective options: ProbCut (one shallow depth
for each deep one) and Multi-ProbCut (several), each with half the time and, as a control, with the
same time. Published is that Logistello with ProbCut won 64 % against itself without, "with half the
time" (after Buro 1995, as textbooks quote it); Multi-ProbCut came later (Buro 1999), and no such
figure was published for it. There, ProbCut cut searches of 8 plies by searches of 4, and 12-ply
statistics were checked; here every depth from 3 plies on is cut. The deeper the searches, the more
of them a cut saves: with the 20,000 nodes of a very fast move the score is lower than with 100,000.

Half the time means half the nodes; the milliseconds that the searches took are shown beside them.
So a busy machine changes no result, and a run can be repeated exactly. With `--milliseconds` both
sides get time instead, counted for the search alone, because setting one up costs some
milliseconds, a large part of a fast move. The parameters are fitted anew to the evaluation (and
kept in benchmarks/build).
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
from pathlib import Path
from typing import Any

from benchmarks.common import BUILD, Progress, say, slug, table
from prunus.engine.fits import Fit, entries, read_fits, write_fits
from prunus.games import Othello
from prunus.learn.fitting import fit_probcut
from prunus.play.match import Match, Result
from prunus.play.players import PlayerLimits, SearchPlayer

PUBLISHED = 0.64
"""The score per game of ProbCut with half the time (Buro 1995)."""


def fits(game: Any, pairs: int, deepest: int, samples: int) -> list[Fit]:
    """The parameters of ProbCut for this game, fitted once for each source text and each set of
    weights."""
    source = inspect.getsource(inspect.getmodule(type(game)))
    weights = game.table.array.tobytes() if game.patterns else b""
    digest = hashlib.sha256(f"{source}{samples}".encode() + weights).hexdigest()[:12]
    BUILD.mkdir(exist_ok=True)
    path: Path = BUILD / f"probcut-{digest}-{deepest}-{pairs}.json"
    if not path.exists():
        progress = Progress(f"fit, {pairs} shallow", deepest * samples)
        found = fit_probcut(
            game, deepest, samples, 0, pairs, watch=lambda done, total: progress.at(done)
        )
        write_fits(path, {"game": "othello"}, found, 0)
    return read_fits(path)


def player(limits: PlayerLimits, found: list[Fit], threshold: int, name: str) -> SearchPlayer:
    """The engine, with ProbCut if there are parameters for it."""
    options = {"probcut": threshold, "fit": entries(found)} if found else None
    return SearchPlayer("engine", limits, options, whole_moves=False, name=name)


def played(
    title: str, first: SearchPlayer, second: SearchPlayer, games: int, options: argparse.Namespace
) -> Result:
    """One match, with progress."""
    game = Othello()
    specs = (f"{first.name},{first.limits}", f"{second.name},{second.limits}")
    out = options.out / f"{slug(title)}.jsonl" if options.out else None
    match = Match(game, (first, second), games // 2, 8, options.seed, out, "othello", specs)
    progress = Progress(title, games)
    return match.play(lambda result: progress.at(len(result.records)))


def row(title: str, result: Result, published: str) -> tuple[str, ...]:
    score = result.score()
    assert score is not None
    s, u, times = score.score, score.utility, [result.usage(player) for player in (0, 1)]
    spent = [f"{1000 * time['searching_a_move']:.1f}" for time in times]
    return (
        title,
        f"{score.games}: +{score.wins} ={score.draws} -{score.losses}",
        f"{100 * s.mean:.1f} % +- {100 * s.error:.1f}",
        f"{100 * s.low:.1f} to {100 * s.high:.1f} %",
        published,
        f"{u.mean:+.1f} +- {u.error:.1f}" if u else "",
        f"{spent[0]} : {spent[1]}",
        f"{times[0]['depth']:.1f} : {times[1]['depth']:.1f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument(
        "--controls", type=int, default=40, help="games of each match with the same time"
    )
    parser.add_argument(
        "--nodes", type=int, default=100_000, help="nodes a move of the full-width side"
    )
    parser.add_argument(
        "--milliseconds", type=float, help="time a move of the full-width side, instead of nodes"
    )
    parser.add_argument(
        "--threshold",
        type=int,
        default=10,
        help="the confidence of cuts, in tenths of a standard deviation",
    )
    parser.add_argument("--deepest", type=int, default=10, help="the deepest search that is cut")
    parser.add_argument("--samples", type=int, default=600, help="positions for the fit")
    parser.add_argument(
        "--shallow", type=int, default=2, help="shallow depths for each deep one of Multi-ProbCut"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out",
        type=Path,
        help="a folder: record the games there, and go on with records that are there",
    )
    parser.add_argument("--quick", action="store_true", help="20 games a match")
    options = parser.parse_args()
    options.games = 20 if options.quick else options.games + options.games % 2
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
    game = Othello()
    kinds = {"ProbCut": fits(game, 1, options.deepest, options.samples)}
    kinds["Multi-ProbCut"] = fits(game, options.shallow, options.deepest, options.samples)
    rows = [
        (
            "first against full width",
            "games",
            "score +- standard error",
            "95 %",
            "published",
            "discs a game",
            "ms a search",
            "mean depth",
        )
    ]
    for share, words in ((0.5, "half"), (1.0, "the same")):
        for kind, found in kinds.items():
            what = "time" if options.milliseconds else "nodes"
            title = f"{kind}, {words} {what}"
            games = options.games if share < 1 else min(options.games, options.controls)
            ours, theirs = (_limits(options, part) for part in (share, 1.0))
            result = played(
                title,
                player(ours, found, options.threshold, kind),
                player(theirs, [], 0, "full width"),
                games,
                options,
            )
            published = f"{100 * PUBLISHED:.0f} %" if (kind, share) == ("ProbCut", 0.5) else "-"
            rows.append(row(title, result, published))
            say(f"  {' | '.join(rows[-1])}")
    print(table(rows))


def _limits(options: argparse.Namespace, share: float) -> PlayerLimits:
    if options.milliseconds:
        return PlayerLimits(seconds=share * options.milliseconds / 1000)
    return PlayerLimits(nodes=round(share * options.nodes))


if __name__ == "__main__":
    main()
