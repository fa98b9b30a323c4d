"""What `go` asks for, and the clock behind it."""

from __future__ import annotations

import random

import pytest

from prunus.play.protocols.orders import NUMBERS, Lag, Orders, read_orders
from prunus.run.clock import RESERVE, Allotment, TimeLeft, allotted


def test_words_of_go():
    words = "wtime 60000 btime 50000 winc 100 binc 200 movestogo 40".split()
    assert read_orders(words) == Orders(
        first=60000, second=50000, first_increment=100, second_increment=200, to_go=40
    )
    assert read_orders("p1time 5 p2time 6 p1inc 7 p2inc 8".split()) == Orders(
        first=5, second=6, first_increment=7, second_increment=8
    )
    assert read_orders("ponder depth 7 nodes 9 mate 3".split()) == Orders(
        depth=7, nodes=9, mate=3, ponder=True
    )
    known = ["e2e4", "d2d4"]
    found = read_orders("searchmoves e2e4 d2d4 x movetime 100".split(), known)
    assert (found.only, found.move) == (("e2e4", "d2d4"), 100)
    assert read_orders(["wtime", "-20"]).first == 0
    assert read_orders(["depth", "x", "infinite", "movetime"]) == Orders(infinite=True)


def test_any_words_make_orders():
    rng = random.Random(1)
    words = [
        *NUMBERS,
        "infinite",
        "ponder",
        "searchmoves",
        "a",
        "-5",
        "1e9",
        "nan",
        "9" * 40,
        "0",
        "",
    ]
    for _ in range(2000):
        orders = read_orders([rng.choice(words) for _ in range(rng.randint(0, 12))], ["a"])
        found = orders.allotment(rng.randint(0, 1), 0.01)
        assert found.hard is None or 0 < found.soft <= found.hard


@pytest.mark.parametrize("increment", [0.0, 0.01, 0.1, 2.0])
@pytest.mark.parametrize("base", [0.3, 1.0, 10.0, 600.0])
def test_a_clock_lasts_even_if_every_move_takes_the_most(base, increment):
    left = base
    for _ in range(400 if increment else 40):
        found = allotted(TimeLeft(left, increment))
        assert found.soft <= found.hard
        left -= found.hard + 0.003
        assert left > 0
        left += increment


def test_the_last_move_of_a_period_may_take_all_but_the_reserve():
    found = allotted(TimeLeft(10.0, to_go=1), overhead=0.0)
    assert found.hard == pytest.approx(10 - RESERVE)
    assert allotted(TimeLeft(10.0, to_go=40)).hard < 2
    assert allotted(TimeLeft(10.0, to_go=2)).hard < 5


def test_byo_yomi_is_used_and_not_overstepped():
    found = allotted(TimeLeft(0.0, byoyomi=5.0))
    assert 4.5 < found.soft <= found.hard < 5
    found = allotted(TimeLeft(60.0, byoyomi=5.0))
    assert 5 < found.soft < found.hard < 60


def test_other_limits():
    assert allotted(TimeLeft()) == Allotment()
    assert allotted(TimeLeft(move=1.0), overhead=0.1) == Allotment(0.9, 0.9)
    assert allotted(TimeLeft(0.0)).hard > 0
    assert Orders(infinite=True, first=5).allotment(0, 0.0) == Allotment()
    assert Orders(first=5000).allotment(1, 0.0) == Allotment()


def test_the_lag_is_what_the_clock_lost_besides_the_search():
    lag = Lag()
    left = 1000
    for cost in (0.02, 0.03, 0.02, 0.02):
        orders = Orders(first=left, first_increment=10)
        lag.note(orders, 0)
        lag.searched(orders, 0, 0.1)
        left += 10 - 100 - round(1000 * cost)
    lag.note(Orders(first=left, first_increment=10), 0)
    assert sorted(lag.seen) == pytest.approx([0.02, 0.02, 0.02, 0.03])
    assert 0.02 <= lag.expected() <= 0.031
    lag.note(Orders(first=90_000), 0)  # another game, or another clock
    assert len(lag.seen) == 4
    assert Lag().expected() == 0


def test_what_moves_cost_beyond_their_increment_is_kept():
    left, moves = 1.0, 0
    while left > 0:
        left -= allotted(TimeLeft(left, 0.01), overhead=0.02).hard + 0.02
        left, moves = left + 0.01, moves + 1
    assert moves > 70  # even if every move takes the most
    assert allotted(TimeLeft(1.0), overhead=0.01).soft < allotted(TimeLeft(1.0), overhead=0.0).soft
