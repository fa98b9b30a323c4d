"""Tuples that a loop makes item by item: the same result compiled and interpreted, and which of
them need no list on the heap."""

import random
import re
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from numba.core import ir

from prunus import Game, i8, i16, i32, u8, u16, u64
from prunus.kernel.backends import call
from prunus.kernel.boards.states import type_of_state
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.compiling.gametype import type_of_game
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.locating import located
from prunus.kernel.rewriting.changed import ChangedLists
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.filled import FilledLists
from prunus.kernel.rewriting.filling import filled_list, settled_list
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.helpers import Helpers
from prunus.kernel.rewriting.known_lengths import Sequences

LINES = ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0))


class Boards(Game):
    class State(NamedTuple):
        cells: tuple[u8, ...]
        signs: tuple[i8, ...]
        flags: tuple[bool, ...]
        words: tuple[u64, ...]
        short: tuple[u8, u8, u8]
        last: u16

    def initial(self):
        return self.State((0,) * 37, (0,) * 9, (False,) * 70, (0,) * 5, (0, 0, 0), 7)

    def turned(self, cells, k):
        return tuple(3 - c if c else k for c in cells)

    def unless(self, cells, k, most=3):
        """Returns at two places, assigns its parameter, has a default."""
        if k > most:
            return cells
        k = k * 2 + most
        return tuple([c if i != k else most for i, c in enumerate(cells)])

    def flipped(self, cell, k):
        """One item; raises for some."""
        if cell == 0:
            return k
        if cell > 2:
            return LINES[k % 2][cell]
        return 3 - cell

    def looped(self, cell):
        while cell > 3:
            cell -= 2
        return cell

    def listed(self, cells, k):
        """Returns a list."""
        new = list(cells)
        new[k % len(new)] = new[0]
        return new

    def turned_list(self, cells):
        """Returns the list that it is given, changed."""
        cells[1] = 7 - cells[1]
        return cells

    def deeper(self, cells, k):
        return self.unless(shifted(cells, k), k)


def shifted(cells, by):
    n = len(cells)
    return tuple(cells[(i + by) % n] for i in range(n))


def fields(game, state, k, memory):
    """Straight into fields of every kind."""
    taken = (k, k + 1)
    cells = tuple(9 if i in taken else c for i, c in enumerate(state.cells))
    words = []
    for i, word in enumerate(state.words):
        words.append(word * 3 if i != k else word ^ u64(1))
    nested = []
    for r in range(7):
        for c in range(10):
            nested.append(not state.flags[c * 7 + r])
    if k == 11:
        memory.kept[0] = state._replace(flags=tuple(nested))
        return 0
    memory.kept[0] = state._replace(
        cells=cells,
        signs=tuple(-s if k % 2 else s // 2 for s in state.signs),
        flags=tuple([not f if i == k else f for i, f in enumerate(state.flags)]),
        words=tuple(words),
        short=tuple(c + 1 for c in state.short),
    )
    n = len(state.cells)
    memory.kept[1] = game.State(
        tuple(state.cells[i] if i != k else 5 for i in range(n)),
        tuple(a - b for a, b in zip(state.signs, state.cells)),
        tuple(c > 1 for c in range(70)),
        tuple(u64(i) << 60 for i in range(5)),
        tuple(state.cells[i] for i in (2, 1, 0)),
        k % 5,
    )
    return 0


def read(game, state, k, memory):
    """Read where they are made, several times, in loops, and passed to helpers."""
    out = memory.out
    turned = tuple(3 - c if c else k for c in state.cells)
    out[0] = turned[k % 37] + 10 * sum(turned) + turned.count(3) * 100000
    best = turned
    for i in range(3):
        cells = tuple(c * 1000 + i - k for c in state.cells)
        if cells[k % 37] > best[k % 37]:
            best = cells
        out[1] += cells[i] + best[0]
    pairs = tuple((c, s) for c, s in zip(state.signs, state.cells))
    out[2] = sum(a * b for a, b in pairs) + len(pairs)
    rows = tuple(tuple(state.cells[i * 5 + j] for j in range(5)) for i in range(7))
    out[3] = rows[k % 7][2] + 100 * sum(rows[3])
    out[4] = sum(game.turned(game.turned(state.cells, 2), k))
    memory.kept[0] = state._replace(
        cells=game.turned(state.cells, 1),
        short=tuple(sum(line) % 7 for line in (state.cells[:4],) * 3),
    )
    marks = tuple(c == 1 for c in state.cells)
    out[5] = sum(marks) + any(marks) + marks.index(True) if True in marks else 0
    out[6] = max(tuple(sum(state.cells[i] for i in line) for line in LINES))
    sizes = tuple(len([c for c in state.cells if c == colour]) for colour in range(3))
    out[7] = sizes[0] + 100 * sizes[1] + 10000 * sizes[2]
    return 0


def helped(game, state, k, memory):
    """By helpers, which return them for a field."""
    cells = game.unless(state.cells, k)
    signs = shifted(by=k, cells=state.signs)
    memory.kept[0] = state._replace(cells=cells, signs=signs, last=memory.out[0])
    cells = game.listed(state.cells, k)
    cells[0] += 1
    memory.kept[1] = state._replace(
        cells=tuple(cells),
        signs=game.deeper(state.signs, k % 70) if k > 0 else shifted(state.signs, -k),
        flags=tuple(game.listed(state.flags, k + 1)) if k == 9 else shifted(state.flags, k),
        last=k % 100 // (k - 3),
    )
    memory.out[0] = cells[1]
    if k > 20:
        memory.kept[0] = game.State(
            tuple(game.flipped(c, k) for c in state.cells),
            tuple([game.looped(c) for c in state.signs]),
            tuple(game.flipped(c, k) == 2 for c in state.flags),
            state.words,
            tuple(game.looped(game.flipped(c + 0, 2)) for c in state.short),
            7,
        )
    return 0


def changed(game, state, k, memory):
    """Lists that a loop fills and that are then changed and read."""
    out = memory.out
    cells = [c for c in state.cells]  # noqa: C416 - as people write it
    cells[k % 37] = 3
    cells[k] += 1
    signs = []
    for i, sign in enumerate(state.signs):
        if i == k:
            signs.append(sign - 100)
        elif sign < 0:
            signs.append(-sign)
            continue
        else:
            signs.append(sign)
    signs[0], signs[8] = signs[8], signs[0]
    flags = [f or k > 3 for f in state.flags]
    flags[3] = not flags[k % 70]
    words = [w >> u64(1) for w in state.words]
    words[k % 5] |= u64(1) << 63
    memory.kept[0] = state._replace(
        cells=tuple(cells), signs=tuple(signs), flags=tuple(flags), words=tuple(words)
    )
    marks = [c > 1 for c in state.cells]
    marks[k % 37] = True
    scores = [c * 1000 for c in cells]
    for i in range(len(scores)):
        scores[i] -= cells[i] if marks[i] else k
    scores[2] = -(1 << 40)
    out[0], out[1], out[2] = sum(scores), min(scores), scores.count(1999)
    for r in range(3):
        row = [c + r for c in state.cells[:7]]
        row[r] = k
        out[3 + r] = max(row) + row.index(k) * 100 + (k + 1 in row) * 1000
        if row[0] > 5:
            break
    kept = []
    for c in state.cells:
        if c == 3 and k % 2:
            break
        kept.append(c)
    out[6] = len(kept) + sum(kept)
    pairs = [(c, s) for c, s in zip(state.signs, cells)]
    pairs[k % 9] = (k, 7)
    out[7] = pairs[2][0] + 100 * pairs[k % 9][1]
    short = [c + 1 for c in state.short]
    short[0] = game.turned_list(short)[1]
    if k % 3 == 0:
        memory.kept[1] = state._replace(short=tuple(short), cells=tuple(int(m) for m in marks))
    else:
        marks[0] = 0
        memory.kept[1] = state._replace(short=tuple(short), cells=tuple(marks))
    return 0


def outcome(function, *arguments):
    try:
        function(*arguments)
    except (ValueError, OverflowError, IndexError, ZeroDivisionError) as error:
        return type(error).__name__
    memory = arguments[-1]
    return memory.out.array.tolist(), [memory.kept[i] for i in range(2)]


def compared(work):
    """A function that runs `work` interpreted and compiled on a State and compares the results."""
    game = Boards()
    memory = Memory({"out": ("i64", 8), "kept": ("state", 2)}, prototype=game.initial())
    compiled = compile_function(
        work, {"game": game, "state": game.initial(), "k": 0, "memory": memory}
    )

    def both(state, k):
        results = []
        for function in (work, compiled):
            for i in range(2):
                memory.kept[i] = game.initial()
            memory.out.array[:] = 0
            results.append(outcome(function, game, state, k, memory))
        assert results[0] == results[1], (state, k)
        return results[0]

    return both


def boards(rng):
    cells = tuple(rng.randrange(4) for _ in range(37))
    signs = tuple(rng.randrange(-120, 121) for _ in range(9))
    flags = tuple(rng.random() < 0.5 for _ in range(70))
    words = tuple(u64(rng.getrandbits(64)) for _ in range(5))
    return Boards.State(
        cells, signs, flags, words, (rng.randrange(256), 1, 255 if rng.random() < 0.1 else 9), 7
    )


@pytest.mark.parametrize("work", [fields, read, helped, changed], ids=lambda f: f.__name__)
def test_same_both_ways(work):
    both, rng = compared(work), random.Random(5)
    found = [both(boards(rng), k) for k in [*range(40), -1, -7]]
    assert any(isinstance(one, tuple) for one in found)


def test_a_field_that_an_item_does_not_fit():
    both = compared(fields)
    state = Boards.State((0,) * 37, (1,) * 9, (True,) * 70, (u64(1),) * 5, (1, 2, 255), 7)
    assert both(state, 1) == "OverflowError"
    assert both(state._replace(short=(1, 2, 3), signs=(-128,) * 9), 1) == "OverflowError"
    assert both(state._replace(short=(1, 2, 3), signs=(-128,) * 9), 2) != "OverflowError"


def too_large(game, state, k, memory):
    memory.kept[0] = state._replace(signs=tuple(s + k for s in state.signs))
    return 0


@pytest.mark.parametrize(
    ("sign", "k"), [(100, 30), (-100, -200), (100, 1 << 62), (100, 200 - (1 << 63))]
)
def test_the_error_names_field_range_and_number(sign, k):
    game = Boards()
    memory = Memory({"kept": ("state", 1)}, prototype=game.initial())
    arguments = {
        "game": game,
        "state": game.initial()._replace(signs=(sign,) * 9),
        "k": k,
        "memory": memory,
    }
    words = rf"State field 'signs' is an i8, -2\*\*7 ... 2\*\*7 - 1: {sign + k} is outside"
    with pytest.raises(OverflowError) as compiled:
        call(too_large, arguments, True)
    assert re.search(words + ".*test_filled", str(located(compiled.value)))
    with pytest.raises(OverflowError, match=words):
        call(too_large, arguments, False)


def filled_in(function):
    """The number of lists of a function that are filled on the stack."""
    func_ir = intermediate(function)
    inline_closures(func_ir)
    passed = SimpleNamespace(func_ir=func_ir, args=())
    Sequences().run_pass(passed)
    FilledLists().run_pass(passed)
    return sum(
        isinstance(statement.value, ir.Global) and statement.value.value is filled_list
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    )


def test_which_helpers_are_inlined():
    def straight(game, state, k):
        return state._replace(cells=shifted(state.cells, k))

    def through_a_name(game, state, k):
        cells = shifted(state.cells, k) if k else shifted(state.cells, 1)
        return state._replace(cells=cells)

    def as_a_list(game, state, k):
        cells = game.listed(state.cells, k)
        cells[0] = 1
        return state._replace(cells=tuple(cells))

    def through_another(game, state, k):
        return state._replace(signs=game.deeper(state.signs, k))

    def by_item(game, state, k):
        return state._replace(cells=tuple(game.flipped(c, k) for c in state.cells))

    def with_a_loop(game, state, k):
        return state._replace(cells=tuple(game.looped(c) for c in state.cells))

    def read_too(game, state, k):
        cells = shifted(state.cells, k)
        return state._replace(cells=cells, last=cells[0])

    def elsewhere(game, state, k):
        return shifted(state.cells, k)

    def inlined(function):
        func_ir = intermediate(function)
        inline_closures(func_ir)
        kinds = (type_of_game(Boards()), type_of_state(Boards().initial()))
        Helpers().run_pass(SimpleNamespace(func_ir=func_ir, args=kinds))
        locs = [s.loc for block in func_ir.blocks.values() for s in block.body]
        return {loc.function.__name__ for loc in locs if hasattr(loc, "function")}

    found = list(map(inlined, (straight, through_a_name, as_a_list, through_another)))
    assert found == [{"shifted"}, {"shifted"}, {"listed"}, {"deeper", "unless"}]
    assert inlined(by_item) == {"flipped"}
    assert inlined(read_too) == inlined(elsewhere) == inlined(with_a_loop) == set()


def settled_in(function):
    """The number of lists of a function that go on as lists on the stack once they are filled."""
    func_ir = intermediate(function)
    inline_closures(func_ir)
    passed = SimpleNamespace(func_ir=func_ir, args=())
    for made in (Sequences, ChangedLists):
        made().run_pass(passed)
    return sum(
        isinstance(statement.value, ir.Global) and statement.value.value is settled_list
        for block in func_ir.blocks.values()
        for statement in block.find_insts(ir.Assign)
    )


def test_which_changed_lists_need_no_heap():
    def copied(t):
        found = []
        for c in t:
            found.append(c)
        found[0] = 1
        return tuple(found)

    def chosen_item(t):
        found = []
        for c in t:
            if c:
                found.append(c)
            else:
                found.append(9)
        for i in range(len(found)):
            found[i] += 1
        return sum(found)

    def in_a_loop(t):
        total = 0
        for k in t:
            row = [c + k for c in t]
            row[0] += 1
            total += row[0] + row[1]
        return total

    def read_while_filled(t):
        found = []
        for c in t:
            found.append(c + len(found))
        return found[0]

    def left_early(t):
        found = []
        for c in t:
            if c > 3:
                break
            found.append(c)
        return len(found)

    def returned(t):
        found = [c + 1 for c in t]
        found[0] = 1
        return found

    def longer(t):
        found = [c + 1 for c in t]
        found.append(1)
        return sum(found)

    def twice_in_a_round(t):
        found = []
        for c in t:
            found.append(c)
            if c:
                found.append(c)
        return found[1]

    def read_before(t):
        total = 0
        for k in range(3):
            if k:
                total += row[0]  # noqa: F821
            row = [c + k for c in t]  # noqa: F841
        return total

    assert list(map(settled_in, (copied, chosen_item, in_a_loop))) == [1, 1, 1]
    others = (read_while_filled, left_early, returned, longer, twice_in_a_round, read_before)
    assert list(map(settled_in, others)) == [0] * 6


def test_which_lists_need_no_heap():
    def one(t):
        return tuple(c + 1 for c in t)

    def rows(t):
        return tuple(tuple(c + r for c in t) for r in t)

    def begun_before_a_loop(t):
        found = []
        while True:
            for c in t:
                found.append(c)
            if len(t) > 3:
                return tuple(found)

    def read(t):
        found = []
        for c in t:
            found.append(c + len(found))
        return tuple(found)

    def chosen(t):
        return tuple(c for c in t if c)

    def twice(t):
        found = []
        for c in t:
            found.append(c)
        found.append(1)
        return tuple(found)

    def kept(t):
        found = []
        for c in t:
            found.append(c)
        return tuple(found), found

    assert [
        filled_in(function)
        for function in (one, rows, begun_before_a_loop, read, chosen, twice, kept)
    ] == [1, 2, 0, 0, 0, 0, 0]


def twice_filled(game, state, k, memory):
    """Two iterations fill one list: in Python it has another number of items than the loop iterates
    over."""
    found = []
    while True:
        for c in state.signs:
            found.append(c)
        k -= 1
        if k < 1:
            break
    memory.kept[0] = state._replace(signs=tuple(found))
    return 0


def test_a_list_that_two_rounds_fill_is_not_taken_for_one():
    both, state = compared(twice_filled), Boards().initial()._replace(signs=tuple(range(9)))
    assert both(state, 1) == ([0] * 8, [state, Boards().initial()])
    game = Boards()
    memory = Memory({"out": ("i64", 8), "kept": ("state", 2)}, prototype=game.initial())
    compiled = compile_function(
        twice_filled, {"game": game, "state": state, "k": 0, "memory": memory}
    )
    with pytest.raises(OverflowError, match="does not have the 9 items"):
        compiled(game, state, 2, memory)


class Widths(Game):
    class State(NamedTuple):
        a: tuple[i8, ...]
        b: tuple[u8, ...]
        c: tuple[i16, ...]
        d: tuple[u16, ...]
        e: tuple[i32, ...]
        f: tuple[bool, ...]

    def initial(self):
        return self.State(*((0,) * 40,) * 5, (False,) * 40)


def one_item(game, state, k, which, memory):
    """A number that joins the items of each width, by a condition, nested conditions, a list."""
    if which == 0:
        state = state._replace(a=tuple(k if i == 7 else c for i, c in enumerate(state.a)))
    elif which == 1:
        state = state._replace(
            b=tuple(0 if c else (k if i == 3 else 1) for i, c in enumerate(state.b))
        )
    elif which == 2:
        items = []
        for i in range(40):
            if i < 39:
                items.append(state.c[i])
            elif k > 0:
                items.append(k)
            else:
                items.append(k + 1)
        state = state._replace(c=tuple(items))
    elif which == 3:
        changed = [state.d[i] if i else k for i in range(len(state.d))]
        changed[9] = 65535
        state = state._replace(d=tuple(changed))
    elif which == 4:
        state = state._replace(e=tuple(k if i == 7 else c for i, c in enumerate(state.e)))
    elif which == 5:
        state = state._replace(f=tuple(k > 5 if i == 7 else c for i, c in enumerate(state.f)))
    memory.kept[0] = state
    return 0


def test_numbers_of_every_size_among_items_of_every_width():
    game = Widths()
    memory = Memory({"kept": ("state", 1)}, prototype=game.initial())
    state = game.initial()
    arguments = {"game": game, "state": state, "k": 0, "which": 0, "memory": memory}
    compiled = compile_function(one_item, arguments)
    edges = [1 << n for n in (7, 8, 15, 16, 31, 32, 47, 62)] + [(1 << 63) - 1]
    numbers = {sign * edge + by for edge in edges for sign in (1, -1) for by in (-1, 0, 1)}
    seen = []
    for k in sorted(k for k in numbers if -(1 << 63) < k < 1 << 63):
        for which in range(6):
            found = []
            for function in (one_item, compiled):
                try:
                    function(game, state, k, which, memory)
                    found.append(memory.kept[0])
                except OverflowError as error:
                    found.append(str(located(error)).split(" (")[0])
            assert found[0] == found[1], (k, which)
            seen.append(isinstance(found[0], str))
    assert 50 < sum(seen) < len(seen) - 50
