"""Idioms changed at random, compared between Python and compiled code: `python -m
tests.kernel.mutating SECONDS SEED`. `mutants.py` says what changes."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections import Counter
from functools import partial
from pathlib import Path

from tests.kernel.apart import Ended, apart
from tests.kernel.battery import Idiom, Outcome, load, outcome
from tests.kernel.crossing import makes_text, technical
from tests.kernel.mutants import mutant
from tests.kernel.programs import Endless, examined, in_time

HOPELESS = ("NameError", "UnboundLocalError", "TypeError", "AttributeError")
"""What a change makes of most programs that do not run; the first States say so."""


def runs(idiom: Idiom, folder: Path) -> bool:
    """Whether Python gets a result for any State, or fails in an interesting way."""
    game = load(idiom, folder).G()
    game.freeze()
    state = game.initial()
    for i in range(6):
        try:
            int(game.utility(state))
        except Exception as error:
            if type(error).__name__ not in HOPELESS:
                return True
        else:
            return True
        state = game.result(state, 1 + i * 7 % 3)
    return False


def tried(seed: int, folder: Path, seconds: float) -> Outcome:
    """The outcome of a mutant; "nothing" if there is none, or none that runs."""
    idiom = mutant(seed)
    if idiom is None:
        return Outcome("nothing", "", "")
    try:
        found: Outcome = apart(lambda: _examined(idiom, folder), seconds)
    except Ended as error:
        return Outcome("broken", str(error), "")
    if found.kind == "differs" and makes_text(idiom.body) and _only_texts(found):
        return found._replace(kind="stops")
    return found


def _only_texts(found: Outcome) -> bool:
    """Whether compiled code raised ValueError, as for a text that it cannot make."""
    words = found.message.partition("compiled ")[2].strip("[]").split(", ")
    return set(words) == {"'ValueError'"}


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
        return examined(idiom, folder)


def main(seconds: float, seed: int, limit: float) -> None:
    """Try mutants for some seconds; print those that differ, technical refusals, the counts."""
    counts: Counter[str] = Counter()
    refusals: dict[str, list[int]] = {}
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        outcome(Idiom("first", "return x\n", "", "", "", "", False), Path(folder))
        while time.monotonic() < end:
            found = tried(seed, Path(folder), limit)
            counts[found.kind] += 1
            if found.kind == "refused":
                refusals.setdefault(found.message[:100], []).append(seed)
                if technical(found.message):
                    print(f"technical {seed}: {found.message}", flush=True)
            if found.kind in ("differs", "broken"):
                print(f"{found.kind} {seed}: {found.message}", flush=True)
            seed += 1
    print(", ".join(f"{kind} {number}" for kind, number in counts.most_common()))
    print(f"next seed {seed}")
    for words, seeds in sorted(refusals.items(), key=lambda item: -len(item[1]))[:40]:
        print(f"  refused {len(seeds)}, first {seeds[0]}: {words}")


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
