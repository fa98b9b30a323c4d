"""All algorithms on one position: they agree, each has its own counts, and a disagreement is
loud."""

from __future__ import annotations

import json
import signal
import time
from typing import NamedTuple

import pytest

import prunus
from prunus.games import ConnectFour, PodiumNim, RandomGame, ThreeMensMorris, TicTacToe
from prunus.run.comparing import affordable_depth, suitable
from prunus.run.registry import ALGORITHMS, SEVERAL
from tests.commands import prunus as command
from tests.commands import started
from tests.naive import minimax_value


@pytest.mark.parametrize("depth", [3, None])
def test_every_algorithm_has_a_row_and_its_own_numbers(depth):
    game = RandomGame(4, depth=5)
    found = prunus.compare(game, depth=depth, compile=False, table=0.1)
    assert [row.algorithm for row in found.rows] == list(ALGORITHMS)
    assert found.agree and not found.interrupted and not found.disagreement()
    for row in found.rows:
        alone = prunus.analyze(game, None, row.algorithm, depth, compile=False, table=0.1)
        assert (row.found.value, row.found.statistics.nodes, row.found.depth) == (
            alone.value,
            alone.statistics.nodes,
            alone.depth,
        )
        assert row.algorithm in str(found) and f"{alone.statistics.nodes:,}" in str(found)
    if depth is None:
        assert {row.found.value for row in found.rows} == {minimax_value(game, game.initial())}


def test_the_depth_that_is_chosen_is_affordable():
    game = ConnectFour(5, 4)
    depth = affordable_depth(game, game.initial(), False)
    counts = [
        prunus.analyze(game, None, "minimax", plies, compile=False).statistics.nodes
        for plies in (depth, depth + 1)
    ]
    assert counts[0] <= 10_000 < counts[1]
    assert affordable_depth(TicTacToe(), TicTacToe().parse("X.O/.X./.O."), False) is None


class Lying(TicTacToe):
    """Its limits are wrong: they say that nobody can win."""

    def bounds(self, state):
        return -1, 0


def test_a_disagreement_is_loud():
    found = prunus.compare(
        Lying(),
        "X.O/.X./.O.",
        None,
        algorithms=("minimax", "alphabeta", "minimax-extreme", "engine"),
        compile=False,
    )
    assert not found.agree
    told = found.disagreement()
    assert (
        told.startswith("DISAGREEMENT about")
        and "(minimax, alphabeta" in told
        and told in str(found)
    )
    assert (
        "DISAGREES" in str(found)
        and "DISAGREE" in repr(found)
        and json.loads(found.to_json())["agree"] is False
    )


def test_other_questions_are_not_compared():
    several = prunus.compare(PodiumNim(), depth=None, compile=False)
    assert [row.algorithm for row in several.rows] == list(SEVERAL) == list(suitable(PodiumNim()))
    assert [row.agrees for row in several.rows] == [True, True, None]

    class Drawn(ThreeMensMorris):
        repetition = "draw"

    plain, engine, hard = prunus.compare(
        Drawn(), depth=2, algorithms=("alphabeta", "engine", "alphabeta-hard"), compile=False
    ).rows
    assert plain.agrees and engine.agrees
    assert hard.agrees is None and "heeds no repetitions" in hard.cells()


def test_what_does_not_fit_or_is_stopped_says_so():
    found = prunus.compare(
        TicTacToe(),
        depth=None,
        algorithms=("minimax", "alphabeta", "sss"),
        seconds=0.02,
        compile=False,
    )
    assert (
        found.rows[0].agrees is None
        and "stopped" in found.rows[0].cells()
        and len(found.rows) == 3
        and not found.interrupted
    )

    class Big(prunus.Game):
        class State(NamedTuple):
            left: prunus.u8

        def initial(self):
            return self.State(2)

        def actions(self, state):
            if state.left == 1:
                raise prunus.SearchError("no room")
            return [1]

        def result(self, state, action):
            return self.State(state.left - 1)

        def is_terminal(self, state):
            return state.left == 0

        def utility(self, state):
            return 0

    found = prunus.compare(Big(), depth=None, algorithms=("minimax",), compile=False)
    assert "no room" in str(found) and found.rows[0].found is None and found.agree
    with pytest.raises(prunus.UnknownAlgorithm):
        prunus.compare(Big(), algorithms=("minmax",))


WRONG = '''
from prunus.games.mnk import TicTacToe

class Lying(TicTacToe):
    def bounds(self, state):
        return -1, 0
'''  # fmt: skip


def test_the_command(tmp_path):
    words = ("--backend", "interpreted", "--depth", "4")
    told = command("compare", "tic-tac-toe", "X.O/.X./...", *words).stdout
    assert all(name in told for name in ALGORITHMS) and "cut-offs" in told
    data = json.loads(
        command(
            "compare", "nim", "1,2,2", *words, "--json", "--algorithms", "minimax, alphabeta"
        ).stdout
    )
    assert data["agree"] is True and [row["algorithm"] for row in data["algorithms"]] == [
        "minimax",
        "alphabeta",
    ]
    assert data["algorithms"][0]["nodes"] > data["algorithms"][1]["nodes"] > 0
    (tmp_path / "lying.py").write_text(WRONG)
    done = command(
        "compare", f"{tmp_path}/lying.py:Lying", "X.O/.X./.O.", "--backend", "interpreted", status=1
    )
    assert "DISAGREEMENT" in done.stdout
    done = command(
        "compare",
        f"{tmp_path}/lying.py:Lying",
        "X.O/.X./.O.",
        "--backend",
        "interpreted",
        "--json",
        status=1,
    )
    assert "DISAGREEMENT" in done.stderr and json.loads(done.stdout)["agree"] is False


def test_ctrl_c_keeps_what_is_done():
    """In best order alpha-beta is done at once, minimax would take a minute, and the third
    algorithm does not start."""
    words = (
        "--depth",
        "14",
        "--algorithms",
        "alphabeta,minimax,pvs",
        "--backend",
        "interpreted",
        "--json",
    )
    for seconds in (3, 15):  # a busy machine starts slowly
        with started("compare", "uniform:degree=3,height=14,order=best", *words) as process:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert process.returncode == 130 and "Traceback" not in err, err
        data = json.loads(out) if out else {}
        if len(data.get("algorithms", ())) == 2:
            break
    assert data["interrupted"] is True
    assert [
        (row["algorithm"], row["interrupted"], row["agrees"]) for row in data["algorithms"]
    ] == [
        ("alphabeta", False, True),
        ("minimax", True, None),
    ]


def test_an_evaluation_that_gives_nothing_is_not_agreed_upon():
    class Forgets(prunus.Evaluation):
        def evaluate(self, state):
            state.mask.bit_count()

    with pytest.raises(TypeError, match="Forgets.evaluate gives None, which is not an integer"):
        prunus.compare(
            ConnectFour(4, 4), "23", 2, algorithms=["pvs"], compile=False, evaluation=Forgets
        )
