"""What must hold for every answer, whatever the game, the algorithm and the limits."""

from __future__ import annotations

from typing import Any

from prunus.algorithms.leaves import LONGEST_LINE
from prunus.core.analysis import Analysis
from prunus.run.registry import ALGORITHMS
from tests.fuzz.making import HASTE, Truth


class Wrong(AssertionError):
    """An answer is not what it claims to be."""


def expect(condition: bool, what: str) -> None:
    """Raises Wrong if a condition does not hold."""
    if not condition:
        raise Wrong(what)


def check(found: Analysis, truth: Truth, depth: int | None, how: dict[str, Any]) -> None:
    """Raises Wrong if an answer to `analyze(..., **how)` at this depth is wrong, for a game without
    cycles."""
    exact = truth.value(0)
    if found.value is None:
        expect(found.interrupted, "no value, and not interrupted")
        return
    value = found.value
    if found.proved:
        holds = {"exact": value == exact, "lower": value <= exact, "upper": value >= exact}[
            found.bound
        ]
        expect(holds, f"PROVED: {found.bound} {value}, the truth is {exact}")
    _plays(truth, found.pv)
    if found.interrupted:
        return
    expected = truth.value(0, depth)
    expect(
        (value, found.bound) == (expected, "exact"),
        f"value {found.bound} {value}, expected {expected}",
    )
    expect(found.proved or depth is not None, "to the end, but not proved")
    left = None if depth is None else depth - 1
    worth = {
        action: truth.sign(0, child) * truth.value(child, left)
        for action, child in truth.children[0]
    }
    _best(found, worth, how)
    if how.get("prefer_faster"):
        _haste(found, truth, depth)
    _line(found, truth, depth, "nodes" in how)
    _moves(found, worth, how)


def _best(found: Analysis, worth: dict[int, int], how: dict[str, Any]) -> None:
    optimal = {action for action in worth if worth[action] == found.value}
    expect(found.best in optimal, f"best action {found.best}, values {worth}")
    expect(set(found.best_moves) <= optimal, f"best actions {found.best_moves}, values {worth}")
    values_all = (
        ALGORITHMS[found.algorithm].many_values
        and found.algorithm != "minimax-extreme"
        and not how.get("prefer_faster")
    )
    if values_all or how.get("all_moves"):
        expect(
            set(found.best_moves) == optimal,
            f"best actions {found.best_moves} are not all, values {worth}",
        )


def _plays(truth: Truth, line: tuple[int, ...]) -> tuple[int, int]:
    """The State at the end of a line, and whether the same player moves there (1) or not (-1)."""
    node, sign = 0, 1
    for action in line:
        below = dict(truth.children[node])
        expect(action in below, f"action {action} of the line {line} is none of node {node}")
        sign *= truth.sign(node, below[action])
        node = below[action]
    return node, sign


def _line(found: Analysis, truth: Truth, depth: int | None, limited: bool) -> None:
    """The line reaches the end of the game or the depth, and is worth the value."""
    expect(found.pv[:1] == (found.best,), f"the line {found.pv} does not begin with {found.best}")
    end, sign = _plays(truth, found.pv)
    if not truth.children[end]:
        expect(
            sign * truth.worth[end] == found.value,
            f"the line {found.pv} ends with {sign * truth.worth[end]}, not {found.value}",
        )
        expect(
            found.distance == len(found.pv) and not found.cut,
            f"distance {found.distance} of {found.pv}",
        )
    elif depth is not None and len(found.pv) >= depth and not found.proved:
        estimate = truth.estimate[end] if truth.kind.has_evaluate else 0
        expect(len(found.pv) == depth, f"the line {found.pv} is longer than the depth")
        expect(
            sign * estimate == found.value,
            f"the line {found.pv} ends with the estimate {sign * estimate}, not {found.value}",
        )
    else:
        expect(
            limited and found.cut == found.proved, f"the line {found.pv} ends before the game does"
        )


def _haste(found: Analysis, truth: Truth, depth: int | None) -> None:
    """The line is that of the nearest win or the most distant loss. Values must fit the scale."""
    end, sign = _plays(truth, found.pv)
    plies = LONGEST_LINE if depth is None else depth
    if truth.children[end] or found.algorithm in ("sss-stockman", "cached-minimax"):
        return
    worth = sign * truth.worth[end]
    got = worth * HASTE + (plies - len(found.pv) + 1) * ((worth > 0) - (worth < 0))
    expect(got == truth.in_haste(0, plies), f"the line {found.pv} is not the fastest")


def _moves(found: Analysis, worth: dict[int, int], how: dict[str, Any]) -> None:
    if how.get("all_moves"):
        expect(
            {move.action: move.value for move in found.moves or ()} == worth,
            f"moves {found.moves}, expected {worth}",
        )
    elif how.get("multi_pv", 1) > 1:
        moves = found.moves or ()
        best = sorted(worth.values(), reverse=True)[: how["multi_pv"]]
        expect(
            sorted((move.value for move in moves), reverse=True) == best,
            f"best {how['multi_pv']}: {moves}, expected {worth}",
        )
        expect(
            all(worth[move.action] == move.value for move in moves),
            f"best {how['multi_pv']}: {moves}, expected {worth}",
        )


def check_selective(found: Analysis, truth: Truth) -> None:
    """An answer that may be anything: it proves nothing, and its line can be played. If the rules
    of repetition leave the root no action the game is over, nothing is searched, and the value is
    the rules'."""
    over = not truth.along((0,), 1)
    expect(
        found.proved == over,
        f"proved: {found.proved}, by a selective search, though the game is "
        f"{'over' if over else 'not over'}",
    )
    expect(
        not over or found.value == -truth.kind.repetition_loss,
        f"value {found.value} of a game that is over by repetition",
    )
    _plays(truth, found.pv)
    expect(
        found.pv[:1] == (() if found.best is None else (found.best,)),
        f"the line {found.pv} does not begin with {found.best}",
    )


def check_cyclic(found: Analysis, truth: Truth, depth: int | None, how: dict[str, Any]) -> None:
    """The same for a game with cycles, by the oracle that knows the path. Raises TooLarge if the
    oracle gives up."""
    worth = truth.along((0,), depth)
    value = max(worth.values(), default=-truth.kind.repetition_loss)
    if found.interrupted:
        expect(
            found.value is None
            or not found.proved
            or found.bound != "exact"
            or found.value == value,
            f"PROVED {found.value}",
        )
        return
    expect(found.value == value, f"value {found.value}, expected {value}")
    expect(
        found.best is None if not worth else worth.get(found.best or 0) == value,
        f"best action {found.best}, values {worth}",
    )
    if how.get("all_moves"):
        expect(
            {move.action: move.value for move in found.moves or ()} == worth,
            f"moves {found.moves}, expected {worth}",
        )
    if found.proved:
        expect(truth.on_path((0,), None) == found.value, "PROVED")
        _line_of_cycles(found, truth)


def _line_of_cycles(found: Analysis, truth: Truth) -> None:
    """A line of a proved value obeys the rule, and is worth that value if the game ends with it."""
    path, sign = (0,), 1
    for number, action in enumerate(found.pv, 1):
        node, child = path[-1], dict(truth.children[path[-1]])[action]
        sign *= truth.sign(node, child)
        if truth.children[child] and truth.repeats(path, child):
            rule = truth.kind.repetition
            expect(
                rule != "forbidden" and number == len(found.pv),
                f"the line {found.pv} goes on after a repetition",
            )
            worth = (
                0
                if rule == "draw"
                else -truth.kind.repetition_loss * sign * truth.sign(node, child)
            )
            expect(
                worth == found.value,
                f"the line {found.pv} ends with a repetition worth {worth}, not {found.value}",
            )
        path = (*path, child)
    if not truth.children[path[-1]]:
        expect(
            sign * truth.worth[path[-1]] == found.value,
            f"the line {found.pv} ends with another value than {found.value}",
        )
