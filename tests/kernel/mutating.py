"""Rules changed at random, compared between Python and compiled code: `python -m
tests.kernel.mutating SECONDS SEED` for idioms, with `--games` for whole games. `mutants.py` says
what changes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.kernel.apart import Ended, apart
from tests.kernel.battery import STOPS, Idiom, Outcome, load, outcome, positions
from tests.kernel.changed_games import changed_game, examined_game
from tests.kernel.changed_idioms import changed_idiom
from tests.kernel.crossing import makes_text, technical
from tests.kernel.programs import Endless, examined, in_time
from tests.kernel.reports import report

HOPELESS = ("NameError", "UnboundLocalError", "TypeError", "AttributeError")
"""What a change makes of most programs that do not run; the first States say so."""


def runs(idiom: Idiom, folder: Path) -> bool:
    """Whether Python gets a result for any State, or fails in an interesting way."""
    game = load(idiom, folder).G()
    game.freeze()
    for state in positions(game)[:6]:
        try:
            int(game.utility(state))
        except Exception as error:
            if type(error).__name__ in HOPELESS:
                continue
        return True
    return False


def examined_idiom(seed: int, folder: Path) -> Outcome:
    """The outcome of a changed idiom; "nothing" if it is no program, or none that runs."""
    idiom = changed_idiom(seed)
    if idiom is None:
        return Outcome("nothing", "", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not in_time(partial(runs, idiom, folder)):
                return Outcome("nothing", "", "")
        except Exception:  # the module itself does not run
            return Outcome("nothing", "", "")
        except Endless:
            return Outcome("endless", "", "")
        stops = (*STOPS, "ValueError") if makes_text(idiom.body) else STOPS
        return examined(idiom, folder, stops)


Examiner = Callable[[int, Path], Outcome]


def tried(examine: Examiner, seed: int, folder: Path, seconds: float) -> Outcome:
    """The outcome of a mutant; "broken" if it does not end, or crashes."""
    try:
        found: Outcome = apart(lambda: examine(seed, folder), seconds)
    except Ended as error:
        return Outcome("broken", str(error), "")
    return found


def compared(
    examine: Examiner, folder: Path, limit: float, seed: int
) -> tuple[Counter[str], list[str]]:
    """The kind of a mutant's outcome, counted, and what is to be told of it."""
    found = tried(examine, seed, folder, limit)
    told = []
    if found.kind == "refused":
        told.append(f"refused: {seed}: {found.message}")
        if technical(found.message):
            told.append(f"technical: {found.message}")
    elif found.kind in ("differs", "broken"):
        told.append(f"{found.kind}: {found.message}")
    return Counter([found.kind]), told


def main(examine: Examiner, seconds: float, seed: int, limit: float) -> None:
    """Try mutants for some seconds; print those that differ, technical refusals, the counts."""
    with tempfile.TemporaryDirectory() as folder:
        # What every program compiles is then at hand in all processes.
        outcome(Idiom("first", "return x\n", "", "", "", "", False), Path(folder))
        report(partial(compared, examine, Path(folder), limit), seconds, seed)


def text(seed: int, is_game: bool) -> str:
    """The mutant of a seed."""
    if is_game:
        tree = changed_game(seed)
        return "no program" if tree is None else tree.text()
    idiom = changed_idiom(seed)
    return "no program" if idiom is None else f"{idiom.module}\n{idiom.cls}\n{idiom.body}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.mutating")
    parser.add_argument("seconds", type=float, help="how long to go on; 0 prints the mutant")
    parser.add_argument("seed", type=int, help="the first seed; each mutant takes the next one")
    parser.add_argument("--games", action="store_true", help="whole games, not idioms")
    parser.add_argument("--limit", type=float, default=90.0, help="seconds for one mutant")
    given = parser.parse_args()
    sys.set_int_max_str_digits(0)  # results that are shown may be huge
    if given.seconds:
        examine = examined_game if given.games else examined_idiom
        main(examine, given.seconds, given.seed, given.limit)
    else:
        print(text(given.seed, given.games))
