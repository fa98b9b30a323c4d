"""Lists that stay in a function, which compiled code keeps on the stack, and those that do not: the
same results compiled and interpreted."""

import random
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from numba.core import ir

from prunus import Game, i8, u8, u16, u64
from prunus.kernel.backends import call
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.containers.local_lists import local_list
from prunus.kernel.memory import Memory
from prunus.kernel.rewriting.escapes import LocalLists
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.known_lengths import Sequences


def flip(board, k):
    """Changes the list of its caller."""
    board[k], board[0] = board[0], board[k]
    return board[k]


def same(board):
    """Returns the list itself."""
    return board


def through(board, k):
    """A helper that passes the list on."""
    return flip(board, k) + flip(board, (k + 1) % len(board))


def walked(board):
    for i, item in enumerate(board):
        if item > 1:
            yield i


class Lists(Game):
    class State(NamedTuple):
        cells: tuple[u8, ...]
        signs: tuple[i8, i8, i8]
        flags: tuple[bool, ...]
        last: u16

    order = (4, 1 << 40, -7)

    def initial(self):
        return self.State((0,) * 12, (1, -2, 3), (False,) * 9, 7)

    def put(self, board, k, value):
        board[k] = value

    def line(self, board, k):
        total = 0
        for i in range(k, len(board)):
            if board[i] == 0:
                break
            total += board[i] * (i + 1)
        return total

    def kept(self, board):
        return board


def changes(game, state, k, memory):
    """Written, read, exchanged, iterated over, searched, turned back."""
    out = memory.out
    cells = list(state.cells)
    cells[k] = 1 + cells[k] % 2
    cells[-1] += 3
    cells[k], cells[0] = cells[0], cells[k]
    total = 0
    for i, item in enumerate(cells):
        total = total * 3 % 10007 + item * i
        if i == 4:
            cells[5] = 9
    out[0] = total
    out[1] = (
        sum(cells)
        + 100 * max(cells)
        + 10000 * min(cells)
        + 100000 * cells.count(2)
        + (5 in cells) * 7
    )
    out[2] = len(cells) + sorted(cells)[k] + len([i for i, item in enumerate(cells) if item == 1])
    out[3] = cells.index(max(cells)) + sum(a * b for a, b in zip(cells, state.cells))
    before = tuple(cells)
    other = cells
    other[k] = 8
    memory.kept[0] = state._replace(cells=tuple(cells))
    memory.kept[1] = state._replace(cells=before)
    out[4] = before[k] + 1000 * cells[k] + any(item > 7 for item in cells)
    return 0


def helpers(game, state, k, memory):
    """Passed to helpers, which change it."""
    out = memory.out
    cells = list(state.cells)
    game.put(cells, k, 3)
    out[0] = game.line(cells, 0) + through(cells, k) + cells[k]
    for i in walked(cells):
        cells[i] = 1
        out[1] += i + 1
    game.put(cells, (k + 1) % 12, cells[2])
    memory.kept[0] = state._replace(cells=tuple(cells))
    copied = list(cells)
    copied[0] = 77
    out[2] = cells[0] + copied[0]
    scratch = list(state.cells)
    scratch[k] -= 300
    scratch[0] += 1000
    out[3] = scratch[k] + scratch[0] + 2000
    return 0


def leaving(game, state, k, memory):
    """Lists that outlive the iteration or the function that makes them, or meet others."""
    out = memory.out
    best = list(state.cells)
    for i in range(3):
        cells = list(state.cells)
        cells[i] = 5
        if i == k % 3:
            best = cells
    out[0] = best[0] + 10 * best[1] + 100 * best[2]
    first = same(list(state.cells))
    second = game.kept(list(state.cells))
    first[k] = 9
    out[1] = second[k] + 100 * first[k]
    rows = [list(state.cells), list(state.signs)]
    rows[0][k] = 6
    out[2] = rows[0][k] + rows[1][0] + 10
    grown = list(state.cells)
    grown.append(4)
    out[3] = len(grown) + grown[12]
    chosen = list(state.cells) if k % 2 else [1, 2, 3]
    chosen[0] += 1
    out[4] = len(chosen) * 100 + chosen[0]
    part = list(state.cells)
    out[5] = sum(part[2:5]) + sum(part[k:])
    again = 0
    for i in range(4):
        board = list(state.cells)
        board[i] += 1
        again = again * 5 + board[0] + board[3]
    out[6] = again
    return 0


def kinds(game, state, k, memory):
    """Short tuples, signs and truth values."""
    out = memory.out
    signs = list(state.signs)
    signs[k % 3] = -signs[k % 3]
    signs[-1] -= 100
    flags = list(state.flags)
    flags[k % 9] = not flags[k % 9]
    flags[0] = k == 3
    memory.kept[0] = state._replace(signs=tuple(signs), flags=tuple(flags))
    out[0] = sum(signs) + 1000 + flags.count(True)
    a, b, c = tuple(signs)
    out[1] = a * b * c + 100000
    marks = list(state.flags)
    if marks[k % 9]:
        out[2] = 1
    numbers = list(game.order)
    numbers[k % 3] += 1
    out[3] = numbers[0] + numbers[1] + numbers[2]
    return 0


def equal(game, state, k, memory):
    """Lists of equal items, most of which stay."""
    out = memory.out
    n = 4
    seen = [False] * 9
    seen[k % 9] = True
    out[0] = sum(seen) + 10 * seen.count(True) + (300 if seen[3] else 0)
    new = [0] * (n * 3)
    for i in range(12):
        new[i] = state.cells[i] + 1
    new[-1] = 9
    signs = [-1] * 3
    signs[k % 3] = k
    memory.kept[0] = state._replace(cells=tuple(new), signs=tuple(signs))
    counts = [0] * 3
    for cell in state.cells:
        counts[cell % 3] += 1 << 40
    out[1] = counts[0] - counts[k % 3]
    for i in range(3):
        row = [i] * n
        row[i] += k
        out[2] = out[2] * 7 + sum(row) + row[3]
    words = [u64(1) << 63] * 2
    words[0] >>= u64(k + 20)
    out[3] = (words[0] ^ (words[1] >> u64(40))) & 0xFFFFFFFF
    grown = [2] * 2
    grown.append(k)
    halves = [0.5] * 3
    halves[1] = 0.25 * k
    out[4] = len(grown) + grown[2] * 10 + int(halves[0] * 4) * 100 + int(halves[1]) * 1000
    rows = [[0] * 2] * 2
    rows[0][1] = k
    out[5] = rows[1][1]
    best = [0] * 2
    for i in range(3):
        current = [i] * 2
        if i == k % 3:
            best = current
    out[6] = best[0] * 10 + current[0]
    game.put(best, 1, 5)
    flags = [0] * 9
    flags[k % 9] = 1
    memory.kept[1] = state._replace(cells=tuple([k & 3] * 12), flags=tuple(flags))
    return 0


@pytest.mark.parametrize(
    "work", [changes, helpers, leaving, kinds, equal], ids=lambda f: f.__name__
)
def test_same_both_ways(work):
    game = Lists()
    memory = Memory({"out": ("i64", 8), "kept": ("state", 2)}, prototype=game.initial())
    compiled = compile_function(
        work, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )
    rng = random.Random(5)
    for k in [*range(12), -1, -5, -12]:
        cells = tuple(rng.randrange(4) for _ in range(12))
        flags = tuple(rng.random() < 0.5 for _ in range(9))
        state = game.State(cells, (rng.randrange(-9, 9), -2, 27), flags, 7)
        results = []
        for function in (work, compiled):
            for i in range(2):
                memory.kept[i] = game.initial()
            memory.out.array[:] = 0
            function(game, state, k, memory)
            results.append((memory.out.array.tolist(), [memory.kept[i] for i in range(2)]))
        assert results[0] == results[1], (state, k)


def stored(game, state, k, memory):
    cells = list(state.cells)
    cells[3] = k
    return tuple(cells)[3]


def index(game, state, k, memory):
    cells = list(state.cells)
    cells[k] = 1
    return sum(tuple(cells))


def test_what_a_tuple_could_not_hold_and_indices_outside_raise():
    game = Lists()
    memory = Memory({"out": ("u64", 1)})
    arguments = {"game": game, "state": game.initial(), "memory": memory}
    for k in (0, 255):
        assert call(stored, {**arguments, "k": k}, True)[0] == k
    for k in (-1, 256, 1 << 40):
        with pytest.raises(OverflowError, match=r"becomes a tuple is a u8, .*"):
            call(stored, {**arguments, "k": k}, True)
    for compile in (False, True):
        for k in (12, -13, 1 << 40):
            with pytest.raises(IndexError):
                call(index, {**arguments, "k": k}, compile)


def stays(function):
    """Whether the pass finds that all lists made by `list(...)` in a function stay there."""
    func_ir = intermediate(function)
    state = SimpleNamespace(func_ir=func_ir, args=())
    Sequences().run_pass(state)
    LocalLists().run_pass(state)
    made = [
        s.value.value
        for block in func_ir.blocks.values()
        for s in block.find_insts(ir.Assign)
        if isinstance(s.value, ir.Global)
    ]
    return local_list in made


def alone(t):
    cells = list(t)
    cells[0] = 1
    return through(cells, 2) + tuple(cells)[1]


def each_round(t):
    total = 0
    for i in range(3):
        cells = list(t)
        cells[i] = 1
        total += sum(cells)
    return total


def kept_from_a_round(t):
    best = list(t)
    for i in range(3):
        cells = list(t)
        cells[i] = 1
        if i == 1:
            best = cells
    return best[1]


def renamed_in_a_round(t):
    last = None
    for i in range(3):
        cells = list(t)
        cells[i] = i
        if i:
            total = last[0]
        last = cells
    return total


def returned(t):
    return list(t)


def returned_by_a_helper(t):
    return same(list(t))


def in_a_list(t):
    cells = list(t)
    return [cells, cells]


def in_a_tuple(t):
    cells = list(t)
    return (cells, 1)


def yielded(t):
    cells = list(t)
    yield cells[0]


def iterator_kept(t):
    cells = list(t)
    return enumerate(cells)


def walked_each_round(t):
    total = 0
    for _ in range(3):
        cells = list(t)
        for i in walked(cells):
            total += i
    return total


def joined(t):
    cells = list(t)
    return cells + [1]


def parted(t):
    cells = list(t)
    return cells[1:]


def captured(t):
    cells = list(t)
    return lambda i: cells[i]


def unknown(t, f):
    cells = list(t)
    return f(cells)


STAY = [alone, each_round]
LEAVE = [
    kept_from_a_round,
    renamed_in_a_round,
    returned,
    returned_by_a_helper,
    in_a_list,
    in_a_tuple,
    yielded,
    iterator_kept,
]
LEAVE += [walked_each_round, joined, parted, captured, unknown]


@pytest.mark.parametrize("function", STAY + LEAVE, ids=lambda f: f.__name__)
def test_only_lists_that_stay_are_kept_on_the_stack(function):
    assert stays(function) == (function in STAY)
