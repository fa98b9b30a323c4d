"""Long tuples of a State: every operation gives the same result compiled and interpreted, whatever
the width, the sign and the length."""

import random
from typing import NamedTuple

import pytest

from prunus import Game, i8, i16, i32, i64, u8, u16, u32, u64, with_item
from prunus.core.bits import CASTS
from prunus.core.state import state_key
from prunus.kernel.backends import call
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from tests.amount import thinned

SHAPES = [
    (u8, 5),
    (i8, 9),
    (bool, 33),
    (u16, 49),
    (i32, 64),
    (u64, 19),
    (u8, 81),
    (i16, 121),
    (u32, 7),
    (i64, 40),
    (u8, 361),
    (bool, 400),
]


def board_game(kind, length):
    """A game whose States have two long tuples, a short one, and scalars among them."""

    class Board(Game):
        class State(NamedTuple):
            turn: bool
            cells: tuple[kind, ...]
            near: tuple[i8, i8]
            others: tuple[kind, ...]
            last: u16

        def initial(self):
            return self.State(False, (0,) * length, (1, -2), (1,) * length, 7)

        def put(self, state, i, value):
            return self.State(
                not state.turn, with_item(state.cells, i, value), (-1, 3), state.others, i
            )

        def free(self, state):
            for i in range(len(state.cells)):
                if state.cells[i] == 0:
                    yield i

        def of_others(self, state):
            for i, item in enumerate(state.others):
                if item:
                    yield i

    return Board()


def random_tuple(rng, kind, length):
    width, signed = CASTS[kind]
    low = -(1 << (width - 1)) if signed else 0
    high = low + (1 << width) - 1
    return tuple(rng.choice((0, 0, low, high, rng.randint(low, high))) for _ in range(length))


def positions(game, kind, length, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        cells, others = (random_tuple(rng, kind, length) for _ in range(2))
        yield (
            game.State(
                rng.random() < 0.5, cells, (rng.randint(-9, 9), 4), others, rng.randrange(1 << 16)
            ),
            rng.randrange(length),
        )


def items(game, state, k, memory):
    """Reading: single items from both ends, loops, unpacked prefixes, helper generators."""
    cells = state.cells
    out = memory.out
    out[0] = cells[k]
    out[1] = state.others[k - len(cells)]
    out[2] = cells[-1]
    out[3] = cells[2] ^ state.others[3]
    total = 0
    for item in cells:
        total = total ^ (total << 1 & 0xFFFFFF) ^ (item & 0xFFFF)
    for i, item in enumerate(state.others):
        total += (item & 255) * i
    for left, right in zip(cells, state.others):
        total += (left == right) * 3
    out[4] = total
    for i in game.free(state):
        total += i
    for i in game.of_others(state):
        total += 7 * i
    out[5] = total
    first, second = cells[:2]
    out[6] = first
    out[7] = second
    return 0


def changes(game, state, k, memory):
    """Changing: in a loop, where older tuples must stay as they are, and across branches."""
    before = state.cells
    cells = before
    previous = cells
    for i in range(len(cells) - k):
        previous = cells
        cells = with_item(cells, i + k, cells[i])
    out = memory.out
    out[0] = previous[len(cells) - 1]
    out[1] = cells[len(cells) - 1]
    out[2] = before[len(cells) - 1]
    child = game.put(state, k, 1)
    grandchild = game.put(child, 0, 0)
    out[3] = child.cells[k] + 2 * grandchild.cells[0] + 4 * child.turn
    chosen = child if k % 2 else grandchild
    out[4] = chosen.cells[0] ^ chosen.others[k]
    swapped = chosen._replace(cells=chosen.others, others=chosen.cells)
    out[5] = swapped.cells[k] ^ swapped.others[k]
    memory.kept[1] = swapped
    memory.kept[0] = child
    memory.kept[2] = memory.kept[1]._replace(last=k)
    out[6] = (memory.kept[0] == child) + 2 * (memory.kept[2] == swapped) + 4 * (child != grandchild)
    return 0


def questions(game, state, k, memory):
    """Searching, comparing, reducing."""
    cells, others = state.cells, state.others
    out = memory.out
    out[0] = cells.count(cells[k]) * 1000 + cells.index(cells[k])
    out[1] = (
        (cells[k] in others) + 2 * (0 in cells) + 4 * (cells == others) + 8 * (cells != state.cells)
    )
    out[2] = min(cells)
    out[3] = max(others)
    out[4] = sum([item & 0xFFFF for item in cells])
    out[5] = (
        any(cells)
        + 2 * all(others)
        + 4 * (not cells)
        + 8 * (1 if others else 0)
        + 16 * len(tuple(cells))
    )
    out[6] = len([i for i, item in enumerate(cells) if item == others[i]]) + len(list(cells))
    out[7] = game.key(state)
    return 0


def parts(game, state, k, memory):
    """Taking apart and joining, as people write it."""
    cells, others = state.cells, state.others
    out = memory.out
    long = cells[2:] + others
    out[0] = long[k]
    out[1] = long[-1]
    out[2] = len(long) + 1000 * len(cells[:-1]) + 1000000 * len(cells[::2] + cells[1::2])
    out[3] = (cells[:-1] + (cells[-1],))[k]
    out[4] = ((cells[0], cells[1]) + cells[2:])[k] == cells[k]
    i = k
    changed = cells[:i] + (others[k],) + cells[i + 1 :]
    out[5] = changed[k] ^ (changed[0] ^ changed[-1])
    child = state._replace(
        cells=state.cells[:k] + (1,) + state.cells[k + 1 :], others=tuple(item for item in cells)
    )
    memory.kept[0] = child
    memory.kept[1] = state._replace(
        cells=tuple(1 if item else 0 for item in others), others=cells[1:] + (cells[0],)
    )
    out[6] = (
        (cells < others)
        + 2 * (cells >= others)
        + 4 * (cells > cells[1:])
        + 8 * (others <= (1, 0, 3))
        + 16 * ((0, 1) < cells)
    )
    out[6] += 32 * (cells == others) + 64 * (cells[:6] != (0, 0, 0, 0, 0, 0))
    out[7] = sum([(i + 1) * (item & 255) for i, item in enumerate(reversed(cells))])
    board = list(cells)
    board[k] = others[0]
    memory.kept[2] = state._replace(cells=tuple(board))
    return 0


@pytest.mark.parametrize(
    ("kind", "length"), thinned(SHAPES, 2), ids=lambda value: getattr(value, "__name__", value)
)
@pytest.mark.parametrize("work", [items, changes, questions, parts], ids=lambda f: f.__name__)
def test_same_both_ways(work, kind, length):
    game = board_game(kind, length)
    fields = {"out": ("u64", 8), "kept": ("state", 3)}
    memory = Memory(fields, prototype=game.initial())
    compiled = compile_function(
        work, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    # Sums of 64-bit numbers would exceed 64 bits.
    numbers = i32 if work is parts and kind is i64 else kind
    for state, k in positions(game, numbers, length, 40, length):
        results = []
        for function in (work, compiled):
            for i in range(3):
                memory.kept[i] = game.initial()
            memory.out.array[:] = 0
            function(game, state, k, memory)
            results.append((memory.out.array.tolist(), [memory.kept[i] for i in range(3)]))
        assert results[0] == results[1], (state, k)


def read(game, state, k, memory):
    return state.cells[k] + 0


def change(game, state, k, memory):
    return with_item(state.cells, k, 1)[0] + 0


@pytest.mark.parametrize("length", [5, 33, 81])
@pytest.mark.parametrize(("work", "inside"), [(read, range(-5, 5)), (change, range(5))])
def test_indices_outside_raise_both_ways(work, inside, length):
    game = board_game(u8, length)
    memory = Memory({"out": ("u64", 1)})
    outside = (length, length + 1, -length - 1, 1 << 40, -(1 << 63)) + (
        (-1,) if work is change else ()
    )
    for compile in (False, True):
        for k in inside:
            call(work, {"game": game, "state": game.initial(), "k": k, "memory": memory}, compile)
        for k in outside:
            with pytest.raises(IndexError):
                call(
                    work, {"game": game, "state": game.initial(), "k": k, "memory": memory}, compile
                )


def test_a_state_of_another_length_never_reaches_compiled_code():
    game = board_game(u8, 9)
    memory = Memory({"out": ("u64", 1)})
    compiled = compile_function(
        read, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    with pytest.raises(ValueError, match="tuples of 9 items"):
        compiled(game, game.initial()._replace(cells=(1,) * 8), 0, memory)


def test_keys_of_long_tuples_spread():
    """One item more or less, in any place, gives another key: so few keys do not collide by
    chance."""
    game = board_game(u8, 81)
    start = game.initial()
    states = [
        start._replace(cells=with_item(with_item(start.cells, i, v), j, w))
        for i in range(81)
        for j in range(i)
        for v in (1, 2)
        for w in (1, 2)
    ]
    assert len({int(state_key(state)) for state in states}) == len(states)


class Searched(Game):
    class State(NamedTuple):
        a: tuple[u8, ...]
        b: tuple[i8, ...]
        c: tuple[i16, ...]
        d: tuple[u32, ...]
        e: tuple[bool, ...]
        f: tuple[u64, ...]

    def initial(self):
        return self.State((1,) * 361, (1,) * 33, (1,) * 70, (1,) * 5, (True,) * 40, (u64(1),) * 6)


def searched(game, state, k, memory):
    out = memory.out
    out[0] = state.a.count(k) + 1000 * (k in state.a)
    out[1] = state.b.count(k) + 1000 * (k in state.b)
    out[2] = state.c.count(k) + 1000 * (k in state.c)
    out[3] = state.d.count(k) + 1000 * (k in state.d)
    out[4] = state.e.count(k) + 1000 * (k in state.e) + 10000 * state.a.count(k > 3)
    out[5] = state.f.count(k) + 1000 * (k in state.f)
    return 0


def test_numbers_that_are_and_are_not_among_the_items():
    game, rng = Searched(), random.Random(7)
    memory = Memory({"out": ("i64", 6)})
    compiled = compile_function(
        searched, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    ends = ((0, 255), (-128, 127), (-(1 << 15), (1 << 15) - 1), (0, (1 << 32) - 1))
    for _ in range(20):
        parts = [
            tuple(rng.choice((low, high, rng.randint(low, high), 1)) for _ in range(length))
            for (low, high), length in zip(ends, (361, 33, 70, 5), strict=True)
        ]
        flags = tuple(rng.random() < 0.5 for _ in range(40))
        state = game.State(*parts, flags, tuple(u64(rng.choice((0, 1, 1 << 63))) for _ in range(6)))
        edges = {by << n for n in (0, 7, 8, 15, 16, 32) for by in (-1, 1)}
        for k in sorted({*edges, *(k - 1 for k in edges), 0, 2, *(part[2] for part in parts)}):
            found = []
            for function in (searched, compiled):
                function(game, state, k, memory)
                found.append(memory.out.array.tolist())
            assert found[0] == found[1], (state, k)
