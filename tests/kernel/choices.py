"""Ways in which the parameters of a game choose what its rules are made of, for
`tests.kernel.choosing`.

Each way is a text in parts: what stands in the module, in the class, in `__init__`; the expressions
of n that use it; and changes, as a user makes them between two searches. `#` stands for the number
of the way in its game, `{p}` for the parameter that chooses, from 0 to 2, and `{v}` for any small
number.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Way(NamedTuple):
    """One way; what it lacks is empty. `changes` are lines for the module, where `game` is the game
    that was searched last."""

    module: str = ""
    cls: str = ""
    init: str = ""
    uses: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


FUNCTIONS: Final = """
def few#(n): return n % 5 + {v}
def many#(n): return n * 2 - K#
def made#(k, more=1):
    def inner(n): return n * k + more
    return inner
def pick#(k, n, more={v}): return n * k - more
K# = {v}
"""
NEW_FUNCTIONS: Final = (
    "K# = {v}",
    "def few#(n): return n % 4 + {v}",
    "few#.__code__ = (lambda n: n + {v}).__code__",
    "pick#.__defaults__ = ({v},)",
)
CALLED: Final = ("self.f#(n)",)

WAYS: Final[dict[str, Way]] = {
    "method": Way(
        cls="def low#(self, n): return n % 3 + {v}\ndef high#(self, n): return n * 3 - {v}",
        init="self.f# = self.low# if {p} else self.high#",
        uses=CALLED,
        changes=(
            "G.low# = lambda self, n: n * {v} + 1",
            "G.high# = lambda self, n: n - {v}",
        ),
    ),
    "function": Way(FUNCTIONS, "", "self.f# = few# if {p} else many#", CALLED, NEW_FUNCTIONS),
    "lambda": Way(
        "K# = {v}",
        "",
        "self.f# = (lambda n: n * 2 + K#) if {p} else (lambda n: n * 3 + K#)",
        CALLED,
        ("K# = {v}",),
    ),
    "closure": Way(FUNCTIONS, "", "self.f# = made#({p}, {v})", CALLED, NEW_FUNCTIONS),
    "own closure": Way(
        "", "", "k# = {p} * 2 + 1\nself.f# = lambda n: n * k# + {v}", ("self.f#(n)",)
    ),
    "partial": Way(
        FUNCTIONS,
        "",
        "self.f# = partial(pick#, {p} + 1, more={p}) if {p} else partial(pick#, 4)",
        CALLED,
        NEW_FUNCTIONS,
    ),
    "partial of method": Way(
        cls="def of#(self, k, n): return n * k + {v}",
        init="self.f# = partial(self.of#, {p} + 1)",
        uses=CALLED,
        changes=("G.of# = lambda self, k, n: n - k * {v}",),
    ),
    "cache": Way(
        "@lru_cache\ndef few#(n): return n % 5 + {v}\n@cache\ndef many#(n): return n * 3",
        "",
        "self.f# = few# if {p} else many#",
        CALLED,
        ("@lru_cache\ndef few#(n): return n % 4 + {v}",),
    ),
    "builtin": Way(
        "K# = {v}",
        "",
        "self.f# = (min, max, operator.sub)[{p}]",
        ("self.f#(n, 4)", "self.f#(3, n)"),
        ("K# = {v}",),
    ),
    "global builtin": Way(
        "PICK# = min", "", "self.k# = {p}", ("PICK#(n, self.k# + 3)",), ("PICK# = max",)
    ),
    "functions": Way(
        FUNCTIONS,
        "",
        "self.fs# = (few#, many#) if {p} else (many#, few#)",
        ("self.fs#[n % 2](n)", "sum(f(n) for f in self.fs#)"),
        NEW_FUNCTIONS,
    ),
    "functions by name": Way(
        FUNCTIONS + "\nNAMED# = {{0: few#, 1: many#, 2: few#}}",
        "",
        "self.f# = NAMED#[{p}]",
        CALLED,
        (*NEW_FUNCTIONS, "NAMED#[0] = many#"),
    ),
    "numbers": Way(
        "K# = {v}",
        "",
        "self.k# = {p} * K# + {v}",
        ("n * self.k#", "(n > self.k#)"),
        ("K# = {v}",),
    ),
    "tuples": Way(
        "",
        "",
        "self.t# = tuple((i * {p}, i + {v}) for i in range(4))",
        ("self.t#[n % 4][1]", "sum(a * b for a, b in self.t#)", "self.t#[n % 4][0] * n"),
    ),
    "list": Way(
        "",
        "",
        "self.t# = [{v}, {p}, 3]",
        ("self.t#[n % 3]", "sum(self.t#)", "(n in self.t#)"),
        ("game.t#[1] = {v}", "game.t#.append({v})"),
    ),
    "dict": Way(
        "",
        "",
        "self.t# = {{i: i * {p} + {v} for i in range(5)}}",
        ("self.t#.get(n, 3)", "sum(self.t#.values())", "self.t#[n % 5]"),
        ("game.t#[1] = {v}", "game.t#[7] = {v}"),
    ),
    "set": Way(
        "",
        "",
        "self.t# = {{1, {p} + 2}}",
        ("(n in self.t#)", "sum(self.t#)"),
        ("game.t#.add(5)",),
    ),
    "array": Way(
        "",
        "",
        "self.t# = np.array([{p}, {v}, 3])",
        ("int(self.t#[n % 3])", "int(self.t#.sum())"),
        ("getattr(game.t#, 'array', game.t#)[1] = {v}",),
    ),
    "array of module": Way(
        "T# = np.array([1, {v}, 3])",
        "",
        "self.k# = {p}",
        ("int(T#[n % 3]) * self.k#",),
        ("T#[1] = {v}", "T# = np.array([{v}, 2, 2])"),
    ),
    "runtime": Way(
        cls="r#: Runtime[i64]", init="self.r# = {p} + {v}", uses=("n * self.r#", "self.r#")
    ),
    "total of runtime": Way(
        cls="r#: Runtime[i64]\n@property\ndef twice#(self): return self.r# * 2",
        init="self.r# = {p} + {v}",
        uses=("n * self.twice#",),
    ),
    "record": Way(
        "class Pair#(NamedTuple):\n    a: int\n    b: int\n    def of(self, n): return self.a * n - "
        "self.b",
        "",
        "self.t# = Pair#({p}, {v})",
        ("self.t#.of(n)", "self.t#.a", "sum(self.t#)"),
        ("Pair#.of = lambda self, n: self.b * n + {v}",),
    ),
    "record of functions": Way(
        FUNCTIONS + "\nclass Of#(NamedTuple):\n    f: object\n    k: int",
        "",
        "self.t# = Of#((few#, many#, few#)[{p}], {v})",
        ("self.t#.f(n)", "self.t#.k"),
        NEW_FUNCTIONS,
    ),
    "enumeration": Way(
        "class Kind#(enum.IntEnum):\n    A = 1\n    B = {v} + 2\n    C = 13\n    def of(self, n): "
        "return n * self.value",
        "",
        "self.t# = tuple(Kind#)[{p}]",
        ("self.t# * n", "(self.t# == Kind#.B)", "self.t#.value"),
        ("Kind#.of = lambda self, n: n + {v}",),
    ),
    "class": Way(
        "class A#:\n    K = {v}\nclass B#(A#):\n    K = 3\n    L = 2",
        "",
        "self.kind# = A# if {p} else B#",
        ("self.kind#.K * n", "self.kind#.K", "B#.L"),
        ("A#.K = {v}", "B#.K = {v}", "B#.L = {v}"),
    ),
    "static": Way(
        "class A#:\n    @staticmethod\n    def of(n): return n + {v}\nclass B#:\n    @staticmethod\n"
        "    def of(n): return n * 2",
        "",
        "self.kind# = A# if {p} else B#",
        ("self.kind#.of(n)",),
        ("A#.of = staticmethod(lambda n: n - {v})",),
    ),
    "property": Way(
        "K# = {v}",
        "@property\ndef k#(self): return self.base# + K#",
        "self.base# = {p}",
        ("n * self.k#",),
        ("K# = {v}",),
    ),
    "private": Way(
        "",
        "@property\ndef k#(self): return self._base# * 2\n@property\ndef l#(self): return self.k# + 1",
        "self._base# = {p} + {v}",
        ("n * self.k#", "self.l#"),
    ),
    "cached property": Way(
        "",
        "@cached_property\ndef k#(self): return int(self.t#.sum()) + {v}",
        "self.t# = np.array([{p}, 2])",
        ("n * self.k#",),
    ),
    "property of object": Way(
        "class Box#:\n    def __init__(self, k): self.k = k\nBOX# = Box#({v})",
        "@property\ndef k#(self): return BOX#.k + self.box#.k",
        "self.box# = Box#({p})",
        ("n * self.k#",),
        ("BOX#.k = {v}", "game.box#.k = {v}", "BOX# = Box#({v})"),
    ),
    "property of data class": Way(
        "@dataclass\nclass Box#:\n    k: int\n    more: list = field(default_factory=list)",
        "@property\ndef k#(self): return self.box#.k + len(self.box#.more)",
        "self.box# = Box#({p}, [{v}])",
        ("n * self.k#",),
        ("game.box#.k = {v}", "game.box#.more.append(1)"),
    ),
    "function of property": Way(
        FUNCTIONS,
        "@property\ndef f#(self): return few# if self.k# else many#",
        "self.k# = {p}",
        CALLED,
        NEW_FUNCTIONS,
    ),
    "method of object": Way(
        "class Box#:\n    def __init__(self, k): self.k = k\n    def of(self, n): return n * self.k",
        "",
        "self.box# = Box#({p})\nself.f# = self.box#.of",
        ("self.f#(n)", "self.box#.of(n)"),
        ("game.box#.k = {v}",),
    ),
    "descriptor": Way(
        "class Of#:\n    def __get__(self, game, cls): return game._k# * 2",
        "k# = Of#()",
        "self._k# = {p}",
        ("n * self.k#",),
    ),
    "special": Way(
        cls="def __getattr__(self, name):\n    if name == 'k#': return self.__dict__['_k#']\n"
        "    raise AttributeError(name)",
        init="self._k# = {p}",
        uses=("n * self.k#",),
    ),
    "module": Way(
        "cfg# = types.ModuleType('cfg#')\ncfg#.K = {v}",
        "",
        "self.cfg# = cfg#\nself.k# = {p}",
        ("cfg#.K * n", "self.cfg#.K + self.k#"),
        ("cfg#.K = {v}",),
    ),
    "class attribute": Way(
        "",
        "K# = {v}\n@classmethod\ndef of#(cls, n): return n * cls.K#",
        "self.k# = {p}",
        ("self.K# * n", "type(self).K#", "self.of#(n)", "n * self.K# + self.k#"),
        ("G.K# = {v}", "Base.K# = {v}"),
    ),
    "table of class": Way(
        "",
        "TABLE# = tuple(i * {v} for i in range(4))\nNAMES# = {{'a': 1, 'b': {v}}}",
        "self.key# = 'ab'[{p} % 2]",
        ("self.TABLE#[n % 4]", "self.NAMES#[self.key#]", "self.NAMES#['b'] * n"),
        ("G.TABLE# = (1, 2, {v}, 0)", "G.NAMES#['b'] = {v}"),
    ),
    "super": Way(
        "",
        "def of#(self, n): return super().more(n) + self.k#",
        "self.k# = {p}",
        ("self.of#(n)",),
        ("Base.more = lambda self, n: n * {v}", "Base.scale = {v}"),
    ),
    "default": Way(
        "K# = {v}",
        "def of#(self, n, k={v}, *, more=K#): return n * k + more + self.k#",
        "self.k# = {p}",
        ("self.of#(n)", "self.of#(n, 2)", "self.of#(n, more=self.k#)"),
        ("G.of#.__defaults__ = ({v},)", "G.of#.__kwdefaults__['more'] = {v}"),
    ),
    "decorator": Way(
        "def times#(k):\n    def of(f):\n        @wraps(f)\n        def inner(self, n):\n"
        "            return f(self, n) * k\n        return inner\n    return of",
        "@times#({v})\ndef of#(self, n): return n + self.k#",
        "self.k# = {p}",
        ("self.of#(n)",),
        ("G.of# = times#({v})(lambda self, n: n - self.k#)",),
    ),
    "text": Way(
        "",
        "",
        "self.mode# = ('few', 'many', 'none')[{p}]",
        ("(n if self.mode# == 'few' else {v})", "len(self.mode#)", "self.mode#.count('n')"),
    ),
    "own function": Way(
        FUNCTIONS,
        "def f#(self, n): return n + {v}",
        "if {p}:\n    self.f# = made#({p})",
        CALLED,
        ("G.f# = lambda self, n: n - {v}",),
    ),
}
"""All ways, by name."""

REFUSED: Final = frozenset(("special", "method of object", "module"))
"""Ways of which compiled code refuses at least some."""
