"""Whole games changed at random, and their methods compared between Python and compiled code.

The games are those of Prunus, of the examples, of the cookbook and of the benchmarks of boards.
States and actions of the game itself are put to the changed one: which actions there are, what they
lead to, whether the game is over, and the values.
"""

from __future__ import annotations

import ast
import random
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from prunus.core.values import ResultError
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.kernel.reporting.messages import CannotCompile
from tests.kernel.battery import STOPS, Outcome
from tests.kernel.changed_idioms import plain_trees
from tests.kernel.files import loaded
from tests.kernel.mutants import Mutant
from tests.kernel.programs import Endless, in_time
from tests.kernel.trees import Tree, is_program
from tests.pages import ROOT, titled

BUILT_IN = (
    "awari Awari(4, 12)",
    "breakthrough Breakthrough(4, 4)",
    "dots Dots(2, 2)",
    "even_wins EvenWins()",
    "fox_and_geese FoxAndGeese()",
    "hex Hex(4)",
    "kalah Kalah(4, 3)",
    "mnk MNK(4, 4, 3)",
    "nim Nim((3, 4, 5))",
    "nine_mens_morris NineMensMorris()",
    "three_mens_morris ThreeMensMorris()",
)
"""Modules of `prunus.games`, each with the game that is made of it."""

EXAMPLES = "gomoku Gomoku()", "kayles Kayles()", "tablut Tablut()"

BOARDS = "working_boards", "listing_boards", "natural_boards"
"""Modules of `benchmarks` with games on boards kept as tuples, all made with a side."""

DOCUMENTED = {
    "cookbook": "cram Cram|clobber Clobber|crosses Crosses|toads Toads|chomp Chomp|hops Hops|kalah Kalah",
    "tutorial": "squares Squares",
}
"""Files of the pages, each with its class."""

RULES = "actions", "result", "is_terminal", "utility", "evaluate"
"""The methods of which most is changed."""

UNCHANGED = ("__init__", "initial", "parse", "format", "action_name", "parse_action")
"""Those that are not compiled."""

LINES, LONGEST, CASES = 4, 40, 12
"""The random games of which so many positions are taken, and their length."""

MOST = 600
"""The numbers that are kept of an answer."""


class Source(NamedTuple):
    """A game: the text of its file, its class, the expression that makes it, and positions with an
    action each, as tuples."""

    text: str
    name: str
    made: str
    cases: list[tuple[tuple[Any, ...], int]]


@cache
def sources() -> list[Source]:
    """All games."""
    folder = ROOT / "src" / "prunus" / "games"
    found = [((folder / f"{n}.py").read_text(), made) for n, _, made in _named(BUILT_IN)]
    found += [
        ((ROOT / "examples" / f"{n}.py").read_text(), made) for n, _, made in _named(EXAMPLES)
    ]
    for page, games in DOCUMENTED.items():
        files = titled(ROOT / "docs" / f"{page}.md")
        found += [(files[f"{n}.py"], f"{name}()") for n, _, name in _named(games.split("|"))]
    for each in BOARDS:
        text = (ROOT / "benchmarks" / f"{each}.py").read_text()
        classes = [part for part in ast.parse(text).body if isinstance(part, ast.ClassDef)]
        found += [(text, f"{cls.name}(5)") for cls in classes if _methods(cls.body)]
    return [_source(text, made) for text, made in found]


def _methods(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    """The functions that are compiled: not those with a board in memory."""
    return [
        each
        for each in body
        if isinstance(each, ast.FunctionDef)
        and each.name not in UNCHANGED
        and all(parameter.arg != "memory" for parameter in each.args.args)
    ]


def _named(games: Any) -> list[tuple[str, str, str]]:
    return [each.partition(" ") for each in games]


def _source(text: str, made: str) -> Source:
    name = made.partition("(")[0]
    with tempfile.TemporaryDirectory() as folder:
        game = eval(made, vars(loaded(text, Path(folder) / f"original_{name}.py")))  # noqa: S307
    game.freeze()
    chance, cases = random.Random(name), list[tuple[tuple[Any, ...], int]]()
    for _ in range(LINES):
        state = game.initial()
        for _ in range(LONGEST):
            actions = [] if game.is_terminal(state) else list(game.actions(state))
            cases.append((tuple(state), chance.choice(actions or [0])))
            if not actions:
                break
            state = game.result(state, cases[-1][1])
    return Source(text, name, made, chance.sample(cases, min(CASES, len(cases))))


class GameTree(Tree):
    """A game's file as a tree: the methods that are compiled are changed."""

    tests = ("{name} == 1", "{name} > 2", "{name}", "not {name}", "{name} % 2")
    items = "range(3)"
    counts = ("2", "3", "1")

    def __init__(self, source: Source, chance: random.Random) -> None:
        self.source = source
        self.whole = ast.parse(source.text)
        (cls,) = (
            each
            for each in self.whole.body
            if isinstance(each, ast.ClassDef) and each.name == source.name
        )
        functions = _methods([*cls.body, *self.whole.body])
        rules = [each for each in functions if each.name in RULES]
        main = chance.choice(rules or _methods(cls.body))
        super().__init__(functions, main)
        self.given = tuple(each.arg for each in main.args.args[1:])

    def defined(self) -> set[str]:
        """The names of the functions."""
        return {each.name for each in self.parts if isinstance(each, ast.FunctionDef)}

    def text(self) -> str:
        """The file that the tree makes."""
        return ast.unparse(ast.fix_missing_locations(self.whole))


def changed_game(seed: int) -> GameTree | None:
    """The changed game of a seed; None if it is no program."""
    chance = random.Random(seed)
    tree = GameTree(chance.choice(sources()), chance)
    Mutant(chance, tree, plain_trees()).change()
    return tree if is_program(tree.text()) else None


VALUE, SUCCESSOR, EXAMINED_SUCCESSOR, EXAMINED = range(4)
"""What is asked of a position: its value, what the action leads to, and whether the game is over,
with the value or the actions, of the position or of what the action leads to."""


def run(game, state, memory):
    """The search that is compiled: it only asks."""
    memory.used = 0
    if memory.asked == VALUE:
        tell(memory, game.utility(state))
    elif memory.asked == EXAMINED:
        examine(game, state, memory)
    else:
        child = game.result(state, memory.action)
        if memory.asked == SUCCESSOR:
            memory.child[0] = child
        else:
            examine(game, child, memory)
    return 0


def examine(game, state, memory):
    """Whether the game is over; the value or, before that, the actions and the evaluation; who is
    to move."""
    is_over = game.is_terminal(state)
    tell(memory, 1 if is_over else 0)
    if is_over:
        tell(memory, game.utility(state))
    else:
        for action in game.actions(state):
            tell(memory, action)
        tell(memory, game.evaluate(state))
    tell(memory, game.to_move(state))


def tell(memory, number):
    """Keep a number."""
    if memory.used < MOST:
        memory.told[memory.used] = number
    memory.used += 1


class _Asked:
    """A changed game, of which everything is asked."""

    def __init__(self, tree: GameTree, path: Path) -> None:
        self.game: Any = eval(tree.source.made, vars(loaded(tree.text(), path)))  # noqa: S307
        self.game.freeze()
        kind = type(self.game.initial())
        self.cases = [
            (kind(*state), action, asked)
            for state, action in tree.source.cases
            for asked in (EXAMINED, SUCCESSOR, EXAMINED_SUCCESSOR, VALUE)
        ]
        layout = {"told": ("i64", MOST), "child": ("state", 1)}
        numbers = dict.fromkeys(("used", "asked", "action"), "i64")
        self.memory = Memory({**layout, **numbers}, prototype=self.cases[0][0])

    def answers(self, search: Callable[..., Any], is_python: bool) -> list[Any]:
        """What each case gives: numbers, or the kind of error."""
        return [self._answer(search, is_python, *case) for case in self.cases]

    def _answer(
        self, search: Callable[..., Any], is_python: bool, state: Any, action: int, asked: int
    ) -> Any:
        memory = self.memory
        memory.action, memory.asked = action, asked
        try:
            if is_python and asked != VALUE:
                self._expect_result(state, action, asked)
            search(self.game, state, memory)
        except ResultError:  # which compiled code finds without the game
            return "TypeError"
        except Exception as error:
            return type(error).__name__
        if asked == SUCCESSOR:
            return memory.child[0]
        return [int(number) for number in memory.told[: min(memory.used, MOST)]]

    def _expect_result(self, state: Any, action: int, asked: int) -> None:
        """Raises TypeError for what Python does not mind and searches do: a `result` that is no
        State, an `is_terminal` that is neither true nor false."""
        if asked != EXAMINED:
            state = self.game.result(state, action)
            if asked == SUCCESSOR and not isinstance(state, type(self.cases[0][0])):
                raise TypeError
        if asked != SUCCESSOR and not isinstance(self.game.is_terminal(state), int | np.bool_):
            raise TypeError


def examined_game(seed: int, folder: Path) -> Outcome:
    """The outcome of a changed game; "nothing" if it is no program, or none that runs."""
    tree = changed_game(seed)
    if tree is None:
        return Outcome("nothing", "", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            asked = in_time(lambda: _Asked(tree, folder / f"game_{seed}.py"))
            expected = in_time(lambda: asked.answers(run, True))
        except Endless:
            return Outcome("endless", "", "")
        except Exception:  # the module itself does not run
            return Outcome("nothing", "", "")
        if all(isinstance(each, str) for each in expected):
            return Outcome("nothing", "", "")
        arguments = {"game": asked.game, "state": asked.cases[0][0], "memory": asked.memory}
        try:
            compiled = compile_function(run, arguments)
        except CannotCompile as error:
            return Outcome("refused", error.reason, error.where)
        found = asked.answers(compiled, False)
    other = [
        (ours, theirs, case)
        for ours, theirs, case in zip(expected, found, asked.cases, strict=True)
        if ours != theirs
    ]
    wrong = [each for each in other if each[1] not in STOPS]
    if not wrong:
        return Outcome("stops" if other else "agrees", "", "")
    ours, theirs, case = wrong[0]
    text = f"{tree.source.name}: Python {ours}, compiled {theirs} for {case}, in {len(wrong)} cases"
    return Outcome("differs", text, "")
