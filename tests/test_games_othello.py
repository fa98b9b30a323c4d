"""Othello compared with boards made of lists and with its published counts, and its texts."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import prunus
from prunus.algorithms.perft import perft
from prunus.checking import check
from prunus.checking.report import Report, Visit
from prunus.checking.survey import compare_backends
from prunus.core.bits import u64
from prunus.core.game import PositionError
from prunus.games import Othello
from prunus.games.othello import FEW, PASS
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory
from tests import naive_boards as boards
from tests.amount import in_full, thinned
from tests.playing import walk

SIZES = (4, 6, 8)
KNOWN = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
some = settings(
    max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def drawn(board: list[list[str]], player: str) -> str:
    return boards.text(board).replace(".", "-") + f" {player}"


def passing(game: Any) -> Any:
    """A State in which the player to move must pass, from random games."""
    return next(
        s for seed in range(1000) for s in walk(game, seed)[:-1] if list(game.actions(s)) == [PASS]
    )


@some
@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_random_games_against_lists(size: int, seed: int) -> None:
    game, chance = Othello(size), random.Random(seed)
    board, player, state = boards.othello_start(size), "X", game.initial()
    while not boards.othello_over(board):
        assert not game.is_terminal(state)
        assert (
            game.format(state) == drawn(board, player) and game.parse(drawn(board, player)) == state
        )
        moves = boards.othello_moves(board, player)
        assert list(game.actions(state)) == ([r * size + c for r, c in moves] or [PASS])
        assert game.empties(state) == sum(row.count(".") for row in board)
        low, high = game.bounds(state)
        assert low < game.evaluate(state) < high
        action = chance.choice(list(game.actions(state)))
        if moves:
            board = boards.othello_after(board, *divmod(action, size), player)
        player, state = "O" if player == "X" else "X", game.result(state, action)
    assert game.is_terminal(state) and game.format(state) == drawn(board, player)
    assert game.utility(state) == boards.othello_score(board, player)


@some
@given(st.sampled_from(SIZES), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_any_position_against_lists(size: int, discs: int, colours: int) -> None:
    """Also positions that no game reaches: discs anywhere, long runs, all eight directions at
    once."""
    game = Othello(size)
    discs &= int(game.board)
    state = game.State(discs & colours, discs & ~colours, False)
    board = [
        [
            "X" if state.mine >> p & 1 else "O" if state.theirs >> p & 1 else "."
            for p in range(r, r + size)
        ]
        for r in range(0, size**2, size)
    ]
    assert game.is_terminal(state) == boards.othello_over(board)
    assert game.utility(state) == boards.othello_score(board, "X")
    moves = boards.othello_moves(board, "X")
    assert list(game.actions(state)) == ([r * size + c for r, c in moves] or [PASS])
    for r, c in moves:
        assert game.format(game.result(state, r * size + c)) == drawn(
            boards.othello_after(board, r, c, "X"), "O"
        )


@pytest.mark.parametrize("size", SIZES)
def test_around_against_lists(size: int) -> None:
    game = Othello(size)
    for place in range(size * size):
        row, column = divmod(place, size)
        near = [(row + down, column + right) for down, right in boards.AROUND]
        assert game.around(u64(1) << place) == sum(
            1 << r * size + c for r, c in near if 0 <= r < size and 0 <= c < size
        )


def test_check_has_nothing_to_say() -> None:
    report = check(Othello(4), games=8, compile=True)
    assert report.compiled and not report.findings, str(report)


@pytest.mark.parametrize("size", SIZES)
def test_interpreted_and_compiled_agree(size: int) -> None:
    game, report = Othello(size), Report("Othello")
    states = {state for seed in range(4) for state in walk(game, seed)} | {passing(game)}
    compare_backends(
        game,
        {state: Visit(state, game.is_terminal(state), 0, "") for state in states},
        report,
        required=True,
    )
    assert report.compiled and not report.findings, str(report)


def ordered(game, state, depth: int, memory) -> int:
    """A checksum of `order` over all lines of `depth` plies."""
    memory.nodes += 1
    if depth == 0 or game.is_terminal(state):
        return game.evaluate(state) if depth == 0 else 0
    total = 0
    for action in game.actions(state):
        total = (
            31 * total
            + game.order(state, action)
            + ordered(game, game.result(state, action), depth - 1, memory)
        ) % 1000003
    return total


def on_both(function: Any, game: Any, state: Any, depth: int) -> list[int]:
    memory = Memory({"nodes": "i64"})
    arguments = {"game": game, "state": state, "depth": depth, "memory": memory}
    return [
        prepare(function, arguments, compile)[0](game, state, depth, memory)
        for compile in (False, True)
    ]


@pytest.mark.parametrize("size", SIZES)
def test_order_is_the_same_on_both_backends(size: int) -> None:
    game = Othello(size)
    for state in (game.initial(), passing(game)):
        first, second = on_both(ordered, game, state, 4)
        assert first == second != 0


def test_perft() -> None:
    """Well known; the reference suite searches deeper."""
    game, memory = Othello(), Memory({"nodes": "i64"})
    count, _ = prepare(
        perft, {"game": game, "state": game.initial(), "depth": 1, "memory": memory}, compile=True
    )
    assert [count(game, game.initial(), depth, memory) for depth in range(1, 9)] == [
        4,
        12,
        56,
        244,
        1396,
        8200,
        55092,
        390216,
    ]


@pytest.mark.parametrize(("size", "depth"), [(4, 7), (6, 5)])
def test_perft_of_small_boards_against_lists(size: int, depth: int) -> None:
    start = boards.othello_start(size)
    assert (
        on_both(perft, Othello(size), Othello(size).initial(), depth)
        == [boards.othello_perft(start, depth)] * 2
    )


@in_full
def test_four_by_four_is_solved() -> None:
    """White wins 11 to 3 (well known), and the two empty squares count for him too."""
    game = Othello(4)
    assert boards.othello_value(boards.othello_start(4), "X", {}) == -10
    for algorithm in ("alphabeta", "engine"):
        found = prunus.solve(game, algorithm=algorithm, compile=True)
        assert (found.value, found.proved) == (-10, True)


def test_values_of_endings_against_lists() -> None:
    for size, empties in thinned(((4, 8), (6, 6), (8, 5)), 2):
        game = Othello(size)
        for seed in range(8):
            state = next(
                (s for s in walk(game, seed) if game.empties(s) <= empties), game.initial()
            )
            rows, player = game.format(state).replace("-", ".").split()
            board = [list(row) for row in rows.split("/")]
            assert prunus.solve(game, state, compile=True).value == boards.othello_value(
                board, player, {}
            )


def test_order_prefers_few_replies_and_corners() -> None:
    game = Othello()
    state = game.parse("-OX-----" + "--------" * 7 + " X")
    assert [game.action_name(state, action) for action in game.actions(state)] == ["a1"]
    assert game.order(state, 0) == 8
    start = game.initial()
    assert [game.order(start, action) for action in game.actions(start)] == [-3] * 4


def test_evaluation_knows_corners_and_what_gives_them_away() -> None:
    game = Othello(patterns=False)
    middle = "---OX---/---XO---/--------/--------/-------- X"
    corner, beside, diagonal = (
        game.evaluate(game.parse(f"{top}/{middle}"))
        for top in (
            "X-------/--------/--------",
            "-X------/--------/--------",
            "--------/-X------/--------",
        )
    )
    assert corner > 0 > beside > diagonal
    state = game.parse(KNOWN)
    assert game.evaluate(state) == -game.evaluate(
        state._replace(mine=state.theirs, theirs=state.mine)
    )


def test_who_is_behind_counts_mobility() -> None:
    by_patterns, by_mobility = Othello(), Othello(patterns=False)
    states = [state for state in walk(by_patterns, 4) if not by_patterns.is_terminal(state)]
    behind = [by_patterns.evaluate_behind(state) for state in states]
    assert behind == [by_mobility.evaluate(state) for state in states]
    assert behind != [by_patterns.evaluate(state) for state in states]
    assert behind == [by_mobility.evaluate_behind(state) for state in states]


def test_texts_of_positions() -> None:
    game = Othello()
    state = game.parse(KNOWN)
    assert state == game.parse(KNOWN.lower().replace("x", "*").replace("-", "."))
    assert (
        state == game.parse(game.format(state)) == game.parse(game.format(state).replace("/", "\n"))
    )
    assert "".join(game.format(state).split("/")) == KNOWN
    other = game.parse(KNOWN[:-1] + "O")
    assert (other.mine, other.theirs, other.white) == (state.theirs, state.mine, True) and game.key(
        other
    ) != game.key(state)
    assert (
        game.format(game.initial())
        == "--------/--------/--------/---OX---/---XO---/--------/--------/-------- X"
    )
    assert game.parse("start") == game.initial()


def test_transcripts() -> None:
    game = Othello()
    state = game.play(["f5", "d6", "c3"])
    assert (
        game.format(state)
        == "--------/--------/--X-----/---XX---/---OXX--/---O----/--------/-------- O"
    )
    for text in ("f5d6c3", "F5D6C3", " f5 d6, c3 "):
        assert game.parse(text) == state


@pytest.mark.parametrize("size", SIZES)
def test_transcripts_with_and_without_passes(size: int) -> None:
    game, passes = Othello(size), 0
    for seed in range(12):
        chance, state, names = random.Random(seed), game.initial(), []
        while not game.is_terminal(state):
            action = chance.choice(list(game.actions(state)))
            names.append(game.action_name(state, action))
            state = game.result(state, action)
        passes += names.count("pass")
        for word in ("pass", "pa", "PA", "--", ""):
            assert game.parse("".join(names).replace("pass", word)) == state
        assert game.play(names) == state
    assert passes > 0


def test_a_pass_changes_the_colour_alone() -> None:
    game = Othello()
    state = passing(game)
    child = game.result(state, PASS)
    assert child == (state.theirs, state.mine, not state.white)
    assert (
        game.action_name(state, PASS) == "pass"
        and game.format(child)[:-1] == game.format(state)[:-1]
    )
    assert game.parse(game.format(state)) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (KNOWN[:-2], "does not end with a blank and the player to move, X (black) or O (white)"),
        (KNOWN[1:], "the board has 64 squares, 8 rows of 8, not 63"),
        (KNOWN.replace("O--OO", "O--Z?"), "square 4 (d1): 'Z' is not X, O or '-'"),
        ("f5f6e6d7", "move 4 (d7) is illegal here; legal:"),
        ("f5 d6 c9", "move 3 (c9): there is no such square; squares are a1 to h8"),
        ("f5 i1", "move 2 (i1): there is no such square"),
        ("f5 a0", "move 2 (a0): there is no such square"),
        ("f5 pa", "move 2 (pa) is illegal here; legal: f4 d6 f6"),
        ("f5 d6 ?!", "move 3: '?!' begins neither with a square (such as f5) nor with a pass"),
        ("f5 5", "move 2: '5' begins neither with a square"),
        ("e6f4e3f6g5d6e7f5c5e2", "move 10 (e2): the game is already over"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=re.escape(message)) as error:
        Othello().parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("size", [0, 2, 5, 7, 10, -8])
def test_other_boards_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"not on {size} x {size}"):
        Othello(size)


# Stable discs and symmetry, for searches to the end.


def turnable(game: Any, state: Any, known: dict[Any, u64]) -> u64:
    """The current discs that some line of play flips."""
    if game.is_terminal(state):
        return u64(0)
    if state not in known:
        found = u64(0)
        for action in game.actions(state):
            child = game.result(state, action)
            found |= turnable(game, child, known) | (state.theirs & ~child.mine)
        known[state] = found
    return known[state]


def crowded(game: Any, chance: random.Random, most: int) -> Any:
    """A position with few empty squares and many adjacent discs of one colour."""
    size, cells = game.size, game.cells
    edge = chance.randrange(size + 1)
    mine = sum(
        1 << square for square in range(cells) if (square // size < edge) != (chance.random() < 0.1)
    )
    empty = sum(1 << square for square in chance.sample(range(cells), chance.randint(1, most)))
    first, second = u64(mine & ~empty), u64(int(game.board) & ~mine & ~empty)
    return (
        game.State(first, second, False)
        if chance.random() < 0.5
        else game.State(second, first, False)
    )


@pytest.mark.parametrize("size", SIZES)
def test_no_line_of_play_turns_a_stable_disc_over(size: int) -> None:
    game, chance, found = Othello(size), random.Random(size), 0
    for _ in range(60):
        state = crowded(game, chance, 5)
        turned = turnable(game, state, {})
        for own, others in ((state.mine, state.theirs), (state.theirs, state.mine)):
            stable = game.stable(own, others)
            assert stable & ~own == 0 and stable & turned == 0, game.format(state)
            found += stable.bit_count()
    assert found > 60 * size


@pytest.mark.parametrize(
    ("position", "stable"),
    [
        ("XXXX/XOO-/XO--/---- X", "XXXX/X---/X---/----"),
        ("-XXX/XOOO/XO--/---- X", "-XXX/----/----/----"),
        ("XXO-/XX--/X---/---- X", "XX--/XX--/X---/----"),
        ("XOOX/OXXO/OXXO/XOOX X", "X--X/-XX-/-XX-/X--X"),
        ("OXXO/XXXX/XXX-/OXXO X", "-XX-/XXX-/XXX-/-XX-"),
        ("----/-XX-/-XX-/---- X", "----/----/----/----"),
    ],
)
def test_stable_discs_by_hand(position: str, stable: str) -> None:
    game = Othello(4)
    state = game.parse(position)
    cells = stable.replace("/", "")
    assert game.stable(state.mine, state.theirs) == sum(
        1 << place for place, cell in enumerate(cells) if cell == "X"
    )


@pytest.mark.parametrize("size", SIZES)
def test_values_lie_within_what_is_secured(size: int) -> None:
    game, chance, answered = Othello(size), random.Random(size), 0
    for _ in range(60):
        state = crowded(game, chance, 5)
        if game.is_terminal(state):
            continue
        value = prunus.solve(game, state, "alphabeta", compile=True).value
        for alpha in {value - 1, value, value + 6, value - 7, 0, -game.cells, game.cells}:
            low, high = game.secured(state, alpha)
            assert low <= value <= high
            answered += low > alpha > -game.cells or high <= alpha < game.cells
    assert answered > 10


@pytest.mark.parametrize("size", [4, 6])
def test_images_have_one_representative_of_the_same_value(size: int) -> None:
    game = Othello(size)
    form = game.solving_game()
    for seed in range(20):
        for state in walk(game, seed)[::3]:
            rows = game.format(state)[:-2].split("/")
            images = []
            for _ in range(4):
                rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
                images += [rows, rows[::-1]]
            texts = ["/".join(image) + game.format(state)[-2:] for image in images]
            found = {form.canonical(game.parse(text)) for text in texts}
            if size * size - game.empties(state) > FEW:
                assert found == {game.parse(text) for text in texts}
            else:
                assert len(found) == 1 and game.format(found.pop()) in texts


def test_only_small_boards_are_solved_up_to_symmetry() -> None:
    class Other(Othello):
        pass

    assert Othello(6).solving_game().has_canonical and not Othello(6).has_canonical
    for game in (Othello(8), Other(6)):
        assert game.solving_game() is game
