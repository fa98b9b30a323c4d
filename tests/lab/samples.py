"""Experiments that need no compiler: means of uniform numbers and sums of dice, some of them slow,
fatal or wrong."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from prunus.theory.lab.experiment import Experiment, Figure, Moments, once
from prunus.theory.lab.plan import make_plan
from prunus.theory.lab.session import perform
from prunus.theory.lab.workers import Processes, Serial


def points(quick):
    rows = [{"d": d, "kind": kind} for d in (2, 3, 6) for kind in ("dice", "uniform")]
    return rows[:2] if quick else rows


def measure(point, seed, count):
    draw = random.Random(seed)
    if point["kind"] == "dice":
        xs = [draw.randint(1, point["d"]) for _ in range(count)]
    else:
        xs = [draw.random() * point["d"] for _ in range(count)]
    return {"x": Moments(count, sum(xs), sum(x * x for x in xs))}


def theory(point):
    return {
        "x": (point["d"] + 1) / 2 if point["kind"] == "dice" else point["d"] / 2,
        "x_low": 0,
        "x_high": point["d"],
    }


def slow(point, seed, count):
    time.sleep(0.04)
    return measure(point, seed, count)


def exact(point, seed, count):
    assert count == 1
    return {"power": once(point["d"] ** 40), "half": once(point["d"] / 2)}


def failing(point, seed, count):
    if point["d"] == 3:
        raise RuntimeError("a bad day")
    return measure(point, seed, count)


def deadly(point, seed, count):
    os.kill(os.getpid(), signal.SIGKILL)


def warm():
    with Path(os.environ["PRUNUS_TEST_WARM"]).open("a") as file:
        file.write(f"{os.getpid()}\n")


def experiment(name="dice", run=measure, samples=1000, block=100, **more):
    given = {
        "title": "Dice and uniform numbers",
        "says": "Means.",
        "errs": "Nowhere.",
        "source": "any",
        "points": points,
        "samples": lambda point, quick: samples // 10 if quick else samples,
        "theory": theory,
        "figure": Figure("d", ("x",), ("kind",)),
    }
    return Experiment(name=name, measure=run, block=block, **(given | more))


SLOW = experiment("slow", slow)


if __name__ == "__main__":
    workers = Serial() if sys.argv[2] == "1" else Processes(int(sys.argv[2]))
    try:
        perform([make_plan(SLOW)], workers, Path(sys.argv[1]))
    finally:
        workers.stop()
