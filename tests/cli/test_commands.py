"""The commands as people use them: answers, JSON, one-line errors, Ctrl-C, play."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time

import pytest

from prunus.cli.counting import count_lines
from prunus.cli.searching import NO_CODE
from prunus.games import GAMES, make_game
from tests.amount import in_full
from tests.commands import prunus, started
from tests.naive import perft

KEYS = {
    "game", "position", "algorithm", "backend", "value", "bound", "proved", "best", "best_moves", "pv", "depth", "nodes", "leaves", "seconds",
}  # fmt: skip


def test_json_has_every_key():
    data = json.loads(prunus("analyze", "nim", "1,2,2", "--all-moves", "--json").stdout)
    assert KEYS | {"moves"} <= data.keys()
    assert (data["game"], data["position"]) == ("nim", "1,2,2")
    assert all(move.keys() == {"action", "value", "bound"} for move in data["moves"])


def test_misere_nim_has_one_best_move():
    data = json.loads(prunus("solve", "nim:misere=true", "1,2,2", "--json").stdout)
    assert (data["value"], data["proved"], data["best"], data["best_moves"]) == (
        1,
        True,
        "1:1",
        ["1:1"],
    )


def test_backends_agree():
    found = [
        json.loads(
            prunus(
                "solve", "tic-tac-toe", "X.O/.X./...", "--backend", b, "--threads", "1", "--json"
            ).stdout
        )
        for b in ("interpreted", "compiled")
    ]
    assert found[0]["backend"] == "interpreted"
    assert found[1]["backend"] == "compiled"
    for key in ("value", "nodes", "leaves", "pv", "best_moves"):
        assert found[0][key] == found[1][key]


def test_many_positions_from_standard_input_in_order():
    done = prunus("solve", "nim", "-", stdin="1,2\n\n3,3\nx\n1\n", status=2)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["position"] for line in lines] == ["1,2", "3,3", "x", "1"]
    assert [line.get("value") for line in lines] == [1, -1, None, 1]
    assert "error" in lines[2]


WRONG = [
    (["analyze", "chess960"], "no game"),
    (["analyze", "connect-four", "48"], "column 8"),
    (["analyze", "connect-four", "4141414"], None),
    (["analyze", "connect-four", "12121211"], "over"),
    (["analyze", "connect-four", "1111111"], "full"),
    (["analyze", "connect-four:width=50"], "256 are the limit"),
    (["analyze", "connect-four:widht=7"], "width"),
    (["analyze", "connect-four:width=seven"], "integer"),
    (["analyze", "mnk:m=0"], "m"),
    (["analyze", "tic-tac-toe", "XXX/XXX/XXX"], ""),
    (["analyze", "nim", "1,-2"], ""),
    (["analyze", "nim", "1,300"], "255"),
    (["analyze", "connect-four", "4", "--depth", "-1"], "-1"),
    (["analyze", "connect-four", "4", "--depth", "x"], "depth"),
    (["analyze", "connect-four", "--algorithm", "alphabta"], "alphabeta"),
    (["analyze", "tree", "nowhere.json"], "nowhere.json"),
    (["analyze", "nowhere.py:Game"], "nowhere.py"),
    (["trace", "tic-tac-toe"], "more than"),
    (["trace", "nim", "1,1", "--svg", "no/such/folder.svg"], "folder.svg"),
    (["trace", "nim", "1,1", "--at", "99"], "no event 99"),
    (["analyze"], "game"),
    (["analyse", "nim"], "analyse"),
    (["analyze", "nim", "--dpeth", "3"], "dpeth"),
]


@pytest.mark.parametrize(
    ("words", "says"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_gets_one_line(words, says):
    if says is None:
        prunus(*words)
        return
    done = prunus(*words, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith("prunus: ")
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


def test_a_broken_json_file_is_named_with_its_line(tmp_path):
    (tmp_path / "bad.json").write_text("[1, 2,\n oops]")
    assert "bad.json" in prunus("analyze", "tree", str(tmp_path / "bad.json"), status=2).stderr


def test_a_position_that_is_over_is_not_an_error():
    data = json.loads(prunus("analyze", "tic-tac-toe", "XXX/OO./...", "--json").stdout)
    assert (data["value"], data["best"], data["best_moves"], data["pv"]) == (-1, None, [], [])


def test_trees_from_a_file(tmp_path):
    (tmp_path / "t.json").write_text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]")
    data = json.loads(
        prunus(
            "solve", "tree", str(tmp_path / "t.json"), "--algorithm", "alphabeta", "--json"
        ).stdout
    )
    assert (data["value"], data["best"], data["leaves"]) == (3, "1", 7)
    data = json.loads(prunus("solve", "tree", str(tmp_path / "t.json"), "--json").stdout)
    assert (data["value"], data["best"], data["algorithm"], data["proved"]) == (
        3,
        "1",
        "engine",
        True,
    )
    traced = json.loads(prunus("trace", "tree", str(tmp_path / "t.json"), "--json").stdout)
    assert [node["pruned"] for node in traced["nodes"] if node["pruned"]] == [["2", "3"]]
    at = ("trace", "tree", str(tmp_path / "t.json"), "--at", "20", "--replay")
    assert prunus(*at).stdout.splitlines()[-2:] == [
        "20  beta lowered to 2: window (3, 2)",
        "    root (3, ∞) ≥3 → 2 (3, 2) ≤2",
    ]
    prunus(*at, "--svg", str(tmp_path / "t.svg"))
    assert "<set " in (tmp_path / "t.svg").read_text(encoding="utf-8")


GAME = '''
from typing import NamedTuple
from prunus import Game, u8

class Take(Game):
    """Take one or two; who cannot move has lost."""
    class State(NamedTuple):
        left: u8
    def initial(self):
        return self.State(19)
    def actions(self, state):
        for take in range(1, 3):
            if take <= state.left:
                yield take
    def result(self, state, action):
        return self.State(state.left - action)
    def is_terminal(self, state):
        return state.left == 0
    def utility(self, state):
        return -1
'''


NEGATIVE = """
from typing import NamedTuple
from prunus import Game, u64

class Negative(Game):
    class State(NamedTuple):
        mine: u64
        theirs: u64

    def initial(self):
        return self.State(0, 0)

    def actions(self, state):
        return (1, 2)

    def result(self, state, action):
        return self.State(state.theirs, state.mine + action)

    def is_terminal(self, state):
        return state.mine + state.theirs > 4

    def utility(self, state):
        return state.mine - state.theirs
"""


def test_a_value_that_wraps_is_said_in_a_line(tmp_path):
    file = tmp_path / "negative.py"
    file.write_text(NEGATIVE)
    said = prunus("solve", f"{file}:Negative", status=2).stderr
    assert "Negative.utility gave" in said and "write int(a) - int(b)" in said
    assert "Traceback" not in said and len(said.splitlines()) == 1


def test_only_two_can_play():
    said = prunus("play", "podium-nim", status=2)
    assert "3 players" in said.stderr and not said.stdout


def test_a_game_of_ones_own_in_a_file(tmp_path):
    file = tmp_path / "take.py"
    file.write_text(GAME)
    data = json.loads(
        prunus("analyze", f"{file}:Take", "--json", "--backend", "compiled", "--depth", "20").stdout
    )
    assert (data["value"], data["best"], data["proved"]) == (1, "1", True)
    assert "take" in prunus("check", f"{file}:Take").stdout.lower()
    file.write_text(GAME.replace("return state.left == 0", "return state.left == 100"))
    prunus("check", f"{file}:Take", status=1)


def test_a_game_that_cannot_be_compiled_runs_with_a_note(tmp_path):
    file = tmp_path / "take.py"
    file.write_text(
        GAME.replace("range(1, 3)", "[t for t in (1, 2) if str(t)]").replace(
            "if take <=", "if {1: 1}.get(1) and take <="
        )
    )
    assert not prunus(
        "analyze", f"{file}:Take", "--json"
    ).stderr  # a search this small needs no compiler
    done = prunus("analyze", f"{file}:Take", "--json", "--algorithm", "minimax", "--depth", "30")
    data = json.loads(done.stdout)
    if data["backend"] == "interpreted":
        assert done.stderr.startswith("prunus: note: Take cannot be compiled")
        assert len(done.stderr.splitlines()) == 1
        assert "take.py:" in done.stderr
    assert data["value"] == 1


def test_ctrl_c_ends_at_once_with_the_best_so_far():
    game = "connect-four:width=8,height=7"  # far from solved in that time
    prunus(
        "solve", game, "--no-book", "--nodes", "20000"
    )  # leaves the machine code in the cache, the solver's too
    data = {"best": None}
    for seconds in (2, 6, 30):  # a busy machine starts slowly
        with started("solve", game, "--no-book", "--json") as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)  # left alone it would run for hours
        assert process.returncode == 130, err
        data = json.loads(out) if out else data  # nothing: it was still being loaded
        if data["best"] is not None:
            break
    assert data["interrupted"] is True and data["best"] is not None
    assert data["depth"] is None or not data["proved"]


def test_limits_of_the_command_line():
    data = json.loads(
        prunus("solve", "connect-four", "--no-book", "--nodes", "100000", "--json").stdout
    )
    assert data["interrupted"] is True
    assert data["nodes"] <= 100_001


def test_play_to_the_end():
    moves = "zzz\nhint\nb2\nundo\nb2\n" + "\n".join(f"{c}{r}" for c in "abc" for r in "123") + "\n"
    done = prunus("play", "tic-tac-toe", "--seed", "1", "--backend", "interpreted", stdin=moves * 3)
    assert any(word in done.stdout for word in ("I win.", "A draw.", "You win."))
    assert "You win." not in done.stdout
    assert "Goodbye" in prunus("play", "nim", stdin="").stdout


def test_ctrl_c_while_the_command_is_being_loaded():
    program = """
import signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "prunus.cli.errors":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from prunus.cli.start import run
run()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, "")


def test_listings_need_no_numba():
    for words in (["games"], ["--help"], ["--version"]):
        program = (
            f"import sys\nfrom prunus.cli import main, errors\nsys.argv[1:] = "
            f"{words!r}\nerrors.guarded(main.app)\nassert 'numba' not in sys.modules\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert "connect-four" in prunus("games").stdout


def test_algorithms_say_what_they_can_do():
    listed = prunus("algorithms").stdout
    assert "Fishburn" in listed
    rows = {row["name"]: row for row in json.loads(prunus("algorithms", "--json").stdout)}
    assert {name for name in rows if rows[name]["options"]} == {"engine"}
    assert {name for name in rows if rows[name]["several"]} == {"maxn", "maxn-shallow", "paranoid"}
    assert {name for name in rows if not rows[name]["exact"]} == {"visiting", "paranoid"}
    for row in rows.values():
        line = next(line for line in listed.splitlines() if line.startswith(f"{row['name']} "))
        assert line.split()[1] == ("yes" if row["exact"] else "-")


def test_a_command_with_a_clock_does_not_wait_for_the_compiler(monkeypatch):
    """The output is complete, and a note says what became of the machine code."""
    monkeypatch.setenv("PRUNUS_CACHE", "off")
    done = prunus("solve", "connect-four", "--seconds", "1.3", "--no-book", "--json")
    assert (done.returncode, json.loads(done.stdout)["backend"]) == (0, "interpreted")
    assert done.stderr == f"prunus: note: {NO_CODE}\n"


def test_names_without_a_command_show_the_help():
    for words in ((), ("book",)):
        said = prunus(*words, status=2).stderr
        assert said.startswith("Usage: ") and "\nOptions:\n" in said


def test_every_command_teaches():
    for command in ("analyze", "solve", "check", "play", "match", "trace", "perft"):
        text = prunus(command, "--help").stdout
        assert "Example" in text
        assert "connect-four" in text


def test_perft_divided():
    found = prunus("perft", "chess", "e4", "--depth", "2", "--divide").stdout.splitlines()
    assert len(found) == 22 and found[-2:] == ["", "600"]
    assert {"e7e5: 29", "g8f6: 30", "d7d5: 31"} <= set(found)


def test_perft():
    assert prunus("perft", "tic-tac-toe", "--depth", "4").stdout.strip() == "3024"


@in_full
def test_signature():
    counts = dict(line.split() for line in prunus("bench", "--signature").stdout.splitlines())
    assert counts["tic-tac-toe"] == "18297"


FITTED = """
from typing import NamedTuple
from prunus import Game, i16, load_weights, u8

class Race(Game):
    class State(NamedTuple):
        ahead: i16
        left: u8

    def __init__(self, weights: str = ""):
        self.feature_count = 2
        self.weights = load_weights(weights, 2)

    def initial(self):
        return self.State(0, 6)

    def actions(self, state):
        for number in range(1, 4):
            yield number

    def result(self, state, action):
        return self.State(-state.ahead - action, state.left - 1)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return 100 * state.ahead

    def features(self, state):
        yield 0, state.ahead
        yield 1, 1

    def evaluate(self, state):
        return self.weighed(state, 5000)
"""


def test_an_evaluation_is_fitted_kept_and_used(tmp_path):
    (tmp_path / "race.py").write_text(FITTED)
    game, out, positions = (
        f"{tmp_path}/race.py:Race",
        str(tmp_path / "race.json"),
        str(tmp_path / "kept.npz"),
    )
    asked = (
        "fit",
        "evaluation",
        game,
        "--backend",
        "interpreted",
        "--out",
        out,
        "--positions",
        positions,
        "--opening",
        "0-5",
    )
    done = prunus(*asked, "--games", "40", "--depth", "1")
    assert "of 40 games, 100% with exact values" in done.stdout and "race.npy" in done.stderr
    said = json.loads((tmp_path / "race.json").read_text())
    assert (
        said["game"] == game
        and said["command"].startswith("prunus fit evaluation")
        and said["sources"][0]["plan"]["games"] == 40
    )
    found = json.loads(
        prunus(
            "analyze", f"{game}:weights={out}", "--depth", "0", "--backend", "interpreted", "--json"
        ).stdout
    )
    assert abs(found["value"]) <= 200
    again = prunus(*asked, "--games", "0", "--ridge", "1")
    assert (
        "of 40 games" in again.stdout
        and len(json.loads((tmp_path / "race.json").read_text())["sources"]) == 1
    )
    (tmp_path / "kept.npz").write_text("no positions")
    assert "holds no positions" in prunus(*asked, "--games", "1", status=2).stderr
    assert "no features(state)" in prunus("fit", "evaluation", "nim", status=2).stderr
    assert (
        "number of plies or a range"
        in prunus("fit", "evaluation", game, "--opening", "9-2", status=2).stderr
    )
    assert (
        "there is no folder"
        in prunus(
            "fit", "evaluation", game, "--out", str(tmp_path / "none" / "x.json"), status=2
        ).stderr
    )


def test_ctrl_c_fits_the_games_played_so_far(tmp_path):
    (tmp_path / "race.py").write_text(FITTED)
    command = ["fit", "evaluation", f"{tmp_path}/race.py:Race", "--games", "1000000"]
    with started(
        *command,
        "--backend",
        "interpreted",
        "--opening",
        "0-5",
        "--out",
        str(tmp_path / "race.json"),
    ) as child:
        time.sleep(6)
        child.send_signal(signal.SIGINT)
        out, error = child.communicate(timeout=100)
    assert child.returncode == 130 and "Traceback" not in error, error
    assert (
        "judged by the games set aside" in out
        and json.loads((tmp_path / "race.json").read_text())["interrupted"]
    )


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"tree"}))
def test_perft_of_every_game(name):
    """The command's counts equal those of the naive counter, for every game and any number of
    players."""
    game = make_game(name)
    depths = range(3 if game.action_count(game.initial()) > 60 else 4)
    found = [count_lines(name, "", depth, 1, "interpreted") for depth in depths]
    assert found == [perft(game, game.initial(), depth) for depth in depths]


PARTS = """
import prunus


class Slips(prunus.Evaluation):
    def evaluate(self, state):
        return self.corner


class Floats(prunus.Evaluation):
    def evaluate(self, state):
        return state.mine.bit_count() / 2


class Fails(prunus.Evaluation):
    def prepare(self):
        self.half = self.size // self.thirds
"""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("analyze", "{}:Slips"), "AttributeError: .*'corner'.*parts.py:7, in evaluate"),
        (("compare", "{}:Fails"), "AttributeError: .*'thirds'.*parts.py:17, in prepare"),
        (("trace", "{}:Floats"), "Floats.evaluate gives .*not an integer; scale it.*parts.py:11"),
        (("bench", "ladder", "{}:Slip"), "no evaluation 'Slip'; its evaluations: Slips, Floats"),
    ],
)
def test_an_error_in_a_users_evaluation_names_its_line(tmp_path, words, says):
    (tmp_path / "parts.py").write_text(PARTS)
    *command, part = words
    given = [
        *command,
        "othello",
        "--depth",
        "2",
        "--evaluation",
        part.format(tmp_path / "parts.py"),
    ]
    error = prunus(*given, status=2).stderr
    assert re.search(says, error), error
    assert error.count("\n") == 1


AT_THE_END = """
import atexit, gc, sys
from prunus.cli.start import run

def look():
    print(gc.get_freeze_count() > 5_000, file=sys.stderr)

atexit.register(look)
sys.argv = ["prunus", *sys.argv[1:]]
run()
"""


@pytest.mark.parametrize(
    ("arguments", "status"), [(("solve", "nim", "1,2,2"), 0), (("solve", "no-such-game"), 2)]
)
def test_a_command_that_is_done_ends_at_once(arguments, status):
    """Python would look through all that was loaded once more, for garbage."""
    done = subprocess.run(
        [sys.executable, "-c", AT_THE_END, *arguments], check=False, capture_output=True, text=True
    )
    assert done.returncode == status and done.stderr.splitlines()[-1] == "True"
