"""The disk cache never runs stale code: each edit, in a new process, gives the new answer; nothing
that happens to files is fatal."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from prunus.kernel.code.cache import trim
from tests.amount import in_full
from tests.processes import forked

GAME = '''
from typing import NamedTuple
from prunus import Game, u8
import helper_{tag}
from base_{tag} import Base

BONUS = 1

class Count(Base, Game):
    """Take one or two; whoever cannot move scores what the rule says."""

    step = 2

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(5)

    def actions(self, state):
        for take in range(1, self.step + 1):
            if take <= state.left:
                yield take

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return 100 + BONUS + helper_{tag}.score(3) + self.extra()
'''
HELPER = "def score(x):\n    return x * 10\n"
BASE = "class Base:\n    def extra(self):\n        return 1000\n"
RUN = """
import sys, json
sys.path.insert(0, {folder!r})
import numba.core.dispatcher as d
compiled = []
original = d._FunctionCompiler.compile
d._FunctionCompiler.compile = lambda self, *a: (compiled.append(self.py_func.__name__), original(self, *a))[1]
from prunus.games.catalogue import make_game
import prunus
{before}
game = make_game({spec!r})
{between}
result = prunus.analyze(game, algorithm={algorithm!r}, compile=True)
print(json.dumps([result.value, len(compiled)]))
"""


class Place:
    """A folder with a game in FILE.py, a helper module, a base class in another module, and a cache
    of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tag = folder, "x"
        self.game = folder / "count.py"
        self.write(self.game, GAME.format(tag=self.tag))
        self.write(folder / f"helper_{self.tag}.py", HELPER)
        self.write(folder / f"base_{self.tag}.py", BASE)

    @staticmethod
    def write(path, text):
        path.write_text(textwrap.dedent(text))

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def program(self, spec=None, before="", between="", algorithm="alphabeta"):
        """A program that prints the value and how many functions it compiled. Alpha-beta compiles
        in a fraction of the time of the engine."""
        return RUN.format(
            folder=str(self.folder),
            spec=spec or f"{self.game}:Count",
            algorithm=algorithm,
            before=before,
            between=between,
        )

    def environment(self):
        return os.environ | {
            "PRUNUS_CACHE_DIR": str(self.folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def process(self, **options):
        """A new Python, with a seed of its own for the hashes of texts."""
        return subprocess.Popen(
            [sys.executable, "-c", self.program(**options)],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, **options):
        done = forked(program=self.program(**options), environment=self.environment())
        assert done.returncode == 0, done.stderr
        value, compiled = eval(done.stdout)
        return value, compiled


def outcome(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    value, compiled = eval(out)
    return value, compiled


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def expected(bonus=1, helper=30, base=1000, step=2):
    """The value computed by hand: only the parity of the play and the final score count."""
    score = 100 + bonus + helper + base
    value = {0: score}
    for left in range(1, 6):
        value[left] = max(-value[left - take] for take in range(1, step + 1) if take <= left)
    return value[5]


def test_an_unchanged_game_is_not_compiled_again(place):
    first, again = (outcome(place.process(algorithm="engine")) for _ in range(2))
    assert first[0] == expected() and first[1] > 0
    assert again == (expected(), 0)


@in_full
def test_every_algorithm_is_loaded_again(place):
    """Including those with arrays of States in their memory."""
    every = (
        "from prunus.run.registry import ALGORITHMS\nfor name in ALGORITHMS: "
        "prunus.analyze(game, algorithm=name, compile=True)"
    )
    place.run(between=every)
    assert place.run(between=every) == (expected(), 0)


@in_full
def test_the_form_for_searches_to_the_end_is_loaded_again(place):
    """Its digest is taken after the code of the game itself was saved; saving must leave no trace
    in the class that it derives from."""
    solve = (
        "import prunus.run.solver as solver; solver.CHEAP = 0; prunus.solve(game, "
        "compile=True, book=False)\ngame = make_game('nim')"
    )
    first, second = (
        place.run(spec="connect-four:width=4,height=4", between=solve) for _ in range(2)
    )
    assert first[1] > 0 and second == (first[0], 0)


def test_every_kind_of_edit_gives_the_new_answer(place):
    """A rule, a helper module, a constant, a base class, a class attribute, each edited in a new
    process after the old code was cached."""
    place.run()
    edits = [
        ("count.py", "return 100 + BONUS", "return 200 + BONUS", expected(bonus=101)),
        ("helper_x.py", "x * 10", "x * 20", expected(bonus=101, helper=60)),
        ("count.py", "BONUS = 1", "BONUS = 7", expected(bonus=107, helper=60)),
        ("base_x.py", "return 1000", "return 5000", expected(bonus=107, helper=60, base=5000)),
        ("count.py", "step = 2", "step = 3", expected(bonus=107, helper=60, base=5000, step=3)),
    ]
    for name, old, new, answer in edits:
        place.edit(name, old, new)
        value, compiled = place.run()
        assert value == answer, (name, new)
        assert compiled > 0
        assert place.run() == (answer, 0)


def test_a_file_edited_between_import_and_compile(place):
    """The imported code runs, and a later process gets the code in the file."""
    change = (
        f"import pathlib; p = pathlib.Path({str(place.game)!r}); "
        f"p.write_text(p.read_text().replace('return 100', 'return 300'))"
    )
    assert place.run(between=change)[0] == expected()
    assert place.run()[0] == expected(bonus=201)


def test_a_moved_and_a_deleted_file(place):
    place.run()
    moved = place.folder / "moved.py"
    place.game.rename(moved)
    assert place.run(spec=f"{moved}:Count")[0] == expected()
    assert (
        place.run(spec=f"{moved}:Count", between=f"import os; os.remove({str(moved)!r})")[0]
        == expected()
    )


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_damaged_files(place, damage):
    place.run()
    files = list((place.folder / "cache").glob("*.bin"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:-100] if damage is None else damage)
    value, compiled = place.run()
    assert value == expected()
    assert compiled > 0
    assert place.run() == (expected(), 0)


def test_two_processes_at_once(place):
    processes = [place.process() for _ in range(2)]
    for process in processes:
        assert outcome(process)[0] == expected()
    assert place.run() == (expected(), 0)


def test_two_games_of_one_name(place):
    """Two files with a class of the same name, alternately in one process."""
    other = place.folder / "other"
    other.mkdir()
    other_game = other / "count.py"
    other_game.write_text(place.game.read_text().replace("return 100", "return 400"))
    place.run()
    assert place.run(spec=f"{other_game}:Count")[0] == expected(bonus=301)
    assert place.run()[0] == expected()
    first = f"first = prunus.analyze(make_game({str(other_game) + ':Count'!r}), algorithm='alphabeta', compile=True).value"
    assert (
        place.run(before=first, between=f"assert first == {expected(bonus=301)}")[0] == expected()
    )


def test_a_folder_that_cannot_be_written(place):
    """The answer comes all the same, and the user hears once why the next one takes as long."""
    (place.folder / "cache").write_text("a file stands where the folder should be")
    heard = (
        "import warnings; heard = []; warnings.showwarning = lambda said, *_: heard.append(said)"
    )
    asked = f"""
prunus.analyze(game, algorithm='minimax', compile=True)
prunus.analyze(game, algorithm='alphabeta', compile=True)
assert len(heard) == 1 and {str(place.folder / "cache")!r} in str(heard[0]), heard
assert "PRUNUS_CACHE_DIR" in str(heard[0])
"""
    assert place.run(before=heard, between=asked)[0] == expected()


def test_the_cache_can_be_switched_off(place, monkeypatch):
    monkeypatch.setenv("PRUNUS_CACHE", "off")
    assert place.run()[0] == expected()
    assert not (place.folder / "cache").exists()


def test_a_class_of_main_compiles_without_the_disk(tmp_path):
    program = tmp_path / "main.py"
    program.write_text(
        GAME.format(tag="x")
        .replace(
            "import helper_x\nfrom base_x import Base\n",
            "class Base:\n    def extra(self):\n        return 0\n",
        )
        .replace(" + helper_x.score(3)", "")
        + "\nimport prunus\nprint(prunus.analyze(Count(), algorithm='alphabeta', compile=True).value)\n"
    )
    environment = os.environ | {"PRUNUS_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, str(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert abs(int(done.stdout)) == 101
    assert not (tmp_path / "cache").exists()


def test_a_binding_changed_in_one_process_gives_new_code(place):
    """A class attribute or a constant of the module changes between two games: the second one is
    compiled again."""
    change = (
        "first = prunus.analyze(game, algorithm='alphabeta', compile=True).value\n"
        f"assert first == {expected()}\n"
        "type(game).step = 3\n"
        "import sys; sys.modules[type(game).__module__].BONUS = 5\n"
        "game = type(game)()"
    )
    assert place.run(between=change)[0] == expected(bonus=5, step=3)


@in_full
def test_algorithms_compiled_apart_work_together(place):
    """Code that several processes compiled is loaded into one: each algorithm still runs its
    own."""
    names = ["minimax", "minimax-maxmin", "minimax-extreme", "alphabeta", "alphabeta-maxmin"]
    for name in names:
        place.run(algorithm=name)
    check = (
        f"for name in {names!r}:\n"
        "    both = [prunus.analyze(game, algorithm=name, compile=c).statistics for c in (False, "
        "True)]\n    assert (both[0].nodes, both[0].cutoffs) == (both[1].nodes, both[1].cutoffs), "
        "name"
    )
    assert place.run(between=check) == (expected(), 0)


def test_another_level_of_llvm_has_code_of_its_own():
    """Code that was made for a debugger (`NUMBA_OPT=0`) is not what other processes get."""
    program = "from prunus.kernel.code.toolchain import toolchain; print(toolchain())"
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"NUMBA_OPT": level},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
        for level in ("3", "0")
    ]
    assert told[0] and told[0] != told[1]


def test_files_unused_longest_go_first(tmp_path):
    for place in range(10):
        (tmp_path / f"{place}.bin").write_bytes(bytes(100))
        os.utime(tmp_path / f"{place}.bin", (place, place))
    (tmp_path / "other.txt").write_bytes(bytes(1000))
    trim(tmp_path, limit=1000)
    assert len(list(tmp_path.iterdir())) == 11
    trim(tmp_path, limit=900)
    assert sorted(path.stem for path in tmp_path.glob("*.bin")) == ["4", "5", "6", "7", "8", "9"]
    assert (tmp_path / "other.txt").exists()


def test_a_file_that_another_process_deletes_meanwhile_does_no_harm(tmp_path, monkeypatch):
    for place in range(3):
        (tmp_path / f"{place}.bin").write_bytes(bytes(100))
    plain = os.scandir

    @contextlib.contextmanager
    def scanned(place):
        with plain(place) as entries:
            found = list(entries)
        for entry in found:
            Path(entry.path).unlink()
        yield found

    monkeypatch.setattr(os, "scandir", scanned)
    trim(tmp_path, limit=100)
    assert list(tmp_path.iterdir()) == []
