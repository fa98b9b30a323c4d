"""Games by name and by file, and the errors when they cannot be made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from prunus.core.game import PositionError
from prunus.games import GAMES, ConnectFour, GameError, Nim, make_game, open_position

GAME = """
from __future__ import annotations
from typing import NamedTuple
from prunus.core.bits import u8
from prunus.core.game import Game

class Count(Game):
    class State(NamedTuple):
        total: u8
    def __init__(self, goal=10, misere=False):
        self.goal, self.misere = goal, misere
    def initial(self): return self.State(0)
    def actions(self, state):
        for i in range(1, 3): yield i
    def result(self, state, action): return self.State(state.total + action)
    def is_terminal(self, state): return state.total >= self.goal
    def utility(self, state): return 1 if self.misere else -1

class Needs(Count):
    def __init__(self, goal): super().__init__(goal)

class Explodes(Count):
    def __init__(self): raise RuntimeError("boom")

class NotAGame: pass
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(GAME)
    return str(tmp_path / "mine.py")


def test_options() -> None:
    game = make_game("connect-four:width=9,height=5")
    assert isinstance(game, ConnectFour) and (game.width, game.height) == (9, 5)
    for text, truth in (("true", True), ("no", False), ("YES", True), ("0", False)):
        nim = make_game(f"nim:misere={text},piles=1-2-2")
        assert isinstance(nim, Nim) and nim.misere is truth and nim.piles == (1, 2, 2)


def test_defaults_are_the_constructors() -> None:
    for entry in GAMES.values():
        if entry.name != "tree":
            options = {option.name: option.default for option in entry.options}
            assert repr(entry.factory()(**options)) == repr(make_game(entry.name))
            assert all(option.help for option in entry.options)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nimm", "there is no game 'nimm'; did you mean nim?"),
        ("zzz", "the games are connect-four"),
        ("zzz", "your own game is FILE.py:CLASS"),
        ("nim:misre=yes", "nim has no option 'misre'; did you mean misere?"),
        ("nim:misere=maybe", "nim: option misere is true or false, not 'maybe'"),
        ("nim:piles=1,2", "nim has no option '2'"),
        ("nim:piles=a-b", "nim: option piles is numbers joined by -"),
        ("connect-four:width=wide", "connect-four: option width is an integer, not 'wide'"),
        ("connect-four:width", "option width needs a value: width=7"),
        ("connect-four:width=50", "a board of 50 x 6 needs 350 bits"),
        ("figure:name=none", "there is no figure 'none'"),
        ("uniform:order=up", "there is no order 'up'"),
        ("tree", "needs a JSON file"),
        ("gone.py:Game", "gone.py: there is no such file"),
    ],
)
def test_refusals(spec: str, message: str) -> None:
    with pytest.raises(GameError) as error:
        make_game(spec)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_file_named_without_its_ending(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(file).parent)
    for spec, meant in (("mine", "mine.py"), ("mine:Count", "mine.py:Count")):
        with pytest.raises(GameError) as error:
            make_game(spec)
        assert str(error.value) == f"there is no game 'mine'; did you mean {meant}?"


def test_files(file: str) -> None:
    assert make_game(f"{file}:Count").goal == 10
    game = make_game(f"{file}:Count:goal=5,misere=yes")
    assert (game.goal, game.misere) == (5, True)
    assert type(game).__module__ in sys.modules
    assert make_game(f"{file}:Needs:goal=4").goal == 4
    assert open_position(f"{file}:Count", "1 2")[1].state.total == 3


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("Cuont", "has no class 'Cuont'; its games: Count, Needs, Explodes"),
        ("", "which class?"),
        ("NotAGame", "NotAGame is not a game"),
        ("Needs", "Needs needs goal: write"),
        ("Explodes", "Explodes cannot be made: RuntimeError: boom"),
        ("Count:size=3", "Count has no option 'size'; its options: goal, misere"),
        ("Count:goal=x", "option goal is an integer, not 'x'"),
        ("Count:misere=x", "option misere is true or false, not 'x'"),
        ("Count:goal", "option goal needs a value"),
    ],
)
def test_refusals_of_files(file: str, rest: str, message: str) -> None:
    with pytest.raises(GameError) as error:
        make_game(f"{file}:{rest}")
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = (", "line 2"),
        ("import nowhere_to_be_found", "line 1: ModuleNotFoundError"),
        ("\n1 / 0", "line 2: ZeroDivisionError"),
        ("exit()", "SystemExit"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    before = set(sys.modules)
    with pytest.raises(GameError, match=message) as error:
        make_game(f"{path}:Any")
    assert "\n" not in str(error.value) and not [
        name for name in set(sys.modules) - before if "broken" in name
    ]


def test_an_edited_file_is_read_again(file: str) -> None:
    assert make_game(f"{file}:Count").goal == 10
    Path(file).write_text(GAME.replace("goal=10", "goal=12"))
    assert make_game(f"{file}:Count").goal == 12


def test_positions(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text("[[3, 12], 5]")
    game, at = open_position("tree", f"{path}#1.2")
    state = at.state
    assert game.format(state) == "1.2" and game.title() == "t"
    assert open_position("tree", str(path))[1].state == game.initial()
    assert (
        open_position(f"tree:file={path}", "2")[0].utility(
            open_position(f"tree:file={path}", "2")[1].state
        )
        == -5
    )
    assert open_position("nim", "")[1].state.piles == (3, 5, 7)
    assert (
        open_position("figure:name=001-d8", "c.g")[1] == open_position("figure:name=001-d8", "g")[1]
    )
    for spec, text, kind in (
        ("nim", "x", PositionError),
        ("tree", "gone.json", GameError),
        ("tree", "", GameError),
        ("tree", f"{path}#9", PositionError),
    ):
        with pytest.raises(kind) as error:
            open_position(spec, text)
        assert "\n" not in str(error.value)


def test_the_catalogue_needs_no_numba() -> None:
    code = (
        "import sys, prunus.games; prunus.games.make_game('nim'); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
