"""Parameters that choose what rules are made of, and changes of what is chosen: compiled rules give
Python's numbers, and nothing that stands for rules stands for two games that differ."""

from __future__ import annotations

import sys
import types

import pytest

from prunus.kernel.code.rules import meaning_of, rules_of
from prunus.kernel.code.toolchain import is_known
from prunus.kernel.reporting.messages import CannotCompile
from prunus.tables.errors import BookError
from prunus.tables.identity import identity
from tests.amount import amount, few, thinned
from tests.kernel.choices import WAYS
from tests.kernel.choosing import compared, compiled_scores, scores, source
from tests.kernel.files import loaded


@pytest.mark.parametrize("seed", range(24, amount(25, 28)))
def test_random_programs(seed):
    counts, lines = compared(seed, processes=amount(1, 2))
    assert counts["agrees"] and not counts["differs"], lines


def of(folder, name, **parts):
    """A module made of parts."""
    return loaded(source(**parts), folder / f"chosen_of_{name.replace(' ', '_')}.py")


def written(text):
    """A text of `choices.py` with its holes filled."""
    text = text.replace("#", "0").replace("{p}", "p0").replace("{v}", "3")
    return text.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize("way", list(WAYS))
def test_names_tell_games_apart(way, tmp_path):
    """Without compiling: whatever differs has another name."""
    parts = WAYS[way]
    score = " + ".join(f"({written(use)}) * {3 + 2 * i}" for i, use in enumerate(parts.uses))
    module = of(
        tmp_path,
        way,
        module=[written(parts.module)],
        cls=[written(parts.cls)],
        init=[written(parts.init)],
        score=score,
    )
    seen = {}
    for change in ("pass", *map(written, parts.changes)):
        exec(change, module.__dict__)
        for number in range(3):
            module.game = game = module.G(number)
            key = str(meaning_of(game)[1:])
            assert seen.setdefault(key, scores(game)) == scores(game)
            try:
                name = identity(game)
            except BookError:
                continue
            assert seen.setdefault(name, scores(game)) == scores(game)
    assert len(set(map(str, seen.values()))) > 1


BOX = "class Box:\n    k = 3\nBOX = Box()"
HELPED = "def helper(thing, n):\n    return thing.of(n)"

TOLD = {
    "builtin": (
        {"init": ["self.f = min if p0 else max"], "score": "self.f(n, 5)"},
        "",
    ),
    "operator": (
        {"init": ["self.f = (operator.add, operator.sub)[p0]"], "score": "self.f(n, 5)"},
        "",
    ),
    "global builtin": ({"module": ["F = min"], "score": "F(n, 5)"}, "F = max"),
    "function of NumPy": (
        {"init": ["self.f = (np.add, np.subtract)[p0]"], "score": "int(self.f(n, 5))"},
        "",
    ),
    "cached property of data": (
        {
            "cls": ["@cached_property\ndef k(self): return int(self.t.sum())"],
            "init": ["self.t = np.array([p0 + 1, 2])"],
            "score": "n * self.k",
        },
        "",
    ),
    "descriptor": (
        {
            "module": [f"{BOX}\nclass Of:\n    def __get__(self, game, cls): return BOX.k"],
            "cls": ["k = Of()"],
            "score": "n * self.k",
        },
        "BOX.k = 4",
    ),
    "module in a closure": (
        {
            "module": [
                "kept = types.ModuleType('kept')\nkept.K = 3\ndef make(module):\n"
                "    def inner(n): return n * module.K\n    return inner\nF = make(kept)"
            ],
            "score": "F(n)",
        },
        "kept.K = 4",
    ),
    "class given to a helper": (
        {
            "module": ["def helper(cls, n):\n    return n * cls.K"],
            "cls": ["K = 3"],
            "score": "helper(type(self), n)",
        },
        "G.K = 4",
    ),
    "class method": (
        {"cls": ["K = 3\n@classmethod\ndef of(cls, n): return n * cls.K"], "score": "self.of(n)"},
        "G.K = 4",
    ),
    "State given to a helper": (
        {
            "module": [HELPED],
            "middle": [
                "class State(NamedTuple):\n    left: u8\n    sum: u8\n"
                "    def of(self, n): return n * 2 + self.sum"
            ],
            "score": "helper(self.State(1, 3), n)",
        },
        "G.State.of = lambda self, n: n + self.sum",
    ),
    "member given to a helper": (
        {
            "module": [
                f"{HELPED}\nclass Kind(enum.IntEnum):\n    A = 3\n"
                "    def of(self, n): return n * self.value"
            ],
            "score": "helper(Kind.A, n)",
        },
        "Kind.of = lambda self, n: n + self.value",
    ),
    "dictionary that was another": (
        {
            "init": ["self.k = p0", "self.t = {i: i + 2 for i in range(5)}"],
            "score": "self.k + self.t.get(n % 5, 3)",
        },
        "game.t[1] = game.t[2] = 99",
    ),
}
"""What stands in the module, and a change; without a change, another parameter is enough."""


@pytest.mark.parametrize("kind", thinned(list(TOLD), 3))
def test_compiled_rules_follow(kind, tmp_path):
    """First with one parameter, then after the change with it and with another one."""
    parts, change = TOLD[kind]
    module = of(tmp_path, kind, **parts)
    module.game = module.G(1)
    first = compiled_scores(module.game)
    assert first == scores(module.game)
    exec(change, module.__dict__)
    found = []
    for game in (module.game, module.G(1), module.G(0)):
        found.append(compiled_scores(game))
        assert found[-1] == scores(game)
    assert any(each != first for each in found)


REFUSED = {
    "made by a special method": {
        "cls": [
            "def __getattr__(self, name):\n    if name == 'k': return self.__dict__['_k']\n"
            "    raise AttributeError(name)"
        ],
        "init": ["self._k = p0"],
        "score": "n * self.k",
    },
    "self.kept is a module": {
        "module": ["kept = types.ModuleType('kept')\nkept.K = 3"],
        "init": ["self.kept = kept"],
        "score": "n * self.kept.K",
    },
    "the module kept is an argument": {
        "module": ["kept = types.ModuleType('kept')\nkept.K = 3\ndef read(m):\n    return m.K"],
        "score": "n * read(kept)",
    },
    "the attribute Box.k is computed": {
        "module": ["class Kind(type):\n    k = 3\nclass Box(metaclass=Kind):\n    pass"],
        "score": "n * Box.k",
    },
    "Box.k is computed, by a descriptor": {
        "module": [
            "class Of:\n    def __get__(self, game, cls): return 3\nclass Box:\n    k = Of()"
        ],
        "score": "n * Box.k",
    },
}


@pytest.mark.parametrize("words", few(list(REFUSED), 2))
def test_what_nothing_watches_is_refused(words, tmp_path):
    module = of(tmp_path, words.split()[0], **REFUSED[words])
    with pytest.raises(CannotCompile, match=words.replace(".", r"\.")):
        compiled_scores(module.G())


def test_books_tell_sources_and_attributes_apart(tmp_path):
    pairs = {
        "lambdas": ("self.f = (lambda n: n * 2) if p0 else (lambda n: n * 3)", "self.f(n)"),
        "floats": ("self.p0 = (p0 / 2, 0.5)", "int(n * self.p0[0])"),
        "rows": ("self.p0 = ((p0, 1), (2,))", "n * self.p0[0][0]"),
        "texts": ("self.p0 = ('a' * p0, 'b')", "n * len(self.p0[0])"),
    }
    for name, (init, score) in pairs.items():
        module = of(tmp_path, name, init=[init], score=score)
        assert identity(module.G(1)) != identity(module.G(0))
        assert identity(module.G(1)) == identity(module.G(1))
    module = of(tmp_path, "later", cls=["k = 3"], score="n * self.k")
    game = module.G()
    game.k = 4
    assert identity(game) != identity(module.G())


EDITED = {
    "decorator": {
        "module": [
            "def times(f):\n    @wraps(f)\n    def inner(self, n): return f(self, n) * {k}\n"
            "    return inner"
        ],
        "cls": ["@times\ndef of(self, n): return n"],
        "score": "self.of(n)",
    },
    "object": {
        "module": ["class Box:\n    def of(self, n): return n * {k}\nBOX = Box()"],
        "score": "BOX.of(n)",
    },
    "contents": {
        "module": ["class Box:\n    def __init__(self, k): self.k = k\nBOX = Box({k})"],
        "score": "BOX.k * n",
    },
    "data class": {
        "module": ["@dataclass\nclass Box:\n    k: int = {k}\nBOX = Box()"],
        "score": "BOX.k * n",
    },
    "cached property": {
        "cls": ["@cached_property\ndef k(self): return {k}"],
        "score": "self.k * n",
    },
    "fraction": {
        "module": ["from fractions import Fraction\nBOX = Fraction({k}, 2)"],
        "score": "int(BOX * n)",
    },
}


@pytest.mark.parametrize("kind", EDITED)
def test_books_are_of_the_file_as_it_was_written(kind, tmp_path):
    names = []
    for place, k in enumerate((2, 3, 2)):
        folder = tmp_path / str(place)
        folder.mkdir()
        parts = {
            part: text.replace("{k}", str(k))
            if isinstance(text, str)
            else [line.replace("{k}", str(k)) for line in text]
            for part, text in EDITED[kind].items()
        }
        names.append(identity(of(folder, kind, **parts).G()))
    assert names[0] == names[2] != names[1]


def test_objects_that_change_make_other_rules(tmp_path):
    module = of(
        tmp_path,
        "objects",
        module=["class Box:\n    def __init__(self, k): self.k, self.next = k, None"],
        init=["self.box = Box(p0)", "for _ in range(3000): self.box.next = box = Box(p0)"],
        score="n * self.box.k",
    )
    game = module.G(3)
    first = rules_of(game)
    assert rules_of(game) is first
    assert rules_of(module.G(3)).name == first.name != rules_of(module.G(4)).name
    game.box.k = 5
    assert first.is_current()
    assert rules_of(game).name != first.name


def test_a_long_chain_of_objects_has_a_name(tmp_path):
    module = of(
        tmp_path,
        "chain",
        module=["class Node:\n    next = None"],
        init=[
            "self.node = node = Node()\nfor _ in range(5000):\n    node.next = Node()\n"
            "    node = node.next"
        ],
    )
    assert rules_of(module.G()).name == rules_of(module.G()).name


def test_a_file_with_a_name_of_the_library_is_a_users(tmp_path, monkeypatch):
    assert is_known("turtle")
    module = types.ModuleType("turtle")
    module.__file__ = str(tmp_path / "turtle.py")
    monkeypatch.setitem(sys.modules, "turtle", module)
    assert not is_known("turtle")
