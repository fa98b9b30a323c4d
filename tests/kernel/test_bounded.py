"""What a process keeps of games that come and go is bounded, and no part of it keeps others
alive."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import prunus
from prunus.kernel.boards import states
from prunus.kernel.code import engines, hand, learnt, rules
from prunus.kernel.code.recent import Recent
from prunus.kernel.compiling import compiled
from prunus.kernel.containers import memory as native_memory
from prunus.kernel.pipeline import garbage
from prunus.kernel.pipeline.garbage import little_garbage, unexamined
from prunus.run import soon, spare
from tests.amount import in_full
from tests.kernel.battery import Idiom, outcome

TEXT = """
from typing import NamedTuple
from prunus import Game, u8

class Take(Game):
    class State(NamedTuple):
        left: u8
    def initial(self):
        return self.State(7)
    def actions(self, state):
        for take in range(1, 3):
            if take <= state.left:
                yield take
    def result(self, state, action):
        return self.State(state.left - action)
    def is_terminal(self, state):
        return state.left == 0
    def utility(self, state):
        return -STAKE
"""

KEPT = 2


def edited(stake):
    """The game with another constant, like the next version in an editor."""
    scope = {"STAKE": stake, "__name__": "edited"}
    exec(compile(TEXT, "edited.py", "exec", dont_inherit=True), scope)
    return scope["Take"]


def bounded(monkeypatch, module, name):
    recent = Recent(KEPT)
    monkeypatch.setattr(module, name, recent)
    return recent


@in_full
def test_compiled_games_are_forgotten(monkeypatch):
    monkeypatch.setenv("PRUNUS_CACHE", "off")
    monkeypatch.setattr(learnt, "GAMES", 1)
    kept = [
        bounded(monkeypatch, *place)
        for place in ((compiled, "_compiled"), (hand, "_made"), (rules, "_classes"))
    ]
    gc.collect()
    before = weakref.WeakSet(engines.alive)
    seen = []
    for stake in range(1, 6):
        cls = edited(stake)
        seen.append(weakref.ref(cls))
        assert prunus.solve(cls(), algorithm="minimax", compile=True).value == stake
    del cls
    # These hold the last 256 and the last 4, which are few enough.
    states.state_type.cache_clear()
    native_memory._type_made_of.cache_clear()
    spare._spare.clear()
    for _ in range(4):  # the remains of a translation are found in rounds
        gc.collect()
    assert all(len(recent) == KEPT for recent in kept)
    assert [ref() is not None for ref in seen] == [False, False, False, True, True]
    assert sum(engine not in before for engine in engines.alive) == KEPT, (
        "machine code of games that are forgotten is given back"
    )
    ended = list(engines._ended)
    assert ended and not any(engine.closed for engine in ended), (
        "between two compilations, not where Python happens to look for garbage"
    )
    engines.give_back()
    assert all(engine.closed for engine in ended) and not engines._ended
    # The code of games that are kept still runs, and the rest is compiled again.
    assert prunus.solve(edited(1)(), algorithm="minimax", compile=True).value == 1


def test_code_lives_as_long_as_it_may_run(monkeypatch):
    """A search whose code is no longer kept continues with it; so does code that was loaded from
    disk."""
    monkeypatch.setattr(compiled, "_compiled", Recent(1))
    cls = edited(77)
    game = cls()
    steps = prunus.iterations(
        game, algorithm="iterative-deepening", limit=prunus.Limit(20), compile=True
    )
    assert next(steps).backend == "compiled"
    prunus.solve(edited(78)(), algorithm="minimax", compile=True)
    gc.collect()
    last = list(steps)[-1]
    assert (last.backend, last.value, last.proved) == ("compiled", 77, True)


def test_interpreted_games_are_forgotten(monkeypatch):
    monkeypatch.setattr(soon, "NODES", 2_000)
    kept = [
        bounded(monkeypatch, *place)
        for place in ((soon, "_allowances"), (hand, "_made"), (rules, "_classes"))
    ]
    seen = []
    for stake in range(1, 6):
        cls = edited(stake)
        seen.append(weakref.ref(cls))
        found = prunus.solve(cls())
        assert (found.value, found.backend) == (stake, "interpreted")
    del cls, found
    gc.collect()
    assert all(len(recent) <= KEPT for recent in kept)
    assert sum(ref() is not None for ref in seen) <= KEPT


class Ring:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_a_compilation_leaves_is_looked_through_before_the_next_one(monkeypatch):
    monkeypatch.setattr(garbage, "_left", [0])
    gc.collect()
    looked: list[str] = []

    def note(phase, information):
        looked.append(phase)

    gc.callbacks.append(note)
    try:
        with little_garbage():
            last = weakref.ref(
                [Ring() for _ in range(garbage.FEW + len(gc.get_objects()) // 2)][-1]
            )
        assert not looked and last() is not None, "the first answer does not wait for it"
        with little_garbage():
            assert looked and last() is None
    finally:
        gc.callbacks.remove(note)


def test_other_threads_make_tuples_while_objects_are_counted(monkeypatch):
    monkeypatch.setattr(garbage, "_left", [garbage.FEW + 1])
    monkeypatch.setattr(garbage, "PART", 0)
    failures: list[SystemError] = []
    is_over = threading.Event()

    def make_tuples():
        while not is_over.is_set():
            try:
                tuple(number for number in range(1_000))
            except SystemError as failure:
                failures.append(failure)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread = threading.Thread(target=make_tuples)
    thread.start()
    try:
        for _ in range(30):
            with little_garbage():
                pass
    finally:
        is_over.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert not failures


def test_objects_that_somebody_froze_stay_frozen():
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        with little_garbage():
            pass
        assert gc.get_freeze_count() > before // 2 > 0  # a few may die meanwhile
    finally:
        gc.unfreeze()


def test_generators_of_prunus_are_known_after_all_is_forgotten(tmp_path):
    counting = "made = {3: x}\nr = sum(1 for a, c in itertools.pairwise(t) if a < c)\n"
    looping = "made = {3: x}\nr = 1\nfor a, c in itertools.pairwise(t):\n    r += a * c\n"
    ending = "for k, v in made.items():\n    r += k * v\nreturn r\n"
    for body in (counting, looping):
        found = outcome(Idiom("pairs", body + ending, "", "", "", "", False), tmp_path)
        assert found.kind == "agrees", found
        learnt.forget()
        found = outcome(Idiom("other", "return x\n", "", "", "", "", False), tmp_path)
        assert found.kind == "agrees"


def test_what_is_there_is_not_examined():
    class Circle:
        pass

    def circle():
        made = Circle()
        made.itself = made
        return weakref.ref(made)

    assert gc.get_freeze_count() == 0
    before = circle()
    with unexamined():
        inside = circle()
        with unexamined():
            gc.collect()
            assert inside() is not None and before() is not None
        later = circle()
        gc.collect()
        assert later() is None
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert before() is None and inside() is None


def test_a_program_that_protects_objects_itself_is_left_alone():
    """Objects that are gone are not counted any more, so that the numbers are about right."""
    gc.freeze()
    try:
        before, made = gc.get_freeze_count(), [[] for _ in range(5000)]
        with unexamined():
            assert abs(gc.get_freeze_count() - before) < 1000
        assert abs(gc.get_freeze_count() - before) < 1000 and len(made) == 5000
    finally:
        gc.unfreeze()


def test_contexts_of_several_threads_may_overlap():
    first, second = unexamined(), unexamined()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_freeze_count() > 0
    with little_garbage():
        made = [[] for _ in range(10)]
    assert gc.get_freeze_count() > 0 and len(made) == 10
    second.__exit__(None, None, None)
    assert gc.get_freeze_count() == 0
