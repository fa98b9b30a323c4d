"""Databases of chess endings, against a solver of its own for a king and a rook, and against the
published longest mates."""

from __future__ import annotations

import csv
import random
import re
from bisect import bisect_left

import numpy as np
import pytest

from prunus.databases.backward import solve_positions
from prunus.databases.labels import value_of
from prunus.databases.ranking import rank_positions
from prunus.games.chess.endings import ChessEnding
from tests.amount import in_full
from tests.test_reference import FOLDER, needs_reference


@pytest.fixture(scope="module")
def solved():
    """The ending with a pawn, which leads to all with one man."""
    positions = rank_positions(ChessEnding("KPK"), compile=True, threads=2)
    return solve_positions(positions, compile=True, threads=2)


def value(solved, state):
    place = solved.positions.place(state)
    return value_of(int(solved.labels[place]), solved.scored)


def mate_in(moves):
    """The value and the plies of a mate in so many moves of the winner, as in `bm #-12`."""
    return (1, 2 * moves - 1) if moves > 0 else (-1, -2 * moves)


def longest(solved, mine, theirs):
    """The plies of the longest win with these men for the player to move."""
    numbers = {men: span for span, men in solved.positions.game.numbered()}[mine, theirs]
    places = range(len(solved.positions))
    begin, end = (
        bisect_left(places, number, key=solved.positions.number)
        for number in (numbers.start, numbers.stop)
    )
    labels = solved.labels.array[begin:end]
    values = {value_of(int(label), solved.scored) for label in np.unique(labels)}
    return max(plies for won, plies in values if won > 0)


@needs_reference
@pytest.mark.reference
def test_the_longest_mates_are_those_published(solved):
    found = 0
    with (FOLDER / "chess" / "longest_mates_3_4_men.csv").open() as file:
        for row in csv.DictReader(file):
            mine, theirs = (men[1:] for men in row["material_white_v_black"].split("v"))
            if len(mine) != 1 or theirs:
                continue
            plies = 2 * int(row["dtm_moves_side_to_move_wins"]) - 1
            state = solved.positions.game.parse(row["fen4_longest_mate"] + " 0 1")
            assert value(solved, state) == (1, plies), row
            assert longest(solved, mine, "") == plies, row
            found += 1
    assert found == 3


@needs_reference
@pytest.mark.reference
def test_mates_of_king_and_rook(solved):
    found = 0
    for line in (FOLDER / "chess" / "classic280.epd").read_text().splitlines():
        fen, moves = re.fullmatch(r"(.*) bm #(-?\d+);", line).groups()
        if sorted(filter(str.isalpha, fen.split()[0])) == ["K", "R", "k"]:
            state = solved.positions.game.parse(fen + " 0 1")
            assert value(solved, state) == mate_in(int(moves)), fen
            found += 1
    assert found == 40


KING_STEPS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
ROOK_STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def reached(square, steps, once, blockers):
    """The squares that a piece on an otherwise empty board reaches; it stops before `blockers`."""
    for step in steps:
        file, rank = square % 8 + step[0], square // 8 + step[1]
        while 0 <= file < 8 and 0 <= rank < 8 and 8 * rank + file not in blockers:
            yield 8 * rank + file
            if once:
                break
            file, rank = file + step[0], rank + step[1]


def rook_mates():
    """The plies to mate of all positions (white to move or not, king, rook, black's king) that are
    won for white, wave by wave from the mates."""
    near = [set(reached(square, KING_STEPS, True, ())) for square in range(64)]

    def attacked(square, king, rook):
        return square in near[king] or square in reached(rook, ROOK_STEPS, False, (king,))

    def flights(king, rook, other):
        return [
            square
            for square in near[other]
            if (square == rook and rook not in near[king])
            or (square != rook and not attacked(square, king, rook))
        ]

    legal = [
        (king, rook, other)
        for king in range(64)
        for rook in range(64)
        for other in range(64)
        if len({king, rook, other}) == 3 and other not in near[king]
    ]
    checked = {each: attacked(each[2], each[0], each[1]) for each in legal}
    plies = {}
    wave = [e for e in legal if checked[e] and not flights(*e)]
    plies.update(((False, *each), 0) for each in wave)
    count = 0
    while wave:
        count += 1
        before = []
        for king, rook, other in wave:
            sources = [(square, rook) for square in near[king] - {rook, other}]
            sources += [(king, s) for s in reached(rook, ROOK_STEPS, False, (king, other))]
            for source in sources:
                each = (*source, other)
                if each in checked and not checked[each] and (True, *each) not in plies:
                    plies[True, *each] = count
                    before.append(each)
        count += 1
        wave = []
        for king, rook, other in before:
            for square in near[other] - {king, rook}:
                each = (king, rook, square)
                if each not in checked or (False, *each) in plies:
                    continue
                after = flights(*each)
                if after and all((True, king, rook, s) in plies for s in after):
                    plies[False, *each] = count
                    wave.append(each)
    return legal, checked, plies


@in_full
def test_a_solver_for_king_and_rook_says_the_same(solved):
    game = solved.positions.game
    legal, checked, plies = rook_mates()
    rng = random.Random(1)
    assert max(plies.values()) == 32
    for king, rook, other in rng.sample(legal, 10_000):
        for white in (True, False):
            if white and checked[king, rook, other]:
                continue
            state = board(game, king, rook, other, white)
            won = plies.get((white, king, rook, other))
            if won is None:
                assert value(solved, state)[0] == 0
            else:
                assert value(solved, state) == (1 if white else -1, won)


def board(game, king, rook, other, white):
    rows = [["." for _ in range(8)] for _ in range(8)]
    for square, piece in ((king, "K"), (rook, "R"), (other, "k")):
        rows[7 - square // 8][square % 8] = piece
    text = "/".join("".join(row) for row in rows)
    text = re.sub(r"\.+", lambda gap: str(len(gap[0])), text)
    return game.parse(f"{text} {'w' if white else 'b'} - - 0 1")
