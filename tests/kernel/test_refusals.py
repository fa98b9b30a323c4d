"""What compiled code refuses is said in the words of the rules, with what to write instead."""

import pytest

import prunus
from prunus.core.errors import PrunusError
from tests.kernel.battery import Idiom, outcome
from tests.kernel.files import loaded

CLASS = """
class Piece:
    def __init__(self, worth):
        self.worth = worth


class Colour(enum.IntEnum):
    RED = 0
    BLACK = 1


class Pair(NamedTuple):
    a: int
    b: int


def doubled(f, v):
    return f(v) * 2


def score(a, b=2, *, c=3, d):
    return a + b + c + d


def listed(items):
    return [item + 1 for item in items]


def ending(items, n):
    try:
        for item in items:
            yield item
    finally:
        n[0] += 1


def halves_of(items):
    for item in items:
        yield item // 2


def same(items):
    return items


def halves(v):
    if v > 0:
        yield v
        for other in halves(v // 2):
            yield other


pair = 7
PREFIXES = {"t", "te", "tea"}
MIXED = [1, "a", (2, 3)]
NEAR = {1: [2, 3], 2: [4]}
"""

REFUSED = {
    "a = [None if v == 0 else v for v in t]\na += [x > 3]\nreturn a[-1] + 2": "truth values and numbers are joined",
    "a = [None if v == 0 else v > 1 for v in t]\na += [x]\nreturn a[-1]": "truth values and numbers are joined",
    "a = [None] * 9\na[x % 9] = 'X'\nreturn a.count('X')": "a list of None",
    "a = [None] * 3\na[x % 3] = y > 3\nreturn len(str(a[0]))": "put among numbers",
    "a = [None if v == 0 else v > 3 for v in t]\na[0] = x\nreturn a[0]": "put among truth values",
    "a = [None if v == 0 else v for v in t]\na[0] = x > 3\nreturn len(str(a[0]))": "put among numbers",
    "e = 0\ntry:\n    n = t[x % 11]\nexcept IndexError as e:\n    n = 77 if e else 55\nreturn n": "`e` is an error",
    "e = 5\ntry:\n    n = t[x % 11]\nexcept IndexError as e:\n    n = 7\nreturn n + e": "`e` is an error",
    "e = None\nn = 0\ntry:\n    n = t[x % 11]\nexcept IndexError as e:\n    bad = e\n    n = 1 if bad else 2\nreturn n": "is an error here",
    "try:\n    n = t[x % 11]\nexcept IndexError as e:\n    n = len(e.args)\nreturn n": "`e` is an error",
    "d = {}\nd.setdefault(x, []).append(y)\ndel d[x]\nreturn len(d)": "use a list of lists",
    "d = {}\nd.setdefault(b, []).append(y)\nreturn len(d)": "a dictionary of lists or sets is compiled if",
    "d = {0: [], 1: []}\nd[x % 2].append(y)\nreturn len(d)": "dictionary cannot hold lists",
    "d = {1: x}\nn = 0\nfor k in reversed(d):\n    n += k\nreturn n": "reverse a list of it",
    "n = 0\nfor letter in list('abc'):\n    n += ord(letter)\nreturn n": "loop over the text",
    "q = collections.deque(maxlen=3)\nq.append(x)\nreturn len(q)": "q.popleft()",
    "i = x % 6\nreturn t[i:i + x % 3] < (2, 3)": "slice a list of it",
    "i = x % 6\nreturn t[i:i + x % 3] == t[:2]": "slice a list of it",
    "rows = [t[c::3] for c in range(3)]\nreturn rows[x % 3][0]": "slice a list of it",
    "rows = [t[c:c + x % 3] for c in range(3)]\nreturn rows[x % 3][0]": "slice a list of it",
    "return 1 if 'te' in PREFIXES else 2": "PREFIXES is a set of texts",
    "return max(sum(1 for _ in run) for _, run in itertools.groupby(t))": "the item before",
    "pair = (1, -1)\nfs = (lambda v, w=pair[1]: v * w, abs)\nreturn fs[x % 2](x)": "the default of w",
    "pair = Pair(x, 2)\nfs = (lambda v, w=pair.b: v * w, abs)\nreturn fs[x % 2](x)": "the default of w",
    "w = x\nfs = (lambda v, w=w: v * w, abs)\nreturn fs[x % 2](x)": "the default of w",
    "if x % 2:\n    w = 5\nfs = (lambda v: v * w, abs)\nreturn fs[x % 2](x)": "uses w of the function around",
    "m = [0] * 3\nm[x % 3] = x / 2\nreturn int(m[0])": "begin with floats, such as 0.0",
    "m = 0\ndef go(i):\n    nonlocal m\n    if i < 3:\n        m = t[i] / 2\n        go(i + 1)\ngo(0)\n"
    "return int(m)": "begin with floats, such as 0.0",
    "m = None\ndef go(i):\n    nonlocal m\n    if i < 3:\n        m = t[i]\n        go(i + 1)\ngo(0)\n"
    "return m": "starts as None and is `nonlocal`",
    "def go(i):\n    return k if i > 4 else go(i + 1)\nif x % 2:\n    k = 5\ntry:\n    return go(x)\n"
    "except NameError:\n    return -9": "'k', which it uses, may have no value",
    "def at(f, n):\n    return n if n < 2 else f(f, n - 1)\nreturn at(at, x)": "given to itself",
    "return next(listed(t), -1)": "next takes an iterator: write next(iter(...), default)",
    "return sum(halves(x))": "a generator that calls itself",
    "def f(v: Unknown) -> int:\n    return v\ntry:\n    return f(x)\nexcept NameError:\n    return 1": "the name Unknown is not defined",
    "total = x\ndef g():\n    global total\n    return total\ndef f(v):\n    nonlocal total\n    total += g()\n"
    "    return f(v - 1) if v > 0 else total\nreturn f(3)": "'total' is a name of the module, too",
    "def f(v):\n    return f(v + 1) if v < 9 else v\ntry:\n    return f(x)\nexcept (ValueError, RecursionError):\n    return 1": "Python stops after a thousand calls",
    "f0 = lambda v: v % 7\nf1 = lambda v: f0(v) + f0(v + 1)\nf2 = lambda v: f1(v) + f1(v + 1)\nf3 = lambda v: f2(v) + f2(v + 1)\n"
    "f4 = lambda v: f3(v) + f3(v + 1)\nf5 = lambda v: f4(v) + f4(v + 1)\nf6 = lambda v: f5(v) + f5(v + 1)\nf7 = lambda v: f6(v) + f6(v + 1)\n"
    "f8 = lambda v: f7(v) + f7(v + 1)\nreturn f8(x)": "make them functions of the module",
    "f = lambda n: 0 if n <= 0 else g(n - 1) + 1; g = lambda n: f(n - 2)\nreturn f(x % 9) + g(3)": "has two of them",
    "n = [0]\nfor v in ending(t, n):\n    if v > 2:\n        break\nreturn n[0]": "put the `yield` outside",
    "g = halves_of(t)\nfor v in same(g):\n    break\nreturn next(g)": "a generator that a function gets cannot be returned",
    "d = {}\nd[(1, x)] = 1\nd[(1, x, 2)] = 3\nreturn len(d)": "give all of them one form",
    "d = {}\nd[t] = 1\nd[t[1:]] = 3\nreturn len(d)": "give all of them one length",
    "d = {}\nd[t[1:]] = 1\nd[t] = 3\nreturn len(d)": "give all of them one length",
    "d = {t: 1}\nreturn (t[1:] in d) + d.get(t[2:], 5)": "give all of them one length",
    "d = {}\nd[1] = t\nd[2] = t[1:]\nreturn len(d[2])": "give all of them one length",
    "d = dict(a=1, c=x)\nreturn d['a']": "write `{key: value, ...}`",
    "s = {b, u64(3)}\ns.remove(int(b))\nreturn len(s)": "remove does not take these types",
    "return sum(range(x / 2))": "range takes whole numbers, not a float: divide by //",
    "return len(t[: x / 2])": "slice takes whole numbers, not a float",
    "return math.gcd(x / 2, 4)": "gcd takes whole numbers, not a float",
    "return int(round(x / 3, x / 2))": "round takes whole numbers, not a float",
    "q = collections.deque(t)\nq.rotate(x / 2)\nreturn q[0]": "rotate takes whole numbers",
    "return len(bin(x > 3))": "bin takes whole numbers, not truth values: write int(...)",
    "return sum(NEAR.get(t[0], []))": "write its lists as tuples, and d.get(k, ())",
    "return len(MIXED)": "MIXED is a constant list that compiled code cannot hold",
    "c = Colour.BLACK if x % 2 else 1\nreturn len(f'{c}')": "becomes a text",
    "rows = [list(t)]\nrows.append(x)\nreturn len(rows)": "append gets a int for a list of list",
    "return (1, 2, 3)[5]": "beyond its last item",
    "a, c = (1, 2, 3)\nreturn a": "a tuple of 3 is unpacked into 2 names",
    "return x[0]": "no list, tuple or dictionary is indexed: int",
    "c = collections.Counter(t)\nreturn sum(c.elements())": "a Counter is compiled where",
    "c = collections.Counter(t)\nc.update(one=2)\nreturn c[1]": "a Counter is compiled where",
    "c = collections.Counter(t)\nreturn int(c == {1: 2})": "a Counter is compiled where",
    "d = collections.defaultdict(set)\nfor i, v in enumerate(t):\n    d[v].add(i)\nreturn len(str(d))": "a defaultdict is compiled where",
    "c = collections.Counter({1: 0.5})\nreturn int(c[1])": "a Counter is compiled where",
    "return list(dict.fromkeys(t))[3]": "takes a number as its value",
    "class_ = tuple(u64(v) for v in t)\nreturn int(np.array(class_).sum())": "a tuple of u64",
    "a = np.zeros(4, np.uint8)\na[0] = x\nreturn int(a[0])": "of plain integers, dtype=int",
    "return int(np.full(3, 300, dtype=np.uint8)[0])": "of plain integers, dtype=int",
    "return int(np.array([x, 1], np.int8)[0])": "of plain integers, dtype=int",
    "return int((np.array(t).astype(np.uint8) * 50)[5])": "of plain integers, dtype=int",
    "return int((BYTES * 50)[0])": "write .astype(int) behind it",
    "return int(np.add(BYTES, BYTES)[0])": "an array of uint8",
    "return int(np.cumsum(BYTES)[1])": "an array of uint64",
    "a = np.zeros(4, np.uint64)\na[0] = y\nreturn int(a[0])": "write np.uint64(...) around it",
    "return int((np.array(t) >> 70).sum())": "shifts and powers of whole arrays",
    "a = np.array(t)\nreturn int((a ** (a - 2)).sum())": "shifts and powers of whole arrays",
    "return int(np.full(10, 0.1).sum())": "rounded otherwise by NumPy",
    "return int(np.mean(np.array([0.1, x])))": "write a loop over them",
    "a = np.full((2, 2), 0.1)\nreturn int((a @ a)[0, 0])": "a product of matrices of floats",
    "return int(np.median(self.items))": "median does not take an array of the game",
    "return int((self.items + 3)[0])": "write np.array(...) around it",
    "return int((np.array([x * 0.1, 2.5]) // 0.1)[0])": "// of an array of floats",
    "return int(np.floor_divide(np.array([x * 0.1]), 0.1)[0])": "np.floor_divide of floats",
    "a = np.array([1.115, x])\nreturn int(round(a[0], 2) * 1000)": "write float(...) around",
    "return int(SHORT[x % 2] * 10)": "write np.float64(...) around it",
    "return int(max(SHORT[0], 0.05) * 1e9)": "a float of 32 bits from NumPy",
    "return 1 if SHORT[0] == 0.1 else 2": "a float of 32 bits from NumPy",
    "return int(np.float32(x * 0.1) * 10)": "a float of 32 bits from NumPy",
    "return int(random.random() * 5)": "random.random gives another number each time",
    "return int(np.random.randint(5))": "np.randint may give another result",
    "return int(np.exp(x % 3))": "np.exp may give another result in compiled code",
    "return int(np.array(t).std())": "std() of an array may give another result",
    "return int(np.argsort(np.array(t))[1])": "np.argsort(a, kind='mergesort')",
    "a = np.array(t)\nnp.add(a[1:], a[:-1], a[1:])\nreturn int(a.sum())": "write out[:] = np.add(...)",
    "a = np.arange(6).reshape(3, 2)\nreturn int(a[a > 2].sum())": "a.ravel()[mask.ravel()]",
    "a = np.arange(6).reshape(3, 2)\na[a > 2] = 0\nreturn int(a.sum())": "np.where(mask, new, a)",
    "a = np.array(t)\na /= 2\nreturn int(a[0])": "NumPy does not put the result back",
    "a = np.array(t)\na += 0.5\nreturn int(a[0])": "NumPy does not put the result back",
    "a = np.array(t) > 2\na += 1\nreturn int(a[0])": "NumPy does not put the result back",
    "a = np.array(t) > 2\nreturn int(a[0] + a[1])": "truth values that may be NumPy's",
    "a = np.array(t)\nreturn int((a[0] == 3) + (a[1] == 1))": "write int(...) around each",
    "return int(self.k + (BYTES[0] > 7) + (BYTES[1] > 1)) + int((x > 3) + (BYTES[1] > 1))": "write int(...) around each",
    "a = np.array(t) > 2\nreturn int(~a[0])": "truth values that may be NumPy's",
    "a = np.array(t) > 2\nreturn int((-a).sum())": "truth values that may be NumPy's",
    "a = np.array(t) > 2\nreturn int((a - a).sum())": "truth values that may be NumPy's",
    "a = np.array(t).reshape(2, 2, 2)\nreturn int(a.max(axis=0)[0, 0])": "max cannot be compiled with",
    "i = x % 9\nl = list(t)\nreturn 1 if l[i:i + 2] == (1, 5) else 0": "`==` does not take these types",
    "r = 0\nfor i in range(6):\n    l = [v for v in t if v > 1]\n    r += l[i:i + 2] == (3, 4)\n    r += l[i:] == (2, 6)\nreturn r": "`==` does not take these types",
    "i = x % 7\nu = state.t[i:]\nif y % 2:\n    u = list(t)[i:]\nreturn 1 if u == (2, 6) else 2": "on one path",
    "return x(0)": "no function is called: int",
    "cells = [1, x]\nreturn cells(0)": "no function is called: list of int",
    "at = {1: x}\nreturn at(1)": "no function is called: dictionary",
    "*rest, last = t[:1]\nreturn last": "a tuple that is certainly empty",
    "first, *rest = state\nreturn len(rest)": "items of several types",
    "return list(x)[0]": "made a list, set or tuple: int",
    "return tuple(y)[0]": "made a list, set or tuple: int",
    "return set(x).pop()": "made a list, set or tuple: int",
    "d = {}\nfor v in t:\n    d[v] = d.pop(v, 0) + 1\nreturn len(d)": "start it with an item",
    "(a, b), c = [(x, y), 3]\nreturn a + b + c": "write a tuple",
    "return sorted(x)[0]": "what has no items is sorted",
    "for i in range(self.nothing):\n    return i\nreturn 1": "range does not take these types: range(None)",
    "return (x, y)": "returns tuple of 2 int; it must be an integer",
    "return sum(v for v in x)": "over what has no items: int",
    "return self.keeps_turn(state)": "missing a required argument: 'child'",
    "s = {(x > 3, 1)}\ns.discard((1, 1))\nreturn len(s)": "looked for among truth values",
    "return len(f'{x / 3:.2f}')": "format does not take these types: format(float",
    "return len(f'{x:,}')": "a format is compiled if it is written out",
    "return len(f'{x:5s}')": "a format is compiled if it is written out",
    "w = x % 5\nreturn len(f'{x:{w}d}')": "a format is compiled if it is written out",
    "return len(f'{x!r}')": "`!r` and the like in an f-string",
    "return int('12', x % 5)": "a base that is written out",
    "del self.k\nreturn 5": "an attribute cannot be deleted in rules",
    "state.x = 5\nreturn state.x": "make another State or NamedTuple, `state._replace(x=...)`",
    "p = Pair(x, 2)\np.a += 6\nreturn p.a": "`state._replace(a=...)`",
    "t[0] = 5\nreturn t[0]": "write `with_item(t, i, value)`",
    "a = (1, 2, x)\na[x % 3] = 5\nreturn a[0]": "an item of a tuple is changed",
    "del t[0]\nreturn t[0]": "an item of a tuple is changed",
    "s = 'abc'\ns[0] = 'x'\nreturn len(s)": "a letter of a text is changed",
    "a, c = x\nreturn a": "what has no items is unpacked into names: int",
    "class P:\n    pass\nreturn 1": "a class inside a function",
    "with open('a') as f:\n    return 1": "`with` cannot be compiled",
    "found = []\nfor v in t:\n    if found:\n        found.append(found[-1])\nreturn len(found)": (
        "`found = [0]` and `found.clear()`"
    ),
    "w = (0, 0.5, 1.5)\nreturn int(2 * sum(w[v % 3] for v in t))": "0.0 for 0",
    "rows = []\nfor i in range(x % 3):\n    rows.append([i, x])\nreturn len(list(zip(*rows)))": "[row[i] for row in rows]",
    "return Piece(x).worth": "an object of a class that is no NamedTuple",
    "d = {u64(5): 3, b: 2}\nd[x] = 4\nreturn len(d)": "(int among u64) is put into it: convert it",
    "n = 0\nfor cells in LINES.values():\n    n += t[cells[0]]\nreturn n": "LINES is a dictionary",
    "if x % 2:\n    def f(v):\n        return v + 1\nreturn f(x)": "'f' may be called here before it is made",
    "def f(v):\n    return g(v)\nr = f(x)\ndef g(v):\n    return v\nreturn r": "'g' may be called here before it is made",
    "def f(v):\n    if v > 0:\n        yield v\n        for w in f(v - 1):\n            yield w\nreturn sum(f(x % 5))": "itself cannot be compiled if it has a `yield`: return a list",
    "def f(v):\n    r = [x for x in range(v)]\n    return len(r) + x if v < 1 else f(v - 1)\nreturn f(3)": "if another variable has the name 'x'",
    "@functools.cache\ndef f(v):\n    return v if v < 2 else f(v - 1) + f(v - 2)\nreturn f(x % 9)": "if it is passed on or has a decorator",
    "n = 0\ndef f(v):\n    nonlocal n\n    if (n := n + 1) < 5:\n        f(v)\nf(x)\nreturn n": "if it assigns 'n' by `:=`",
    "pegs = [[x], [], [1]]\ndef ok(a, c):\n    return pegs[a] and (not pegs[c] or y > 0)\nreturn 1 if ok(x % 3, 1) else 0": "if only its truth is asked, write len(...) > 0",
    "n = 0\ndef f(v):\n    nonlocal n\n    n += 1\n    if v > 9:\n        raise ValueError\n    return f(v + 1) if v < 99 else v\ntry:\n    f(x)\nexcept ValueError:\n    pass\nreturn n": "use a list of one item, `n = [...]`",
    "n = 0\ndef g():\n    def f(v):\n        nonlocal n\n        n += 1\n        return f(v + 1) if v < 9 else v\n    f(x % 9)\ng()\nreturn n": "or is not the next one",
    "return score(*t[:2], d=4)": "`*items` and keywords",
    "r = [0]\nr += [v > 1 for v in t]\nreturn sum(len(str(v)) for v in r)": "becomes a text, which differs",
    "r = [(0, 0)]\nr += [(v > 1, v) for v in t]\nreturn sum(len(str(v)) for v, _ in r)": "becomes a text, which differs",
    "row = [1]\nd = {0: [], 1: []}\nd[0] = row\nrow.append(2)\nreturn len(d[0])": "a dictionary cannot hold lists",
    "d = {}\nfor i in range(4):\n    row = []\n    d[i] = row\n    row.append(i)\nreturn sum(len(r) for r in d.values())": "a dictionary cannot hold lists",
    "d = {}\nfor v in t:\n    d[v % 3] = [v > 1]\nreturn sum(len(str(r)) for r in d.values())": "a dictionary of lists or sets is compiled if",
    "h = x // 2 if x % 2 == 0 else x / 2\nreturn isinstance(h, int)": "it is not known which of these it is",
    "h = min(x, 2.5)\nmatch h:\n    case int():\n        return 1\nreturn 2": "case int(...) cannot be compiled for a value of type float",
    "node = None\nfor v in t:\n    node = (v, node)\nreturn 1 if node else 2": "a tuple that holds the one before it",
    "d = {0: Colour.RED, 1: Colour.BLACK}\nd[0] = 1\nreturn d[0] is Colour.BLACK": "a number is put among members of Colour",
    "d = {1: (1, 2)}\nd[2] = (x > 2, 2)\nreturn len(str(d[2]))": "a tuple with a truth value is put into a dictionary",
    "p = 0\nfor v in t:\n    p += 1 if v == 1 else 0.5 if v == 2 else 0\nreturn isinstance(p, float)": "isinstance() of a value that has one class on one path",
    "f = [x > 1, y]\nreturn len(str(f))": "write int(...) around it",
    "s = frozenset(t)\ns.add(x)\nreturn len(s)": "a frozenset has no add",
    "s = frozenset(t)\nif x % 2:\n    s = set(t)\ns |= {1}\nreturn len(s)": "s is frozenset of int on one path and set of int on another",
    "s = CELLS\ns |= {x}\nreturn len(s)": "a constant of the module, the class or the game is changed",
    "return len(CELLS & {(x, y)})": "`&` does not take these types: constant set of int & set of",
    "return len(set(t).union([x]))": "union does not take these types: union(set of int",
    "s = set(t)\ns.symmetric_difference_update([x])\nreturn len(s)": "symmetric_difference_update does not take these types: symmetric_difference_update(",
    "return len([1, 2] * b)": "`*` does not take these types: list of int * u64",
    "f = {'+': lambda v: v + 1, '-': lambda v: v - 1}\nreturn f['+-'[x % 2]](y)": "make it a constant of the module, or write `if`",
    "def f(v):\n    return t[v] + f(v + 1)\nreturn f(x % 8)": "needs a `return` of its own that does not",
    "p = functools.partial(max, 3)\ndef change():\n    nonlocal p\n    p = functools.partial(min, 3)\nr = 0\nfor i in range(3):\n    r = r * 10 + p(x % 7)\n    change()\nreturn r": "partial cannot be compiled: write a function",
    "return len(NAMES['a'])": "NAMES is a dictionary whose keys or values compiled code cannot hold together",
    "return PIECES[x % 2]['worth']": "PIECES is a list of dictionaries: make it a tuple of NamedTuples",
    "return lambda: 3": "G.utility returns a lambda; it must be an integer",
}


@pytest.mark.parametrize("body", REFUSED)
def test_a_refusal_says_what_to_write(body, tmp_path):
    module = (
        CLASS
        + "CELLS = {0, 1, 2}\nBYTES = np.array([200, 3], np.uint8)\nSHORT = np.array([0.1, 2.7], np.float32)\nLINES = {'row': (0, 1), 'column': (2, None)}\n"
        "NAMES = {'a': ['b', 'c'], 'b': ['c']}\nPIECES = [{'worth': 5}, {'worth': 1}]\n"
    )
    init = "self.items = np.array([1, 2, 3])\nself.nothing = None"
    found = outcome(Idiom("refused", body + "\n", module, "", init, "", False), tmp_path)
    assert found.kind == "refused" and REFUSED[body] in found.message
    assert "idiom_refused.py:" in found.where


def test_the_line_is_that_of_what_is_refused_not_of_what_was_left_out(tmp_path):
    """`v + 1` for a tuple is left out of `f`, and refused further down."""
    module = "def f(v):\n    if isinstance(v, int):\n        return v + 1\n    return 2\n"
    idiom = Idiom("twice", "r = f(t)\nr += t + 1\nreturn r\n", module, "", "", "", False)
    found = outcome(idiom, tmp_path)
    assert found.kind == "refused"
    line = int(found.where.rpartition(":")[2].split(",")[0])
    assert idiom.source().splitlines()[line - 1].strip() == "r += t + 1", found


def test_a_function_of_python_that_is_returned_uncalled_is_named(tmp_path):
    found = outcome(Idiom("returned", "return round\n", "", "", "", "", False), tmp_path)
    assert "returns the function round itself" in found.message


PATHS = """
from typing import NamedTuple

from prunus import Game

CHILD = {(0, "a"): 1, (1, "b"): 2}


class Paths(Game):
    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(0)

    def actions(self, s):
        for i, letter in enumerate("ab"):
            if (s.n, letter) in CHILD:
                yield i

    def result(self, s, a):
        return self.State(CHILD[s.n, "ab"[a]])

    def is_terminal(self, s):
        return s.n == 2

    def utility(self, s):
        return -1
"""


def test_a_name_that_actions_read_is_not_undefined(tmp_path):
    """They are inlined into a search, whose module does not know the name."""
    game = loaded(PATHS, tmp_path / "paths.py").Paths()
    with pytest.raises(PrunusError, match="CHILD is a dictionary whose keys or values"):
        prunus.solve(game, compile=True)


def test_an_undefined_name_is_that_of_this_game_not_of_another_one(tmp_path):
    found = [
        outcome(Idiom(name, "return nowhere + 1\n", "", "", "", "", False), tmp_path)
        for name in ("first", "second")
    ]
    assert ["idiom_first.py" in found[0].where, "idiom_second.py" in found[1].where] == [True] * 2
