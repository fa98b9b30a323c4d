"""Idioms changed at random, or two that follow each other."""

from __future__ import annotations

import ast
import copy
import random
import textwrap
from functools import cache

from tests.kernel.battery import Idiom, idioms
from tests.kernel.mutants import Mutant
from tests.kernel.trees import Tree, is_program, names, stores


class IdiomTree(Tree):
    """An idiom as trees: its module, its class, and `utility`."""

    given = ("x", "y", "b", "t")
    tests = ("{name} == x % 3", "x % 2", "y > 0", "t[x % 8] > 3", "not {name}")
    items = "t"
    counts = ("2", "x % 4", "3")

    def __init__(self, idiom: Idiom) -> None:
        self.idiom = idiom
        self.module = ast.parse(idiom.module)
        self.cls = ast.parse(idiom.cls)
        text = "def utility(self, state):\n" + textwrap.indent(idiom.body, "    ")
        utility = ast.parse(text).body[0]
        assert isinstance(utility, ast.FunctionDef)
        super().__init__((self.module, self.cls, utility), utility)

    def defined(self) -> set[str]:
        """The names of the module and the class."""
        found = set()
        for statement in [*self.module.body, *self.cls.body]:
            nodes = list(ast.walk(statement))
            found |= {node.name for node in nodes if hasattr(node, "name") and node.name}
            found |= {node.id for node in nodes if isinstance(node, ast.Name) and stores(node)}
        return found

    def follow(self, other: IdiomTree, chance: random.Random) -> None:
        """Let another idiom begin where this one returns."""
        last = self.main.body[-1]
        if not isinstance(last, ast.Return) or last.value is None:
            return
        if other.defined() & self.defined() or self.idiom.init and other.idiom.init:
            return
        name = chance.choice(names(self.main) or ["r"])
        kept = ast.Assign([ast.Name(name, ast.Store())], last.value, lineno=0)
        self.main.body[-1:] = [kept, *other.main.body]
        self.module.body += other.module.body
        self.cls.body += other.cls.body
        self.idiom = self.idiom._replace(init=self.idiom.init + other.idiom.init)
        ending = self.main.body[-1]
        if isinstance(ending, ast.Return) and chance.random() < 0.5:
            read = ast.Name(name, ast.Load())
            ending.value = ast.BinOp(ending.value or read, ast.Add(), read)

    def written(self, name: str) -> Idiom:
        """The idiom that the trees make."""
        body = "\n".join(ast.unparse(statement) for statement in self.main.body)
        return self.idiom._replace(
            name=name,
            body=body + "\n",
            module=ast.unparse(self.module) + "\n",
            cls=ast.unparse(self.cls) + "\n",
        )


@cache
def trees() -> list[IdiomTree]:
    """All idioms that are compiled, as trees."""
    return [IdiomTree(idiom) for idiom in idioms() if not idiom.refused and not idiom.boards]


@cache
def plain_trees() -> list[IdiomTree]:
    """Those with nothing around `utility`."""
    return [tree for tree in trees() if not tree.module.body and not tree.cls.body]


def changed_idiom(seed: int) -> Idiom | None:
    """The changed idiom of a seed; None if it is no program."""
    chance = random.Random(seed)
    tree = copy.deepcopy(chance.choice(trees()))
    if chance.random() < 0.4:
        tree.follow(copy.deepcopy(chance.choice(trees())), chance)
    Mutant(chance, tree, plain_trees()).change()
    idiom = tree.written(f"m{seed}")
    return idiom if is_program(idiom.source()) else None
