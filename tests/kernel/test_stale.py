"""Rules that change while a program runs: a rebound constant, a changed class, a list that grows.
Every answer follows the current rules, on both backends; nothing made from others is trusted. The
game: take 1 to N from a heap; whoever takes the last wins."""

from __future__ import annotations

import gc
import sys
import threading
import types
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus import i64
from prunus.core.arrays import View
from prunus.core.errors import SearchError
from prunus.kernel.code import watch
from prunus.kernel.code.recent import Recent
from prunus.kernel.code.rules import rules_of
from prunus.kernel.compiling import compiled
from prunus.kernel.reporting.messages import CannotCompile
from prunus.tables.identity import identity
from tests.amount import in_full, thinned

SOURCE = """
from functools import lru_cache
from typing import NamedTuple
import numpy as np
from prunus import Game, u8

MOST = 3
TABLE = np.array([1, 1, 1, 1, 0, 0, 0])
SIZES = range(1, 4)
TAKEN = slice(0, 3)

class Rule:
    most = 3

def direct(n):
    return n <= MOST

def deep(n):
    return direct(n)

def by_default(n, most=3):
    return n <= most

def of_class(n):
    return n <= Rule.most

def of_table(n):
    return TABLE[n] == 1

def make(most):
    def closed(n):
        return n <= most
    def change(other):
        nonlocal most
        most = other
    return closed, change

closed, change = make(3)

class Take(Game):
    most = 3

    class State(NamedTuple):
        left: u8

        def allows(self, n):
            return n <= MOST

    def __init__(self, heap=12):
        self.heap = heap

    def initial(self):
        return self.State(self.heap)

    def may(self, n):
        return n <= MOST

    def actions(self, state):
        for n in range(1, min(6, state.left) + 1):
            if self.may(n):
                yield n

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1

class Deep(Take):
    def may(self, n):
        return deep(n)

class Default(Take):
    def may(self, n):
        return by_default(n)

class OfClass(Take):
    def may(self, n):
        return of_class(n)

class OfState(Take):
    def actions(self, state):
        for n in range(1, min(6, state.left) + 1):
            if state.allows(n):
                yield n

class OfTable(Take):
    def may(self, n):
        return of_table(n)

class Attribute(Take):
    def may(self, n):
        return n <= self.most

class Closed(Take):
    def may(self, n):
        return closed(n)

class OfRange(Take):
    def may(self, n):
        return n in SIZES

class OfSlice(Take):
    def may(self, n):
        return n in (1, 2, 3, 4)[TAKEN]

class Property(Take):
    @property
    def limit(self):
        return MOST

    def may(self, n):
        return n <= self.limit

class Settings:
    def __init__(self):
        self.most = [3]

SETTINGS = Settings()

class OfObject(Take):
    @property
    def limits(self):
        return (0, *SETTINGS.most)

    def may(self, n):
        return n <= self.limits[1]

class OfFunction(Take):
    @property
    def allows(self):
        most = SETTINGS.most[0]
        return lambda n: n <= most

    def may(self, n):
        return self.allows(n)

class OfCached(Take):
    @property
    def allows(self):
        most = SETTINGS.most[0]
        return lru_cache(lambda n: n <= most)

    def may(self, n):
        return self.allows(n)

class OfMethod(Take):
    def of_three(self, n):
        return n <= 3

    def of_four(self, n):
        return n <= 4

    @property
    def allows(self):
        return self.of_three if SETTINGS.most[0] == 3 else self.of_four

    def may(self, n):
        return self.allows(n)

class Chosen(OfMethod):
    def __init__(self, four=False):
        super().__init__()
        self.allowed = self.of_four if four else self.of_three

    def may(self, n):
        return self.allowed(n)

class Few:
    def may(self, n):
        return n <= 3

class OfBases(Few, Take):
    pass
"""


def fresh():
    """A new copy of the module, registered as an imported one is."""
    name = "stale_take"
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(SOURCE, f"{name}.py", "exec"), module.__dict__)
    return module


def rebind(module, most):
    module.MOST = most


def redefine(module, most):
    exec(f"def direct(n):\n    return n < {most + 1}", module.__dict__)


def new_code(module, most):
    module.direct.__code__ = eval(f"(lambda n: n <= {most}).__code__")


def new_default(module, most):
    module.by_default.__defaults__ = (most,)


def new_class_constant(module, most):
    module.Rule.most = most


def new_items(module, most):
    module.TABLE[:] = [int(n <= most) for n in range(7)]


def new_range(module, most):
    module.SIZES = range(1, most + 1)


def new_slice(module, most):
    module.TAKEN = slice(0, most)


def new_attribute(module, most):
    module.Attribute.most = most


def new_attribute_of_base(module, most):
    module.Take.most = most


def new_content(module, most):
    module.change(most)


def new_setting(module, most):
    module.SETTINGS.most = [most]


def new_bases(module, most):
    few = type("Few", (), {"may": eval(f"lambda self, n: n <= {most}", module.__dict__)})
    module.OfBases.__bases__ = (few, module.Take)


def new_method(module, most):
    module.Take.may = eval(f"lambda self, n: n <= {most}", module.__dict__)


CHANGES = [
    ("Take", rebind),
    ("Deep", rebind),
    ("Deep", redefine),
    ("Deep", new_code),
    ("Default", new_default),
    ("OfClass", new_class_constant),
    ("OfState", rebind),
    ("OfTable", new_items),
    ("OfRange", new_range),
    ("OfSlice", new_slice),
    ("Attribute", new_attribute),
    ("Attribute", new_attribute_of_base),
    ("Closed", new_content),
    ("Property", rebind),
    ("OfObject", new_setting),
    ("OfFunction", new_setting),
    ("OfCached", new_setting),
    ("OfMethod", new_setting),
    ("OfBases", new_bases),
    ("Take", new_method),
]


def value(most, heap=12):
    """Computed by hand: lost for the player to move if the heap is a multiple of one more than the
    most that may be taken."""
    return -1 if heap % (most + 1) == 0 else 1


@pytest.mark.parametrize(
    ("name", "change"), thinned(CHANGES, 2), ids=lambda part: getattr(part, "__name__", part)
)
def test_each_search_is_by_the_rules_as_they_are(name, change):
    """The same object, a new one, and back to the first rules, compiled and interpreted."""
    module = fresh()
    game = getattr(module, name)()
    for most in (3, 4, 3):
        change(module, most)
        for used in (game, type(game)()):
            for compile in (True, False):
                found = prunus.analyze(used, algorithm="minimax", depth=None, compile=compile)
                assert (found.value, found.proved) == (value(most), True), (most, compile)


def test_methods_that_games_keep_tell_them_apart():
    module = fresh()
    for most in (3, 4):
        game = module.Chosen(most == 4)
        for compile in (True, False):
            found = prunus.analyze(game, algorithm="minimax", depth=None, compile=compile)
            assert (found.value, found.proved) == (value(most), True), (most, compile)


class Kept(prunus.Game):
    """Take 1 to `most`; the last to take wins `won`, a constant of the class."""

    won = 1

    class State(NamedTuple):
        """How many are left."""

        left: prunus.u8

    def __init__(self, most=3):
        self.most = most
        self._last = 0

    def initial(self):
        return self.State(12)

    def actions(self, state):
        return range(1, min(self.most, state.left) + 1)

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left <= self.last

    def utility(self, state):
        return -self.won

    @property
    def last(self):
        return self._last


class Tabled(Kept):
    """The most that may be taken is data."""

    also: prunus.Runtime[prunus.i64]

    def __init__(self):
        super().__init__()
        self.table = np.array([3])

    def actions(self, state):
        return range(1, min(self.table[0], state.left) + 1)


def seven(state):
    return 7


class Weighty(Kept):
    """The last to take wins 7."""

    def utility(self, state):
        return -7


AROUND = {
    "object.__setattr__": (lambda game: object.__setattr__(game, "most", 4), 1),
    "__dict__": (lambda game: game.__dict__.update(most=4), 1),
    "hidden": (lambda game: vars(game).update(_last=1), 1),
    "shadow": (lambda game: vars(game).update(won=5), -5),
    "method": (lambda game: vars(game).update(utility=seven), 7),
    "class": (lambda game: object.__setattr__(game, "__class__", Weighty), -7),
}
"""Ways past `Game.__setattr__`, and the value afterwards, computed by hand."""


@pytest.mark.parametrize("way", AROUND)
def test_attributes_that_are_changed_past_setattr(way):
    change, after = AROUND[way]
    for compile in (False, True):
        game = Kept()
        ask = partial(prunus.analyze, game, algorithm="minimax", depth=None, compile=compile)
        assert ask().value == -1
        change(game)
        assert ask().value == after, compile


def test_data_that_is_replaced_is_not_read_as_it_was():
    """Compiled code reads it through a pointer, which searches in other threads share."""
    game = Tabled()
    ask = partial(prunus.analyze, game, algorithm="minimax", depth=None)
    assert ask(compile=True).value == -1
    game.__dict__["table"] = np.array([4])
    with pytest.raises(CannotCompile, match=r"self\.table has been replaced"):
        ask(compile=True)
    assert ask(compile=False).value == 1


def test_data_that_is_added_is_read_from_its_place():
    game = Tabled()
    ask = partial(prunus.analyze, game, algorithm="minimax", depth=None, compile=True)
    assert ask().value == -1
    game.__dict__["also"] = 4  # before "table" in the block
    assert ask().value == -1


class Lengthy(prunus.Game):
    """A game that is evaluated by an array."""

    class State(NamedTuple):
        turn: i64
        mixed: i64

    def __init__(self):
        self.table = np.array([1, 2, 3, 4, 5, 6, 7])

    def initial(self):
        return self.State(0, 0)

    def is_terminal(self, state):
        return state.turn >= 9

    def utility(self, state):
        return self.table[state.mixed % 7]

    def evaluate(self, state):
        return self.table[state.mixed % 7]

    def actions(self, state):
        yield from (0, 1)

    def result(self, state, action):
        return self.State(state.turn + 1, (state.mixed * 3 + action * 5 + 1) % 1009)


def test_a_search_under_way_finds_its_data_though_other_is_added():
    """The other search builds the block anew, which holds what both of them read."""
    wanted = [found.value for found in prunus.iterations(Lengthy(), algorithm="engine")]
    game, values = Lengthy(), []
    for found in prunus.iterations(game, algorithm="engine"):
        values.append(found.value)
        if found.depth == 3:
            game.__dict__["also"] = View(np.array([1000, 2000, 3000]))
            prunus.analyze(game, algorithm="minimax", depth=2, compile=True)
    assert values == wanted and len(values) > 5


class Bonus(prunus.Game):
    """Two turns, then as much as the bonus says."""

    class State(NamedTuple):
        turn: i64

    bonus = 100

    def __init__(self):
        self.bonus = None

    def initial(self):
        return self.State(0)

    def is_terminal(self, state):
        return state.turn == 2

    def utility(self, state):
        bonus = 0 if self.bonus is None else self.bonus
        return 1 + bonus

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return self.State(state.turn + 1)


def test_an_attribute_of_none_that_is_deleted():
    """The class has another value."""
    game = Bonus()
    ask = partial(prunus.analyze, game, algorithm="minimax", depth=2)
    before = [ask(compile=compiled).value for compiled in (False, True)]
    del game.__dict__["bonus"]
    assert before == [1, 1] and [ask(compile=c).value for c in (False, True)] == [101, 101]


class Estimate(prunus.Evaluation):
    """Reads an attribute of the game."""

    def evaluate(self, state):
        return self.most


def test_a_combination_follows_its_game():
    game = Kept()
    for most in (3, 4):
        game.__dict__["most"] = most
        found = prunus.analyze(
            game, depth=1, evaluation=Estimate, compile=False, algorithm="minimax"
        )
        assert found.value == -most


def test_what_rules_keep_is_no_change_during_a_search():
    """Interpreted rules may go past `__setattr__` to keep what they found; a lazy attribute, too."""

    class Keeping(Kept):
        @cached_property
        def lazy(self):
            return 3

        def actions(self, state):
            self.__dict__["kept"] = state
            return range(1, min(getattr(self, "la" + "zy"), state.left) + 1)

    game = Keeping()
    limit = prunus.Limit(depth=3)
    assert len(list(prunus.iterations(game, limit=limit, compile=False))) > 1
    assert prunus.analyze(game, algorithm="minimax", depth=None, compile=False).value == -1


@pytest.mark.parametrize(
    "change",
    [
        lambda module: setattr(module, "MOST", 3.0),
        lambda module: setattr(module, "MOST", np.int64(3)),
        lambda module: setattr(module, "TABLE", module.TABLE.copy()),
        lambda module: delattr(module, "MOST"),
        lambda module: setattr(module, "range", range(3)),
        lambda module: setattr(module.Rule, "other", 1),
        lambda module: setattr(module.direct, "__kwdefaults__", {"most": 3}),
    ],
)
def test_what_is_equal_or_new_is_another(change):
    """The check goes by identity: 3.0 is not 3, and a module's definition of a builtin name counts
    as the module's."""
    module = fresh()
    games = [getattr(module, name)() for name in ("Take", "Deep", "OfClass", "OfTable")]
    found = [rules_of(game) for game in games]
    assert all(rules.is_current() for rules in found)
    change(module)
    assert not all(rules.is_current() for rules in found)


def test_addresses_are_those_that_objects_have():
    values = (None, 3, "text", *map(float, range(50)))
    assert watch._addresses(values) == watch._addresses_asked(values)
    assert watch._addresses(values) != watch._addresses((*values[:-1], 49.0))


def test_a_change_that_another_game_has_not_seen():
    """A helper that was compiled for one game is compiled again for another, even if nobody has
    searched the first since the change."""
    module = fresh()
    assert prunus.analyze(
        module.Deep(), algorithm="minimax", depth=None, compile=True
    ).value == value(3)
    module.MOST = 4
    exec("class Other(Deep):\n    name = 'another game'", module.__dict__)
    assert prunus.analyze(
        module.Other(), algorithm="minimax", depth=None, compile=True
    ).value == value(4)


@in_full
def test_other_games_compile_on_after_a_change():
    """A game with unchanged rules is compiled for another algorithm after another game's rules have
    changed."""
    first, second = fresh(), fresh()
    game, other = first.Take(), second.Deep()
    for each in (game, other):
        prunus.analyze(each, algorithm="minimax", compile=True)
    second.MOST = 4
    assert prunus.analyze(other, algorithm="minimax", compile=True).value == value(4)
    gc.collect()
    assert prunus.analyze(game, algorithm="alphabeta", compile=True).value == value(3)


def test_what_did_not_change_is_not_compiled_again():
    module = fresh()
    game = module.Deep()
    prunus.analyze(game, algorithm="minimax", depth=None, compile=True)
    module.MOST = 4
    prunus.analyze(game, algorithm="minimax", depth=None, compile=True)
    module.MOST = 3
    module.unused = 5
    known = len(compiled._compiled)
    prunus.analyze(game, algorithm="minimax", depth=None, compile=True)
    prunus.analyze(module.Deep(), algorithm="minimax", depth=None, compile=True)
    assert len(compiled._compiled) == known


def test_a_method_that_a_class_is_given_later():
    """Whether players alternate, and which optional methods exist, is checked before each
    search."""
    module = fresh()
    game = module.Take(5)
    assert prunus.analyze(game, algorithm="minimax", depth=None, compile=False).value == value(3, 5)
    module.Take.to_move = lambda self, state: 0
    module.Take.utility = lambda self, state: 7
    for compile in (False, True):
        assert prunus.analyze(game, algorithm="minimax", depth=None, compile=compile).value == 7
    del module.Take.to_move
    assert prunus.analyze(game, algorithm="minimax", depth=None, compile=False).value == 7 * -value(
        3, 5
    )


@pytest.mark.parametrize("compile", [False, pytest.param(True, marks=in_full)])
def test_a_table_forgets_what_it_learnt_by_other_rules(compile):
    module = fresh()
    game = module.Deep(24)
    table = prunus.TranspositionTable(1, game, game.initial())
    for most in (3, 4, 3):
        module.MOST = most
        for _ in range(2):
            assert prunus.solve(game, table=table, compile=compile).value == value(most, 24)


def test_a_table_serves_one_game_at_a_time():
    """Other parameters, other data: the table's contents do not apply to them."""
    module = fresh()
    exec(
        "class Paid(Take):\n    def __init__(self, pay):\n        self.pay = pay\n"
        "    def initial(self):\n        return self.State(6)\n"
        "    def utility(self, state):\n        return -self.pay[0]",
        module.__dict__,
    )
    table = None
    for pay in (5, 9, 2):
        game = module.Paid(np.array([pay]))
        table = table or prunus.TranspositionTable(1, game, game.initial())
        assert prunus.solve(game, table=table, compile=False).value == pay
        game.pay.array[0] = pay + 1
        assert prunus.solve(game, table=table, compile=False).value == pay + 1


def test_a_search_that_goes_on_says_so():
    module = fresh()
    game = module.Deep(40)
    steps = prunus.iterations(game, compile=False)
    next(steps)
    module.MOST = 4
    with pytest.raises(SearchError, match="rules of Deep changed during the search"):
        for _ in steps:
            pass


def test_pondering_by_rules_that_change_gives_no_answer():
    module = fresh()
    game = module.Deep(30)
    seen = threading.Event()
    ponder = prunus.Ponder(
        game, game.initial(), 1, compile=False, watch=lambda progress: seen.set()
    )
    ponder.hit(depth=2)
    module.MOST = 4
    with pytest.raises(SearchError, match="rules of Deep changed during the search"):
        ponder.hit()


def test_names_of_rules_are_equal_where_rules_are():
    module = fresh()
    game = module.Deep()
    first = rules_of(game).name
    assert rules_of(module.Deep()).name == first != rules_of(module.Deep(13)).name
    module.MOST = 4
    assert rules_of(game).name != first
    module.MOST = 3
    assert rules_of(game).name == first
    module.Deep.__doc__ = "Another text."
    assert rules_of(game).name == first


def test_enumerations_and_modules_inside_packages_count():
    """What rules read through two dots, and which member of an enumeration a name refers to."""
    package, inner = types.ModuleType("stale_package"), types.ModuleType("stale_package.inner")
    package.inner, inner.MOST = inner, 3
    module = fresh()
    module.stale_package = package
    exec(
        "import enum\nclass Side(enum.Enum):\n    LEFT = 1\n    RIGHT = 2\nSIDE = Side.LEFT\nclass "
        "Dotted(Take):\n    def may(self, n):\n        return n <= stale_package.inner.MOST\nclass "
        "Sided(Take):\n    def may(self, n):\n        return n <= (3 if SIDE == Side.LEFT else 4)",
        module.__dict__,
    )
    before = [rules_of(game()).name for game in (module.Dotted, module.Sided)]
    inner.MOST, module.SIDE = 4, module.Side.RIGHT
    after = [rules_of(game()).name for game in (module.Dotted, module.Sided)]
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_a_book_is_of_the_rules_that_helpers_say(tmp_path):
    path = tmp_path / "stale_book.py"
    path.write_text(SOURCE)
    from prunus.games.files import load_class

    game = load_class(str(path), "Deep")()
    module = sys.modules[type(game).__module__]
    first = identity(game)
    assert identity(type(game)()) == first
    module.MOST = 4
    assert identity(game) != first
    module.MOST = 3
    assert identity(game) == first


def test_the_entries_used_last_are_kept():
    kept = Recent(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c"), len(kept)) == (1, None, 3, 2)
