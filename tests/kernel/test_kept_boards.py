"""Boards that a function keeps, exchanges, yields and hands on stay what they were, compiled as in
Python: a board is passed on from where it lies, so no place may be used again too early."""

from typing import NamedTuple

import pytest

from prunus import Game, i8, i64, u8, u16, with_item
from prunus.kernel.backends import call
from tests.amount import thinned


def total_of(cells):
    t = 7
    for c in cells:
        t = (t * 31 + c) % 1000003
    return t


def boards_of(kind, size):
    """A game with two boards of this kind and size."""

    class Boards(Game):
        class State(NamedTuple):
            cells: tuple[kind, ...]
            n: u16
            other: tuple[kind, ...]

        def __init__(self):
            self.size = size

        if kind is bool:

            def cell(self, v):
                return v % 2 == 1

        else:

            def cell(self, v):
                return v % 100

        def listed(self, cells, i, v):
            new = list(cells)
            new[i % self.size] = self.cell(v)
            new[(i * 3) % self.size] = self.cell(v + 1)
            return tuple(new)

        def initial(self):
            return self.State(
                tuple(self.cell(i * 7 + 1) for i in range(self.size)),
                3,
                tuple(self.cell(i * 5) for i in range(self.size)),
            )

        def kids(self, s):
            cells = s.cells
            for i in range(4):
                cells = self.listed(cells, i * 5, i + s.n)
                yield self.State(cells, i, s.cells)

        def boards(self, s):
            b = list(s.cells)
            for i in range(5):
                b[i % self.size] = self.cell(b[i % self.size] + i)
                yield tuple(b)

        def total(self, s):
            return total_of(s.cells) * 3 + total_of(s.other) + s.n

        def twice(self, a, b, k):
            x = list(a)
            x[k % self.size] = self.cell(1)
            y = tuple(x)
            return total_of(a) + 2 * total_of(b) + 3 * total_of(y)

        def bad(self, cells, k):
            new = list(cells)
            new[k % self.size] = self.cell(1)
            if k % 2:
                raise ValueError("x")
            return tuple(new)

    return Boards()


def yielded_states(game, state, k):
    n = 0
    last = state
    for child in game.kids(state):
        n = (n * 3 + game.total(child) + game.total(last)) % 1000003
        last = child
    return n + game.total(last)


def yielded_boards(game, state, k):
    n = 0
    prev = state.cells
    for b in game.boards(state):
        n = (n * 3 + total_of(b) + 5 * total_of(prev)) % 1000003
        prev = b
    return n * 7 + total_of(prev)


def in_a_comprehension(game, state, k):
    kept = list(game.boards(state))
    n = 0
    for b in kept:
        n = (n * 3 + total_of(b)) % 1000003
    return n


def in_a_list(game, state, k):
    kept = []
    b = state.cells
    for i in range(6):
        b = game.listed(b, i + k, i)
        kept.append(b)
    n = 0
    for x in kept:
        n = (n * 3 + total_of(x)) % 1000003
    return n + total_of(kept[k % 6]) + total_of(b)


def in_a_dictionary(game, state, k):
    d = {}
    b = state.cells
    for i in range(6):
        b = game.listed(b, i + k, i)
        d[b] = i
    n = 0
    for x, value in d.items():
        n = (n + total_of(x) * value) % 1000003
    return n


def exchanged(game, state, k):
    a, b = state.cells, state.other
    for i in range(7):
        a, b = game.listed(b, i, k), a
        if i % 3 == k % 3:
            a, b = b, a
    return total_of(a) * 5 + total_of(b)


def former_and_new(game, state, k):
    prev = state.cells
    n = 0
    i = 0
    while i < 6:
        cur = game.listed(prev, i + k, total_of(prev))
        if cur == prev:
            n += 1
        n = (n * 7 + total_of(prev) + 2 * total_of(cur)) % 1000003
        prev = cur
        i += 1
    return n


def one_or_the_other(game, state, k):
    a, b = state.cells, game.listed(state.other, k, 1)
    n = 0
    for i in range(5):
        c = a if (i + k) % 2 else b
        a = game.listed(c, i, 2) if i % 3 else with_item(b, i % game.size, 1)
        n = (n * 5 + total_of(a) + 3 * total_of(b) + 7 * total_of(c)) % 1000003
    return n


def after_an_error(game, state, k):
    a = state.cells
    n = 0
    for i in range(6):
        old = a
        try:
            a = game.bad(a, i + k)
        except ValueError:
            n += total_of(a)
            a = game.listed(a, i, 3)
        finally:
            n += 2 * total_of(old)
        n = (n * 5 + total_of(a)) % 1000003
    return n


def passed_twice(game, state, k):
    a = state.cells
    n = game.twice(a, a, k)
    b = game.listed(a, k, 1)
    n += game.twice(b, a, k) + game.twice(b, b, k + 1)
    return n + total_of(a) + total_of(b)


def nonlocal_best(game, state, k):
    best = state.cells

    def look(c):
        nonlocal best
        if total_of(c) > total_of(best):
            best = c

    for i in range(6):
        look(game.listed(state.cells, i + k, i))
    return total_of(best)


def in_tuples(game, state, k):
    p = (state.cells, 1, game.listed(state.other, k, 1))
    q = (p[2], p[1] + 1, game.listed(p[0], k + 1, 2))
    n = 0
    for i in range(3):
        p, q = q, (game.listed(p[0], i, 1), i, q[2])
        n = (n * 3 + total_of(p[0]) + total_of(p[2]) + total_of(q[0]) + total_of(q[2])) % 1000003
    return n


def in_states(game, state, k):
    s = state
    n = 0
    for i in range(5):
        t = game.State(s.other, i, game.listed(s.cells, i, k))
        s, u = t._replace(n=i + 1), s
        n = (n * 3 + game.total(s) + game.total(t) + game.total(u)) % 1000003
    return n


def largest_and_least(game, state, k):
    b = max((game.listed(state.cells, i, i + k) for i in range(5)), key=total_of)
    c = min([game.listed(state.other, i, i + k) for i in range(5)])
    return total_of(b) + 2 * total_of(c)


def in_order(game, state, k):
    x = sorted([game.listed(state.other, i, i + k) for i in range(5)])
    n = 0
    for b in x:
        n = (n * 3 + total_of(b)) % 1000003
    return n


def at_a_break(game, state, k):
    found = state.cells
    for i in range(8):
        b = game.listed(found, i, i)
        if i == k % 8:
            found = b
            break
        c = game.listed(b, 2, 2)
        if total_of(c) % 3 == 0:
            found = c
            continue
    else:
        found = game.listed(found, 0, 0)
    return total_of(found) + total_of(b)


def arguments_given_back(game, state, k):
    def pick(a, b, i):
        x = game.listed(a, i, 1)
        if i % 3 == 0:
            return a
        if i % 3 == 1:
            return b
        return x

    a, b = state.cells, state.other
    n = 0
    for i in range(6):
        a, b = pick(a, b, i + k), pick(b, a, i)
        n = (n * 3 + total_of(a) + 2 * total_of(b)) % 1000003
    return n


def several_at_once(game, state, k):
    def three(a, i):
        x = list(a)
        p = tuple(x)
        x[i % game.size] = 1
        q = tuple(x)
        x[(i + 1) % game.size] = 0
        return p, q, tuple(x)

    p, q, r = three(state.cells, k)
    q, r, p = three(q, k + 1)
    n = total_of(p) + 3 * total_of(q) + 5 * total_of(r)
    for i in range(3):
        r, p, q = three(p, i)
        n = (n * 3 + total_of(p) + 3 * total_of(q) + 5 * total_of(r)) % 1000003
    return n


WORKS = [
    yielded_states,
    yielded_boards,
    in_a_comprehension,
    in_a_list,
    in_a_dictionary,
    exchanged,
    former_and_new,
    one_or_the_other,
    after_an_error,
    passed_twice,
    nonlocal_best,
    in_tuples,
    in_states,
    largest_and_least,
    in_order,
    at_a_break,
    arguments_given_back,
    several_at_once,
]
SHAPES = [(u8, 9), (u8, 40), (u8, 361), (i8, 5), (i8, 361), (u16, 130), (i64, 9), (i64, 40)]
SHAPES += [(bool, 9), (bool, 130)]


@pytest.mark.parametrize(("kind", "size"), thinned(SHAPES, 5))
def test_boards_stay_what_they_were(kind, size):
    game = boards_of(kind, size)
    state = game.initial()
    for work in WORKS:
        for k in (0, 1, 5, 8):
            given = {"game": game, "state": state, "k": k}
            assert call(work, given, True)[0] == work(**given), (work.__name__, k)
