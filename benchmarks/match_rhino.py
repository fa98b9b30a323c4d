"""A match against GRhino at equal time: `python -m benchmarks.match_rhino [--games N] [--level L]
[--options WORDS]`.

`gtp-rhino` (Debian's package grhino) ignores clocks; its level decides how far it searches. So its
time is measured, and the engine's clock for each game is set so that both have used the same time
in all games together (`clock=equal`). Its book is switched off; openings are random. Level 3 takes
tens of milliseconds a move, level 4 about twenty times as much.
"""

from __future__ import annotations

import argparse
import os
import shutil
from pathlib import Path

from benchmarks.common import Progress
from prunus.cli import matching
from prunus.games import Othello
from prunus.play.match import Match
from prunus.play.program import GAMES
from prunus.play.specs import player_of


def program() -> str | None:
    """The path of gtp-rhino; None if it is not installed."""
    return shutil.which(
        "gtp-rhino", path=os.pathsep.join((os.environ.get("PATH", os.defpath), GAMES))
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--level", type=int, default=3, help="GRhino's level, 1 to 5")
    parser.add_argument("--options", default="", help="more options of gtp-rhino, as in '-m 8'")
    parser.add_argument(
        "--engine", default="engine", help="our player, without a limit, as in engine,threads=2"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, help="record the games here, and go on with a record that is there"
    )
    parser.add_argument("--quick", action="store_true", help="10 games")
    options = parser.parse_args()
    found = program()
    if found is None:
        print("not measured: gtp-rhino was not found (Debian: apt-get install grhino)")
        return
    games = 10 if options.quick else options.games + options.games % 2
    specs = (
        f"{options.engine},clock=equal",
        f"gtp:{found} -b 0 -l {options.level} {options.options}".strip(),
    )
    match = Match(
        Othello(),
        (player_of(specs[0]), player_of(specs[1])),
        games // 2,
        8,
        options.seed,
        options.out,
        "othello",
        specs,
    )
    progress = Progress("match", games)
    result = match.play(lambda so_far: progress.at(len(so_far.games())))
    score = result.score()
    print(f"{specs[0]} against {specs[1]}")
    if score is not None:
        found_score = matching.percent(score.score)
        print(f"{score.games} games: +{score.wins} ={score.draws} -{score.losses}, {found_score}")


if __name__ == "__main__":
    main()
