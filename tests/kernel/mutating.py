"""Idioms changed at random, compared between Python and compiled code: `python -m
tests.kernel.mutating SECONDS SEED`. `mutants.py` says what changes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from collections import Counter
from functools import partial
from pathlib import Path

from tests.kernel.apart import Ended, apart
from tests.kernel.battery import STOPS, Idiom, Outcome, load, outcome, positions
from tests.kernel.crossing import makes_text, technical
from tests.kernel.mutants import mutant
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


def tried(seed: int, folder: Path, seconds: float) -> Outcome:
    """The outcome of a mutant; "nothing" if there is none, or none that runs; "broken" if it does
    not end, or crashes."""
    idiom = mutant(seed)
    if idiom is None:
        return Outcome("nothing", "", "")
    try:
        found: Outcome = apart(lambda: _examined(idiom, folder), seconds)
    except Ended as error:
        return Outcome("broken", str(error), "")
    return found


def _examined(idiom: Idiom, folder: Path) -> Outcome:
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


def compared(folder: Path, limit: float, seed: int) -> tuple[Counter[str], list[str]]:
    """The kind of a mutant's outcome, counted, and what is to be told of it."""
    found = tried(seed, folder, limit)
    told = []
    if found.kind == "refused":
        told.append(f"refused: {seed}: {found.message}")
        if technical(found.message):
            told.append(f"technical: {found.message}")
    elif found.kind in ("differs", "broken"):
        told.append(f"{found.kind}: {found.message}")
    return Counter([found.kind]), told


def main(seconds: float, seed: int, limit: float) -> None:
    """Try mutants for some seconds; print those that differ, technical refusals, the counts."""
    with tempfile.TemporaryDirectory() as folder:
        # What every program compiles is then at hand in all processes.
        outcome(Idiom("first", "return x\n", "", "", "", "", False), Path(folder))
        report(partial(compared, Path(folder), limit), seconds, seed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.kernel.mutating")
    parser.add_argument("seconds", type=float, help="how long to go on; 0 prints the mutant")
    parser.add_argument("seed", type=int, help="the first seed; each mutant takes the next one")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one mutant")
    given = parser.parse_args()
    sys.set_int_max_str_digits(0)  # results that are shown may be huge
    if given.seconds:
        main(given.seconds, given.seed, given.limit)
    else:
        shown = mutant(given.seed)
        print(f"{shown.module}\n{shown.cls}\n{shown.body}" if shown else "no program")
