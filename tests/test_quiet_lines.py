"""Stopping early on long quiet lines: the option `quiet_line` against a search without a table."""

from __future__ import annotations

import prunus
from prunus.games import ExplicitTree, RandomGame
from tests.amount import amount


def value(game, state, depth, line, quiet, run=0):
    """The value to a depth where a line also ends after `line` quiet actions in a row."""
    if game.is_terminal(state):
        return game.utility(state)
    here = game.evaluate(state)
    if depth == 0 or run >= line:
        return here
    found = []
    for action in game.actions(state):
        child = game.result(state, action)
        sign = 1 if game.to_move(child) == game.to_move(state) else -1
        calm = not game.is_terminal(child) and abs(sign * game.evaluate(child) - here) <= quiet
        run_there = run + 1 if calm else 0
        found.append(sign * value(game, child, depth - 1, line, quiet, run_there))
    return max(found)


def test_lines_end_where_a_search_without_a_table_ends_them():
    """In trees, where the line to a position is part of the position; players move twice there."""
    stopped = 0
    for seed in range(amount(15, 100)):
        game = RandomGame(seed, depth=7, branching=4, values=20, transpositions=False)
        for line, quiet in ((1, 0), (1, 5), (2, 9), (3, 15)):
            found = prunus.analyze(
                game,
                algorithm="engine",
                depth=5,
                options={"quiet_line": line, "quiet": quiet},
                compile=False,
            )
            assert found.value == value(game, game.initial(), 5, line, quiet), (seed, line, quiet)
            assert not found.proved
            stopped += found.value != value(game, game.initial(), 5, 9, quiet)
    assert stopped > 0


def test_a_tactical_line_is_searched_on_where_a_quiet_one_ends():
    """Where nothing changes on the way, what comes at its end is not seen."""
    game = ExplicitTree.from_json(
        '{"value": 0, "children": ['
        '{"value": 0, "children": [{"value": 0, "children": [{"value": 0, "children": [9]}]}]}, '
        '{"value": 5, "children": [{"value": 0, "children": [{"value": 5, "children": [-1]}]}]}]}'
    )

    def answer(**options):
        found = prunus.analyze(game, algorithm="engine", depth=4, options=options, compile=False)
        return found.best, found.value

    assert answer() == answer(quiet_line=4) == (0, 9)
    assert answer(quiet_line=3) == answer(quiet_line=1) == (0, 0)
    assert answer(quiet_line=1, quiet=5) == (1, 5)
