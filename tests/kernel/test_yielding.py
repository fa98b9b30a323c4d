"""Methods that return a list of items, called in loops: compiled, they give items one by one if
nobody can tell the difference."""

import random
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from numba.core import ir_utils
from numba.core.cpu import ParallelOptions
from numba.core.inline_closurecall import InlineClosureCallPass
from numba.core.runtime import _nrt_python, rtsys

from prunus import Game, u8, u64
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.rewriting.caught import may_be_caught
from prunus.kernel.rewriting.closures import inline_closures
from prunus.kernel.rewriting.handling import intermediate
from prunus.kernel.rewriting.known_lengths import Sequences
from prunus.kernel.rewriting.returned import Returned
from prunus.kernel.rewriting.yielding import forget_tuples


class Moves(Game):
    class State(NamedTuple):
        cells: tuple[u8, ...]
        mask: u64

    size = 10

    def initial(self):
        return self.State((0,) * 10, 0)

    def appended(self, state):
        moves = []
        for i, cell in enumerate(state.cells):
            if cell == 0:
                moves.append(i)
        return moves

    def comprehension(self, state):
        return [i for i in range(self.size) if state.cells[i] == 1]

    def or_pass(self, state):
        moves = [i for i in range(self.size) if state.cells[i] == 7]
        return moves or [99]

    def conditional(self, state):
        moves = [i for i in range(self.size) if state.cells[i] > 1]
        return moves if moves else [98, 97]

    def passes(self, state):
        moves = []
        for i in range(self.size):
            if state.cells[i] == 6:
                moves.append(i)
                if len(moves) == 2:
                    break
        if not moves:
            return [96]
        return moves

    def counted(self, state):
        moves = [5]
        for i in range(self.size):
            if state.cells[i] == 2:
                moves.append(10 * i + len(moves))
        if len(moves) == 1:
            moves.append(95)
        moves += [1, 2]
        moves.extend(self.comprehension(state))
        return moves

    def by_case(self, state):
        if state.cells[0] == 3:
            return []
        if state.cells[1] == 3:
            return [94]
        if state.cells[2] == 2:
            found = []
            for i in range(3):
                found.append(i)
            return found
        moves = []
        for i in range(self.size):
            if state.cells[i] == 1:
                moves.append(i)
            elif state.cells[i] == 5:
                return moves
        return moves

    def masks(self, state):
        return [1 << i for i in range(64) if state.mask >> i & 1]

    def filtered(self, state):
        """A tuple whose length depends on its items."""
        if state.cells[0] == 9:
            return ()
        return tuple(i for i in range(self.size) if state.cells[i] in (0, 2))

    def other_first(self, state):
        """Returns another list than the one first added to."""
        captures, quiet = [], []
        for i in range(self.size):
            if state.cells[i] == 0:
                quiet.append(i)
            elif state.cells[i] == 1:
                captures.append(i)
        return captures or quiet

    def changed(self, state):
        moves = []
        for i in range(self.size):
            moves.append(i)
            if state.cells[i] == 4:
                moves.pop()
        return moves

    def begun_again(self, state):
        moves = [7]
        for i in range(self.size):
            if state.cells[i] == 4:
                moves = []
            moves.append(i)
        return moves

    def ordered(self, state):
        moves = [i for i in range(self.size) if state.cells[i] < 3]
        moves.sort(key=lambda i: -i)
        return moves

    def tried(self, state):
        moves = []
        for i in range(-1, self.size + 1):
            try:
                if state.cells[i] == 0:
                    moves.append(i)
            except Exception:
                moves.append(50)
        return moves

    def of(self, board):
        """Takes a list that the loop changes."""
        moves = []
        for i in range(len(board)):
            if board[i] == 0:
                moves.append(i)
        return moves

    def held(self, state):
        """A list is held while items are given."""
        near = [i for i in range(self.size) if state.cells[i] < 4]
        near.append(0)
        for i in near:
            yield i

    def held_and_returned(self, state):
        near = [i for i in range(self.size) if state.cells[i] < 4]
        near.append(0)
        return [i + 1 for i in near]


METHODS = [
    "appended",
    "comprehension",
    "or_pass",
    "conditional",
    "passes",
    "counted",
    "by_case",
    "masks",
    "filtered",
]
OTHERS = ["other_first", "changed", "begun_again", "ordered", "tried", "of"]


def total(value, item):
    return (value * 31 + item + 1) % 1000003


def whole(game, state, memory):
    """Every method in a loop."""
    out = memory.out
    for i in range(14):
        out[i] = 0
    for item in game.appended(state):
        out[0] = total(out[0], item)
    for item in game.comprehension(state):
        out[1] = total(out[1], item)
    for item in game.or_pass(state):
        out[2] = total(out[2], item)
    for item in game.conditional(state):
        out[3] = total(out[3], item)
    for item in game.passes(state):
        out[4] = total(out[4], item)
    for item in game.counted(state):
        out[5] = total(out[5], item)
    for item in game.by_case(state):
        out[6] = total(out[6], item)
    for mask in game.masks(state):
        out[7] = total(out[7], mask % 1000)
    for item in game.other_first(state):
        out[8] = total(out[8], item)
    for item in game.changed(state):
        out[9] = total(out[9], item)
    for item in game.begun_again(state):
        out[10] = total(out[10], item)
    for item in game.ordered(state):
        out[11] = total(out[11], item)
    for item in game.tried(state):
        out[12] = total(out[12], item)
    for item in game.filtered(state):
        out[13] = total(out[13], item)
    return 0


def parts(game, state, memory):
    """Loops that end early, nested loops, and loops over lists that have other uses."""
    out = memory.out
    for i in range(14):
        out[i] = 0
    for item in game.appended(state):
        for other in game.counted(state):
            out[0] = total(out[0], item * other)
            if other > item:
                break
        if out[0] % 5 == 0:
            break
    moves = game.appended(state)
    for _ in range(2):
        for item in moves:
            out[1] = total(out[1], item)
    out[2] = (
        len(game.comprehension(state))
        + 10 * sum(game.conditional(state))
        + 1000 * max(game.passes(state))
    )
    out[3] = any(item > 4 for item in game.appended(state)) + len(
        [item for item in game.or_pass(state) if item % 2]
    )
    board = list(state.cells)
    for item in game.of(board):
        board[(item + 1) % 10] = 1
        out[4] = total(out[4], item)
    for item in game.held(state):
        out[5] = total(out[5], item)
    for item in game.held_and_returned(state):
        out[6] = total(out[6], item)
    return 0


@pytest.mark.parametrize("work", [whole, parts], ids=lambda f: f.__name__)
def test_same_both_ways(work):
    game = Moves()
    game.freeze()
    memory = Memory({"out": ("i64", 14)})
    compiled = compile_function(work, {"game": game, "state": game.initial(), "memory": memory})
    rng = random.Random(3)
    for _ in range(200):
        most = rng.choice((1, 2, 3, 8))
        state = game.State(
            tuple(rng.randrange(most + 1) for _ in range(10)), rng.randrange(1 << 64)
        )
        results = []
        for function in (work, compiled):
            function(game, state, memory)
            results.append(memory.out.array.tolist())
        assert results[0] == results[1], state


def may_be_given(function):
    func_ir = intermediate(function)
    inline_closures(func_ir)
    state = SimpleNamespace(func_ir=func_ir, args=())
    Sequences().run_pass(state)
    InlineClosureCallPass(func_ir, ParallelOptions(False), {}, True).run()
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    forget_tuples(func_ir)
    return Returned(func_ir).may_be_given()


@pytest.mark.parametrize("name", METHODS + OTHERS)
def test_lists_that_are_only_added_to_need_not_be_made(name):
    # `of` may give its items one by one, but is only asked to if its arguments cannot change in the
    # meantime.
    assert may_be_given(getattr(Moves, name)) == (name in [*METHODS, "of"])


class Caught(Moves):
    """Some errors are caught by a method that calls others, and by one that reads texts."""

    def first(self, state):
        for move in self.appended(state):
            return move
        return -1

    def passed(self, state):
        return self.first(state)

    def tried(self, state):
        try:
            return self.passed(state)
        except IndexError:
            return -1

    def action_named(self, state, name, number=1):
        try:
            return int(name)
        except ValueError:
            return self.comprehension(state)[0]


@pytest.mark.parametrize(
    ("name", "caught"),
    [("tried", True), ("first", True), ("appended", True), ("comprehension", False)],
)
def test_errors_that_a_caller_may_catch(name, caught):
    assert may_be_caught(Caught(), getattr(Caught, name)) == caught


class Asking(Caught):
    """Calls what has no name of its own in the code, which may be anything."""

    def passed(self, state):
        return getattr(self, "first")(state)  # noqa: B009 - a name in a text


class Reading(Caught):
    """Its rules call what is otherwise for people."""

    def last(self, state):
        return self.action_named(state, "7")


@pytest.mark.parametrize("cls", [Asking, Reading])
def test_what_may_call_anything_may_catch_its_errors(cls):
    assert may_be_caught(cls(), cls.comprehension)


def leaving(game, state, memory):
    """Loops that are left early."""
    found = 0
    for _ in range(100):
        for item in game.held(state):
            found += item
            if item > 2:
                break
        for item in game.held_and_returned(state):
            found += item
            if item > 2:
                break
    return found


def test_loops_that_are_left_early_lose_no_memory():
    game = Moves()
    game.freeze()
    memory = Memory({"out": ("i64", 1)})
    compiled = compile_function(leaving, {"game": game, "state": game.initial(), "memory": memory})
    was_counting = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert compiled(game, game.initial(), memory) == leaving(game, game.initial(), memory)
        after = rtsys.get_allocation_stats()
    finally:
        if not was_counting:
            _nrt_python.memsys_disable_stats()
    made = after.alloc - before.alloc
    assert made == after.free - before.free
    assert made >= 100
