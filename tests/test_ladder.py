"""The ladder: hidden methods, equal values, limits, the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.games import ConnectFour, Othello, TicTacToe
from prunus.games.catalogue import make_game
from prunus.theory.ladder import Rung, climb, defined, table_of, without
from tests.commands import prunus

DOCS = Path(__file__).parents[1] / "docs"


def test_methods_are_hidden_and_the_rules_stay():
    game = ConnectFour(5, 4)
    assert defined(game) == ("key", "canonical", "order", "bounds", "worthwhile", "plies_left")
    bare = without(game, defined(game))
    assert not (
        bare.has_order
        or bare.has_bounds
        or bare.has_canonical
        or bare.has_worthwhile
        or bare.has_plies_left
        or bare.exact_key
    )
    assert (bare.width, bare.height, bare.State) == (5, 4, game.State)
    state = game.parse("321")
    assert list(bare.actions(state)) == list(game.actions(state))
    assert bare.bounds(state) == Game().bounds(state)
    assert game.has_order


def test_every_step_finds_the_same_value():
    rungs = list(climb(ConnectFour(4, 4), ConnectFour(4, 4).parse("12213443"), compile=False))
    assert {rung.value for rung in rungs} == {0}
    assert [rung.name for rung in rungs][3:] == [f"+ `{name}`" for name in defined(ConnectFour())]
    assert rungs[-1].nodes < rungs[0].nodes


@pytest.mark.parametrize("spec", ["nim:piles=2-3-4", "random-game", "even-wins:marbles=9"])
def test_other_games(spec):
    assert len({rung.value for rung in climb(make_game(spec), compile=False)}) == 1


def test_a_depth_keeps_the_evaluation_and_hides_the_rest():
    rungs = list(climb(Othello(6), depth=2, compile=False))
    added = ["key", "order", "bounds", "secured", "worthwhile", "plies_left", "last_value"]
    assert [rung.name for rung in rungs][3:] == [f"+ `{method}`" for method in added]


def test_a_search_that_is_too_long_is_stopped_and_said_to_be():
    rungs = list(climb(TicTacToe(), TicTacToe().parse("X../.../..."), nodes=1700, compile=False))
    assert rungs[0].value is None
    assert rungs[0].shown().startswith("> 1,70")
    assert rungs[-1].value == 0
    assert "> " in table_of(rungs)


class Inconsistent(TicTacToe):
    """Its order is fine but its bounds are wrong: they rule out the wins."""

    def bounds(self, state):
        return (-1, -1)


def test_a_step_with_another_value_is_an_error():
    with pytest.raises(SearchError, match="bounds"):
        list(climb(Inconsistent(), Inconsistent().parse("X.O/.X./..."), compile=False))


def test_the_table():
    rungs = [Rung("a", 1_000_000, 1.0, 3), Rung("b", 1_000, 0.5, 3), Rung("c", 800, 0.5, 3)]
    assert table_of(rungs).splitlines()[2:] == [
        "| a | 1,000,000 | 1.00 |  |",
        "| b | 1,000 | 0.50 | 1,000 |",
        "| c | 800 | 0.50 | 1.25 |",
    ]


def test_the_command(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- ladder -->\nold\n<!-- end of the ladder -->\nafter\n")
    shown = prunus("bench", "ladder", "nim", "1,2", "--interpreted", "--into", str(page)).stdout
    assert "| alpha-beta |" in shown
    text = page.read_text()
    assert text.startswith("before\n<!-- ladder -->\n")
    assert text.endswith("<!-- end of the ladder -->\nafter\n")
    assert "old" not in text and "| alpha-beta |" in text
    page.write_text("nothing")
    assert (
        "ladder"
        in prunus(
            "bench", "ladder", "nim", "1,2", "--interpreted", "--into", str(page), status=2
        ).stderr
    )
    assert "Example" in prunus("bench", "ladder", "--help").stdout


def test_a_game_of_ones_own(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from prunus.games import TicTacToe\n\n\nclass Mine(TicTacToe):\n    def order(self, "
        "state, action):\n        return -action\n"
    )
    assert (
        "+ `order`"
        in prunus("bench", "ladder", f"{file}:Mine", "X.O/.X./...", "--interpreted").stdout
    )


@pytest.mark.slow
def test_the_page_shows_todays_counts():
    page = (DOCS / "ladder.md").read_text()
    rungs = list(climb(ConnectFour(), ConnectFour().parse("7422341735647741")))
    for rung in rungs:
        assert f"| {rung.name} | {rung.shown()} |" in page, rung
