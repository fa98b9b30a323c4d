"""Builds that are killed, interrupted, out of room or damaged go on and end with the same bytes."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import time

import pytest

from prunus.core.errors import SearchError
from prunus.databases import limit, workshop
from prunus.databases.building import Asked, Interrupted, Work, build_database
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.games import ConnectFour
from prunus.tables import positions
from prunus.tables.stored import MANIFEST
from tests.amount import amount, thinned
from tests.commands import prunus as command
from tests.commands import started
from tests.databases import builder, naive
from tests.databases.test_backward import Dead
from tests.processes import forked

RANKED = {"found-": "marked-", "states": "marks", "buckets": "hints"}
"""The files of games that number their positions, in place of those of other games."""

PROGRAM = "import sys; from tests.databases.builder import main; main(*sys.argv[1:])"


def run_on():
    """Do not stop builders in this process."""
    builder.stopping(None, 0)


@pytest.fixture(autouse=True)
def nothing_is_stopped(monkeypatch):
    monkeypatch.setattr(workshop, "os", os)
    run_on()


@pytest.fixture(scope="module", params=["outcomes", "scores", "ranked"])
def whole(request, tmp_path_factory):
    """The name of a game, what its database contains, and the number of steps of its builder."""
    folder = tmp_path_factory.mktemp("whole") / "db"
    done = forked((request.param, folder, 0, 0), program=PROGRAM)
    return request.param, builder.contents(folder), int(done.stdout)


def killed(name, folder, step=0, seconds=0.0):
    """Start a builder that is killed; return whether it was."""
    done = forked((name, folder, step, seconds), program=PROGRAM)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def beginning(tmp_path):
    return tmp_path / "db.building"


def test_values_are_those_of_a_naive_solver(tmp_path):
    game = builder.GAMES["outcomes"]()
    killed("outcomes", tmp_path / "db", 40)
    builder.build("outcomes", tmp_path / "db")
    database = Database(tmp_path / "db", game)
    for state, value in naive.outcomes(game, game.initial()).items():
        assert database.probe(state) == value


def test_killed_at_every_step(whole, tmp_path):
    expect_the_same_when_killed(*whole, 13, tmp_path)


def test_killed_between_layers(tmp_path):
    done = forked(("layers", tmp_path / "whole", 0, 0), program=PROGRAM)
    wanted = builder.contents(tmp_path / "whole")
    expect_the_same_when_killed("layers", wanted, int(done.stdout), 8, tmp_path)


def expect_the_same_when_killed(name, wanted, steps, number, tmp_path):
    """At so many of its steps, or in long tests at all."""
    assert steps > 20
    for step in thinned(range(1, steps + 1), number):
        folder = tmp_path / str(step)
        assert killed(name, folder, step)
        # The last step only forces the name to the disk.
        assert folder.exists() == (step == steps)
        assert folder.exists() or not killed(name, folder)
        assert builder.contents(folder) == wanted, step
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".building")]


def test_killed_at_random_moments(tmp_path):
    draw = random.Random(9)
    began = time.perf_counter()
    assert not killed("morris", tmp_path / "whole")
    wanted, taken = builder.contents(tmp_path / "whole"), time.perf_counter() - began
    kills, round_ = 0, 0
    while kills < amount(12, 50):
        folder = tmp_path / f"db{round_}"
        while killed("morris", folder, seconds=draw.uniform(0.01, taken)):
            kills += 1
        assert builder.contents(folder) == wanted
        round_ += 1


def test_a_finished_build_that_lacks_its_name_only_is_renamed(whole, tmp_path):
    name, wanted, steps = whole
    killed(name, tmp_path / "db", steps - 1)  # the folder's own renaming, before forcing its parent
    said = []
    builder.build(name, tmp_path / "db", watch=lambda doing, number: said.append(doing))
    assert builder.contents(tmp_path / "db") == wanted and said == []


class Stop(BaseException):
    """Ends a build in this process."""


def stop():
    raise Stop


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A function for a folder that a builder has left with files of a kind."""
    made = {}

    def stopped_with(name, kind):
        for step in range(1, 200):
            if (name, kind) in made:
                break
            folder = tmp_path_factory.mktemp("stopped") / "db"
            builder.stopping(stop, step)
            with pytest.raises(Stop):
                builder.build(name, folder)
            run_on()
            left = folder.with_name("db.building")
            record = left / MANIFEST
            if record.exists() and (kind == MANIFEST or kind in record.read_text()):
                made[name, kind] = left
        return made[name, kind]

    return stopped_with


@pytest.mark.parametrize("damage", ["flip", "cut", "swap", "missing"])
@pytest.mark.parametrize("kind", ["found-", "states", "buckets", "labels-", MANIFEST])
def test_damage_is_found_and_the_stage_done_again(whole, stopped, tmp_path, damage, kind):
    name, wanted, _ = whole
    kind = RANKED.get(kind, kind) if name == "ranked" else kind
    shutil.copytree(stopped(name, kind), beginning(tmp_path))
    path = min(beginning(tmp_path).glob(f"{kind}*"))
    data = path.read_bytes()
    other = next(p for p in beginning(tmp_path).iterdir() if p.name != path.name)
    if damage == "flip":
        middle = len(data) - len(data) // 4
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    elif damage == "cut":
        path.write_bytes(data[:-3])
    elif damage == "swap":
        path.write_bytes(other.read_bytes())
    else:
        path.unlink()
    if damage == "missing" and kind == MANIFEST:
        builder.build(name, tmp_path / "db")
    else:
        with pytest.warns(UserWarning, match=path.name):
            builder.build(name, tmp_path / "db")
    assert builder.contents(tmp_path / "db") == wanted


def test_a_full_disk_is_named_and_nothing_is_lost(whole, tmp_path):
    name, wanted, steps = whole

    def full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for step in thinned(range(1, steps), 13):
        folder = tmp_path / f"db{step}"
        builder.stopping(full, step)
        with pytest.raises((DatabaseError, OSError), match="No space left on device"):
            builder.build(name, folder)
        run_on()
        assert not list(tmp_path.glob("*.building/*.part"))
        if not folder.exists():
            builder.build(name, folder)
        assert builder.contents(folder) == wanted


def test_ctrl_c_keeps_what_is_done(whole, tmp_path):
    name, wanted, _ = whole
    folder, said = tmp_path / "db", []

    def stop(doing, number):
        said.append(doing)
        if len(said) == place:
            raise KeyboardInterrupt

    for place in range(1, 30):
        said.clear()
        try:
            builder.build(name, folder, often=1000, watch=stop)
            break
        except Interrupted as error:
            assert ("before anything" if place == 1 else "goes on") in str(error)
    assert builder.contents(folder) == wanted
    assert not beginning(tmp_path).exists()


@pytest.mark.parametrize("kind", [MANIFEST, "buckets"])
def test_a_build_stops_before_it_needs_more_memory(whole, stopped, tmp_path, monkeypatch, kind):
    name, wanted, _ = whole
    kind = RANKED.get(kind, kind) if name == "ranked" else kind
    shutil.copytree(stopped(name, kind), beginning(tmp_path))
    monkeypatch.setattr(limit, "resident", lambda: 0)
    stages = set()
    for memory in range(50, 4000, 50):
        try:
            builder.build(name, tmp_path / "db", often=1000, memory=memory)
            break
        except limit.MemoryLimitError as error:
            stages.add(str(error).split(" needs")[0])
            assert "GB are allowed; interrupted: what is done is kept" in str(error)
    first = limit.RANKS if name == "ranked" else limit.SORTING
    assert stages >= ({first} if kind == MANIFEST else {limit.ENDS, limit.COUNTING})
    assert builder.contents(tmp_path / "db") == wanted


def test_layers_stop_before_they_need_more_memory(tmp_path, monkeypatch):
    builder.build("layers", tmp_path / "whole")
    monkeypatch.setattr(limit, "resident", lambda: 0)
    stages, said = [], []

    def watch(doing, number):
        said.append(doing)

    for memory in range(100, 8000, 100):
        said.clear()
        try:
            builder.build("layers", tmp_path / "db", often=1000, memory=memory, watch=watch)
            break
        except limit.MemoryLimitError as error:
            stages.append(str(error).split(" needs")[0])
            assert "GB are allowed; interrupted: what is done is kept" in str(error)
    assert {limit.LAYERS, limit.COUNTING, limit.NOTING} <= {*stages}
    # The last run went on with the layers that others had solved.
    assert "layer 5" in said and "layer 0" not in said
    assert builder.contents(tmp_path / "db") == builder.contents(tmp_path / "whole")


class Unnumbered(ConnectFour):
    """A game that leaves its numbers out."""

    def rank_count(self):
        return 0


def test_room_for_more_positions_is_within_the_limit(tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(limit, "resident", lambda: 0)
    with pytest.raises(limit.MemoryLimitError, match=limit.ROOM):
        build_database(
            Unnumbered(4, 3),
            None,
            tmp_path / "db",
            Asked("", "", ""),
            Work(compile=False, memory=30_000, watch=lambda doing, n: said.append((doing, n))),
        )
    found = max(n for doing, n in said if doing == limit.ENUMERATING)
    assert found > 700 and (limit.ROOM, 2 * positions.SMALLEST) in said


def test_sizes_of_memory(tmp_path):
    assert [limit.bytes_of(text) for text in ("4GB", "1.5 gb", "500MB")] == [
        4 * 10**9,
        15 * 10**8,
        5 * 10**8,
    ]
    words = ["db", "build", "nim:piles=1-2", "--out", str(tmp_path / "db")]
    assert "write it as in 4GB" in command(*words, "--memory", "4", status=2).stderr
    told = command(*words, "--memory", "1MB", status=2).stderr
    assert "needs about" in told and "before anything could be kept" in told
    command(*words, "--memory", "4GB")


def test_a_second_builder_is_refused(tmp_path):
    plan = {"identity": "x", "start": "", "outcomes": False, "prunus": ""}
    folder = tmp_path / "db"
    with workshop.Workshop(folder, plan):
        told = command("db", "build", "tic-tac-toe", "--out", str(folder), status=2).stderr
    assert "another process is building this database" in told and told.count("\n") == 1
    assert not beginning(tmp_path).exists()
    command("db", "build", "nim:piles=1-2", "--out", str(folder))


def test_another_game_does_not_go_on_with_it(tmp_path):
    killed("outcomes", tmp_path / "db", 12)
    before = sorted(beginning(tmp_path).iterdir())
    with pytest.raises(DatabaseError, match="another build: identity is .*not"):
        builder.build("scores", tmp_path / "db")
    assert sorted(beginning(tmp_path).iterdir()) == before


class Twins(naive.Graph):
    """A game whose values depend on what was played."""

    repetition = "forbidden"


@pytest.mark.parametrize("rules", ["dead end", "error", "past"])
def test_wrong_rules_leave_nothing_behind(tmp_path, rules):
    game = builder.GAMES["morris"]()

    def wrong(doing, number):
        if rules == "error" and doing == limit.COUNTING:
            raise ZeroDivisionError

    if rules == "dead end":
        game = Dead()
    elif rules == "past":
        like = builder.GAMES["outcomes"]()
        game = Twins(like.targets, like.first, like.mover, like.worth)
    work = Work(compile=False, often=0, watch=wrong)
    with pytest.raises((SearchError, ZeroDivisionError, DatabaseError)):
        build_database(game, None, tmp_path / "db", Asked("", "", ""), work)
    assert not list(tmp_path.iterdir())


# Rules that read a file are not compiled, and wait here for the test while there is one.
WAITING = """
from pathlib import Path
from time import sleep
from typing import NamedTuple
import prunus

GATE = Path(__file__).with_name("gate")

class State(NamedTuple):
    counters: prunus.i64
    player: prunus.i64

class Waiting(prunus.Game):
    State = State

    def initial(self):
        return State(60, 0)

    def to_move(self, state):
        return state.player

    def is_terminal(self, state):
        return state.counters == 0

    def utility(self, state):
        return -1 if state.player == 0 else 1

    def actions(self, state):
        return [n for n in (1, 2, 3) if n <= state.counters]

    def result(self, state, action):
        if state.counters == 30 and GATE.exists():
            GATE.write_text("reached")
            while GATE.exists():
                sleep(0.01)
        return State(state.counters - action, 1 - state.player)
"""


def test_a_command_that_is_interrupted_and_goes_on(tmp_path):
    rules, gate = tmp_path / "waiting.py", tmp_path / "gate"
    rules.write_text(WAITING)
    words = ["db", "build", f"{rules}:Waiting", "--keep-every", "0"]
    command(*words, "--out", str(tmp_path / "whole"))
    words += ["--out", str(tmp_path / "db")]
    gate.touch()
    with started(*words) as process:
        while process.poll() is None and not gate.read_text():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        gate.unlink()
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "the same command goes on" in told, told
    assert list(beginning(tmp_path).glob("found-000003*"))
    command(*words)
    one, other = (builder.contents(tmp_path / name) for name in ("whole", "db"))
    for manifest in (one[MANIFEST], other[MANIFEST]):
        manifest.pop("command")
    assert one == other
