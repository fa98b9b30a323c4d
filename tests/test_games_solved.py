"""Kalah, Awari, Breakthrough, hexapawn, Hex, dots and boxes, dobutsu shogi, morris, fox and geese:
against naive rules on lists and sets, and their published values."""

from __future__ import annotations

import csv
import os
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import prunus
from prunus.core.game import PositionError
from prunus.games import (
    Awari,
    Breakthrough,
    Dobutsu,
    Dots,
    FoxAndGeese,
    Hex,
    Hexapawn,
    Kalah,
    NineMensMorris,
)
from prunus.games.dobutsu.numbers import HAND_RECIPROCALS, PAIRS, RECIPROCALS, SCALE
from tests.amount import amount, in_full
from tests.naive_games import (
    NaiveAwari,
    NaiveDobutsu,
    NaiveDots,
    NaiveFoxAndGeese,
    NaiveHex,
    NaiveKalah,
    NaiveMorris,
    NaivePawns,
)

REFERENCE = Path(
    os.environ.get("PRUNUS_REFERENCE", Path(__file__).parents[1] / "../shared/reference")
)

AGAINST_NAIVE: list[tuple[Any, Any]] = [
    (Kalah(6, 4), NaiveKalah(6, 4)),
    (Kalah(1, 6), NaiveKalah(1, 6)),
    (Kalah(2, 40), NaiveKalah(2, 40)),
    (Kalah(7, 12, empty_capture=False), NaiveKalah(7, 12, False)),
    (Awari(), NaiveAwari(6, 48)),
    (Awari(2, 5), NaiveAwari(2, 5)),
    (Awari(3, 120), NaiveAwari(3, 120)),
    (Breakthrough(), NaivePawns(8, 8, 2, True)),
    (Breakthrough(2, 9, 3), NaivePawns(2, 9, 3, True)),
    (Breakthrough(5, 4, 1), NaivePawns(5, 4, 1, True)),
    (Hexapawn(), NaivePawns(3, 3, 1, False)),
    (Hexapawn(8, 8), NaivePawns(8, 8, 1, False)),
    (Hex(3, swap=True), NaiveHex(3, True)),
    (Hex(8), NaiveHex(8)),
    (Hex(11, swap=True), NaiveHex(11, True)),
    (Dots(2, 2), NaiveDots(2, 2)),
    (Dots(1, 4), NaiveDots(1, 4)),
    (Dots(5, 5), NaiveDots(5, 5)),
    (Dobutsu(), NaiveDobutsu()),
    (NineMensMorris(), NaiveMorris(9)),
    (NineMensMorris(4, rings=2), NaiveMorris(4, 2)),
    (NineMensMorris(8, False, 2), NaiveMorris(8, 2, False)),
    (FoxAndGeese(), NaiveFoxAndGeese(8)),
    (FoxAndGeese(4), NaiveFoxAndGeese(4)),
]


@pytest.mark.parametrize(
    ("game", "naive"),
    AGAINST_NAIVE,
    ids=lambda value: value.title() if isinstance(value, prunus.Game) else "",
)
def test_against_naive_rules(game: Any, naive: Any) -> None:
    rng = random.Random(repr(game))
    for _ in range(amount(3, 20)):
        state, position = game.initial(), naive.start
        for _ in range(400):
            assert game.format(state) == naive.text(position)
            expected = dict(naive.moves(position))
            assert game.is_terminal(state) == (not expected)
            if not expected:
                break
            actions = {game.action_name(state, action): action for action in game.actions(state)}
            assert sorted(actions) == sorted(expected)
            name = rng.choice(sorted(expected))
            state, position = game.result(state, actions[name]), expected[name]


def test_what_is_left_in_kalah_is_its_owner_s_or_not() -> None:
    text = "0,0,0:2 1,0,4:5 A"
    for owner, value in ((True, 2 - 10), (False, 7 - 5)):
        game = Kalah(3, 2, owner=owner)
        state = game.parse(text)
        assert game.is_terminal(state) and game.utility(state) == value


def test_counters_that_go_around_come_into_the_hole_they_left() -> None:
    game = Kalah(2, 3)
    state = game.result(game.parse("6,1:0 2,3:0 A"), 0)
    assert game.format(state) == "1,3:1 3,4:0 B"


def _kalah_rows() -> list[dict[str, str]]:
    path = REFERENCE / "solved/kalah_irving2000.csv"
    if not path.exists():
        return []
    return [
        row for row in csv.DictReader(path.read_text().splitlines()) if row["margin_computed_here"]
    ]


@pytest.mark.skipif(not _kalah_rows(), reason="no reference data")
def test_published_values_of_kalah() -> None:
    """Irving, Donkers & Uiterwijk 2000, table 10, and margins that were computed from it."""
    for row in _kalah_rows():
        holes, counters = int(row["m_holes"]), int(row["n_counters"])
        if holes * counters <= amount(4, 6):
            found = prunus.solve(Kalah(holes, counters), compile=False)
            assert (found.value, found.proved) == (int(row["margin_computed_here"]), True)


@in_full
def test_kalah_compiled() -> None:
    """Irving et al., table 9: the margin of four holes with two counters is 6."""
    found = prunus.solve(Kalah(4, 2), compile=True)
    assert (found.value, found.proved) == (6, True)


def naive_value(naive: Any, position: Any, known: dict[Any, bool]) -> bool:
    """Whether the player to move wins, where whoever cannot move has lost."""
    if position not in known:
        known[position] = not all(
            naive_value(naive, after, known) for _, after in naive.moves(position)
        )
    return known[position]


@pytest.mark.parametrize(
    ("game", "naive", "wins"),
    [
        (Hexapawn(3, 3), NaivePawns(3, 3, 1, False), False),  # Gardner 1962
        (Hexapawn(4, 4), NaivePawns(4, 4, 1, False), True),
        (Breakthrough(3, 3, 1), NaivePawns(3, 3, 1, True), True),
        (Breakthrough(3, 4, 1), NaivePawns(3, 4, 1, True), True),
        (FoxAndGeese(4), NaiveFoxAndGeese(4, early=False), True),
        (Hex(2), NaiveHex(2), True),
        (Hex(3), NaiveHex(3), True),  # no game of Hex is lost for its first player: Nash 1948
        (Hex(3, swap=True), NaiveHex(3, True), False),
    ],
    ids=lambda value: value.title() if isinstance(value, prunus.Game) else "",
)
def test_values_of_small_boards(game: Any, naive: Any, wins: bool) -> None:
    found = prunus.solve(game, compile=False)
    assert found.proved and found.value == (1 if wins else -1)
    assert naive_value(naive, naive.start, {}) == wins


@pytest.mark.parametrize("size", [4, pytest.param(6, marks=in_full)])
def test_a_fox_that_has_passed_wins(size: int) -> None:
    """Each position that can be reached has the value that it has if the game goes on until someone
    cannot move."""
    naive, endless = NaiveFoxAndGeese(size), NaiveFoxAndGeese(size, early=False)
    seen, waiting = {naive.start}, [naive.start]
    values: list[dict[Any, bool]] = [{}, {}]
    while waiting:
        position = waiting.pop()
        early, late = (
            naive_value(rules, position, known)
            for rules, known in zip((naive, endless), values, strict=True)
        )
        assert early == late
        for _, after in naive.moves(position):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len(seen) == {4: 118, 6: 10273}[size]


def test_values_of_dots_and_boxes() -> None:
    """Against a maximum over all moves, by the difference of the boxes still to be taken."""

    def gain(naive: NaiveDots, position: Any, known: dict[Any, int]) -> int:
        drawn, boxes, mover = position
        if drawn not in known:
            values = []
            for _, after in naive.moves(position):
                made = sum(after[1]) - sum(boxes)
                values.append(made + (1 if made else -1) * gain(naive, after, known))
            known[drawn] = max(values, default=0)
        return known[drawn]

    for width, height in ((1, 1), (2, 1), (1, 3)):
        naive = NaiveDots(width, height)
        found = prunus.solve(Dots(width, height), compile=False)
        assert found.proved and found.value == gain(naive, naive.start, {})


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Kalah(8, 1), "1 to 7 holes"),
        (lambda: Kalah(6, 22), "at most 255 counters"),
        (lambda: Breakthrough(9, 8), "at most 64 cells"),
        (lambda: Breakthrough(5, 5, 3), "1 to 2 rows of pawns"),
        (lambda: Hex(12), "1 to 11 rows"),
        (lambda: Dots(6, 5), "71 edges"),
        (lambda: NineMensMorris(9, rings=2), "3 to 8 stones on 16 points"),
        (lambda: NineMensMorris(rings=4), "2 or 3 squares"),
        (lambda: FoxAndGeese(7), "4, 6 or 8 rows"),
    ],
)
def test_boards_that_do_not_fit(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (Kalah(2, 2), "2,2:0 2,3:0 A", "there are 9 counters, not 8"),
        (Kalah(2, 2), "2,2 2,2:0 A", "A's side ('2,2') is not 2 numbers"),
        (Hexapawn(), "X.X/.../OXO X", "X has a pawn on the last row"),
        (Hex(2), "X./X. X", "X has a chain from edge to edge"),
        (Dots(1, 1), "+-+/|#|/+-+ 0 A", "of 1 complete boxes"),
        (Dots(1, 1), "+-+/|#|/+-+ A", "does not end with the lead"),
        (NineMensMorris(3, rings=2), ".-.-./-...-/....-/-...-/.-.-. 6 X", "c3 is no point"),
        (NineMensMorris(3, rings=2), ".-.-./-...-/..-../-.-.-/.-.-. 6 X", "c4 is a point"),
        (
            NineMensMorris(3, rings=2),
            ".-.-./-...-/..-../-...-/.-.-. 5 X",
            "the other player's turn",
        ),
        (NineMensMorris(3, rings=2), ".-.-./-...-/..-../-...-/.-.-. 7 O", "0 to 6"),
        (NineMensMorris(3, rings=2), "X-X-./-...-/..-../-...-/.-.-. 4 X", "2 stones on the board"),
        (FoxAndGeese(4), ".F../..../..../G.G. X", "the player to move, G or F"),
        (FoxAndGeese(4), "F.../..../..../G.G. G", "a1 is no dark square"),
        (FoxAndGeese(4), ".F../..../..../G... G", "there are 1 G, not 2"),
    ],
)
def test_positions_that_are_refused(game: Any, text: str, words: str) -> None:
    with pytest.raises(PositionError, match=re.escape(words)):
        game.parse(text)


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("g.e/.c./.C./lLG E/-", False),  # the lion in the corner can be captured
        ("g.e/.cL/.../l.G E/C", True),
        (".l./.../.../ELG GEC/C", False),
    ],
)
def test_a_lion_on_the_last_row_wins_unless_it_can_be_captured(text: str, over: bool) -> None:
    game = Dobutsu()
    assert game.is_terminal(game.parse(text)) == over


def test_dobutsu_may_end_when_the_lion_can_be_captured() -> None:
    text = "gle/.C./.../ELG C/-"
    for early in (False, True):
        game = Dobutsu(early)
        state = game.parse(text)
        found = prunus.solve(game, text, compile=False) if not early else None
        assert game.is_terminal(state) == early and game.bounds(state) == (64, 64)
        assert found.value == 64 if found else game.utility(state) == 64


def test_dobutsu_divides_exactly() -> None:
    for divisors, reciprocals in ((PAIRS, RECIPROCALS), ((3, 2, 1), HAND_RECIPROCALS)):
        for divisor, reciprocal in zip(divisors, reciprocals, strict=True):
            for quotient in {0, 1, 2, (1 << 24) // (divisor or 1) - 1} if divisor else ():
                for number in (quotient * divisor, (quotient + 1) * divisor - 1):
                    assert int(number * reciprocal >> SCALE) == quotient


def test_numbers_of_dobutsu() -> None:
    """Those of random games lead back; no two positions have one, and mirror images share it. The
    placements of two lions and six other pieces are 1,567,925,964."""
    game, draw, seen = Dobutsu(early=True), random.Random(5), {}
    for _ in range(amount(200, 2000)):
        state = game.initial()
        while not game.is_terminal(state) and len(seen) < 100_000:
            home = game.canonical(state)
            image = game.State(game.mirrored(state.squares))
            number = game.rank(home)
            assert 0 <= number < game.rank_count() and game.unrank(number) == home
            assert game.rank(game.canonical(image)) == number
            assert seen.setdefault(number, home) == home
            state = game.result(state, draw.choice(list(game.actions(state))))
    assert len(seen) > 200
    for _ in range(amount(200, 5000)):
        number = draw.randrange(game.rank_count())
        home = game.unrank(number)
        assert game.canonical(home) == home and game.unrank(game.rank(home)) == home
        # Of a lion in the middle column, both images have numbers, and one is that of the position.
        lion = game.lions(home.squares) & ~(home.squares >> 3)
        assert game.rank(home) == number or lion & 0x010010010010
    assert 3 * game.rank_count() == 2 * 1_567_925_964
    assert Dobutsu().rank_count() == 0
