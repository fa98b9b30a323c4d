"""Boards that games draw themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import prunus
from prunus.core.position import read_position
from prunus.games.catalogue import make_game
from prunus.studio.boards import LARGEST, described
from prunus.studio.offer import served
from tests.studio.pages import Visit, chromium, running


class Walk(prunus.Game):
    class State(NamedTuple):
        place: prunus.u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield from range(1, 3)

    def result(self, state, action):
        return self.State(state.place + action)

    def is_terminal(self, state):
        return state.place >= 6

    def utility(self, state):
        return -1

    def picture(self, state):
        return "." * state.place + "X" + "." * (6 - state.place) + "\n *#"

    def clicks(self, state, action):
        return [] if action == 2 else [state.place, state.place + action]


def described_at(game, text=""):
    return described(game, [read_position(game, text)], [])


def test_a_game_draws_its_board():
    told = described_at(Walk(), "1")
    assert told["board"] == {
        "kind": "grid",
        "look": "own",
        "rows": 2,
        "columns": 7,
        "cells": ".X..... *#    ",
    }
    assert told["actions"] == [{"name": "1", "places": [1, 2]}, {"name": "2", "places": []}]


def test_boards_of_marbles_lines_and_pits():
    """What a click does stands where it is seen: the marbles that are taken, the line that is
    drawn, the pit that is emptied."""
    marbles = described_at(make_game("even-wins:marbles=11"))
    assert marbles["board"]["cells"] == "X" * 11 + " " * 7
    assert marbles["board"]["note"] == "11 even"
    assert [action["places"] for action in marbles["actions"]] == [[10], [9], [8], [7]]
    lines = described_at(
        make_game("dots"), "+-+.+.+/|....../+.+.+.+/......./+.+.+.+/......./+.+.+.+ 0 A"
    )
    assert lines["board"]["cells"][:9] == "+-+.+.+|."
    assert lines["actions"][0] == {"name": "d1", "places": [3]}
    pits = described_at(make_game("awari"), "4,4,0,5,5,5 5,4,4,4,4,4 0 B")
    assert (pits["board"]["stores"], pits["board"]["lead"], pits["mover"]) == (None, 0, 1)
    assert pits["actions"][0] == {"name": "1", "places": [0]}


def test_dropped_pieces_come_from_the_hand():
    """Dobutsu's board with both hands at its side, in two rows each; every action has its cells,
    from a piece of the player to move."""
    told = described_at(make_game("dobutsu"), "..l/.../.../L.. CCEEG/g")
    shown = told["board"]["cells"]
    assert shown == "..l g  ...    ... EG L.. CCE"
    from_where = {action["name"]: action["places"][0] for action in told["actions"]}
    assert (from_where["C*a1"], from_where["E*b2"], from_where["G*c2"]) == (25, 27, 19)
    assert {(name[0], shown[cell]) for name, cell in from_where.items() if "*" in name} == {
        ("C", "C"),
        ("E", "E"),
        ("G", "G"),
    }
    steps = {
        action["name"]: action["places"] for action in told["actions"] if "-" in action["name"]
    }
    assert steps["a4-b3"] == [21, 15]


def test_without_a_picture_it_shows_its_text():
    class Plain(Walk):
        def picture(self, state):
            return ""

    assert described_at(Plain())["board"] == {"kind": "text", "text": "place=0"}


OWN = """
from typing import NamedTuple

import prunus


class Gomoku(prunus.Game):
    drawn_as = "hex"
    clear_lead = 7

    class State(NamedTuple):
        mine: prunus.u16
        theirs: prunus.u16
        turn: bool

    def initial(self):
        return self.State(0, 0, False)

    def actions(self, state):
        yield from (cell for cell in range(6) if not (state.mine | state.theirs) >> cell & 1)

    def result(self, state, action):
        return self.State(state.theirs, state.mine | 1 << action, not state.turn)

    def is_terminal(self, state):
        return state.mine | state.theirs == 63

    def utility(self, state):
        return 0

    def parse(self, text):
        return self.State(1, 4, True) if text == "typed" else self.initial()

    def format(self, state):
        first, second = (state.theirs, state.mine) if state.turn else (state.mine, state.theirs)
        cells = ["X" if first >> at & 1 else "O" if second >> at & 1 else "." for at in range(6)]
        return "".join(cells[:3]) + "/" + "".join(cells[3:]) + " to move"

    def action_name(self, state, action):
        return f"{'abc'[action % 3]}{action // 3 + 1}"


class Counted(Gomoku):
    drawn_as = "drop"
    clear_lead = 0

    def whose_turn(self, state):
        return -1

    def action_name(self, state, action):
        return str(action % 3 + 1)
"""


def test_a_game_in_a_file_outside_says_how_its_board_is_drawn(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    told = described_at(make_game(f"{tmp_path / 'own.py'}:Gomoku"), "typed")
    assert told["board"] == {
        "kind": "grid",
        "look": "hex",
        "rows": 2,
        "columns": 3,
        "cells": "O.X...",
    }
    places = {action["name"]: action["places"] for action in told["actions"]}
    assert places == {"b1": [1], "a2": [3], "b2": [4], "c2": [5]}
    assert (told["mover"], told["scale"]) == (1, 7.0)
    told = described_at(make_game(f"{tmp_path / 'own.py'}:Counted"), "typed")
    assert [action["places"] for action in told["actions"]] == [[4], [3], [4], [5]]
    assert (told["mover"], told["scale"]) == (0, 10.0), "nothing tells who is to move"


def test_its_cells_are_clicked(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    with running(served([f"{tmp_path / 'own.py'}:Gomoku"])) as address, chromium() as browser:
        visit = Visit(browser, address)
        page = visit.to("play/Gomoku", ".target")
        page.select_option("#who", "two")
        page.click('.target[aria-label="b2"]')
        visit.until("#moves", "b2")
        visit.until("#status", "Red to move")
        page.click('.target[aria-label="a1"]')
        visit.until("#moves", "a1")
        visit.keep("play-own-hex")
        assert visit.complaints == []


def test_a_field_that_does_not_begin_with_0_does_not_tell_who_is_to_move():
    class Numbered(Walk):
        class State(NamedTuple):
            place: prunus.u8
            turn: prunus.u8

        def initial(self):
            return self.State(0, 1)

        def result(self, state, action):
            return self.State(state.place + action, 3 - state.turn)

    game = Numbered()
    start = read_position(game, "")
    after = start.after(game, 1)
    assert [described(game, each, [])["mover"] for each in ([start], [start, after])] == [0, 1]


def test_a_cell_that_is_none_is_named():
    class Beyond(Walk):
        def clicks(self, state, action):
            return [14]

    with pytest.raises(prunus.PositionError, match=r"names the cell 14; .* are 0 to 13"):
        described_at(Beyond())


def test_a_picture_that_is_too_large_is_refused():
    class Wide(Walk):
        def picture(self, state):
            return "X" * (LARGEST + 1)

    with pytest.raises(prunus.PositionError, match="1 rows of up to 41 cells"):
        described_at(Wide())


def test_the_names_at_the_edge_are_those_of_the_board(visit):
    """Pieces in hand lie beside it, where no column has a name."""
    page = visit.to("play/dobutsu", ".target")
    assert page.locator(".coordinate").all_text_contents() == [*"abc", *"1234"]
    page = visit.to("play/even-wins", ".target")
    assert page.locator(".coordinate").all_text_contents() == [*"abcdefghi", *"123"]


class Heaps(prunus.Game):
    """Two heaps; the texts are those of `drawn_as`."""

    drawn_as = "piles"

    class State(NamedTuple):
        one: prunus.u8
        other: prunus.u8

    def initial(self):
        return self.State(2, 3)

    def actions(self, state):
        yield from (0, 1)

    def result(self, state, action):
        return self.State(state.one - (action == 0), state.other - (action == 1))

    def is_terminal(self, state):
        return state.one == 0 or state.other == 0

    def utility(self, state):
        return 0

    def format(self, state):
        return f"{state.one},{state.other} left"

    def action_name(self, state, action):
        return f"{action + 1}:1"


def test_the_board_of_the_documentation_keeps_its_size():
    text = (Path(__file__).parents[2] / "docs/studio.md").read_text()
    names: dict[str, Any] = {}
    exec(text.split('```python title="walk.py"\n')[1].split("```")[0], names)
    game = names["Walk"]()
    drawn = [game.picture(game.State(place)) for place in range(7)]
    assert [picture.index("X") for picture in drawn] == list(range(7))
    assert {len(picture) for picture in drawn} == {7}


def test_piles_and_holes_of_a_game_of_ones_own():
    told = described_at(Heaps())
    assert told["board"] == {"kind": "piles", "piles": [2, 3]}
    assert [action["places"] for action in told["actions"]] == [[1, 1], [2, 1]]

    class Sown(Heaps):
        drawn_as = "sowing"

        def format(self, state):
            return "1,2:7 3,4:8 A"

        def action_name(self, state, action):
            return str(action + 1)

    told = described_at(Sown())
    assert told["board"] == {"kind": "sowing", "holes": [[1, 2], [3, 4]], "stores": [7, 8]}
    assert [action["places"] for action in told["actions"]] == [[0], [1]]

    class Ahead(Sown):
        def format(self, state):
            return "1,2 3,4 -5 B"

    board = described_at(Ahead())["board"]
    assert board == {"kind": "sowing", "holes": [[1, 2], [3, 4]], "stores": None, "lead": -5}

    class Bare(Sown):
        def format(self, state):
            return "1,2 3,4"

    assert "lead" not in described_at(Bare())["board"]


@pytest.mark.parametrize(
    ("look", "text", "words"),
    [
        ("piles", "1,b", r"'1,b' are not numbers from 0 to 255"),
        ("piles", "256", "'256' are not numbers"),
        ("sowing", "1,2", "'' are not numbers"),
        ("sowing", "1,2 3 0", "rows of unequal length"),
    ],
)
def test_texts_that_a_look_does_not_fit_are_refused(look, text, words):
    class Wrong(Heaps):
        drawn_as = look

        def format(self, state):
            return text

    with pytest.raises(prunus.PositionError, match=words):
        described_at(Wrong())


def test_lines_between_points_of_a_game_of_ones_own():
    class Pointed(Heaps):
        drawn_as = "points"

        def format(self, state):
            return "X.-/O.. X"

        def action_name(self, state, action):
            return ("b1", "a2-b2")[action]

        def drawn_lines(self):
            return [(0, 1), (1, 4)]

    told = described_at(Pointed())
    assert told["board"]["cells"] == "X. O.."
    assert told["board"]["lines"] == [[0, 1], [1, 4]]
    assert [action["places"] for action in told["actions"]] == [[1], [3, 4]]

    class Beyond(Pointed):
        def drawn_lines(self):
            return [(0, 6)]

    with pytest.raises(prunus.PositionError, match=r"names the cell 6; its cells are 0 to 5"):
        described_at(Beyond())
