"""Boards that games draw themselves."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import prunus
from prunus.core.position import read_position
from prunus.games.catalogue import make_game
from prunus.studio.boards import LARGEST, described


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
