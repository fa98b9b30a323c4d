"""Records and functions that are defined again under their names, as a notebook does: what is
compiled afterwards is of the new ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

import prunus
from tests.amount import few
from tests.kernel.changing import SOURCE, made, negamax

ORDERS = ("a: int\n    b: int", "b: int\n    a: int")

RECORDS = {
    "dictionary": """
def last(n):
    held = {1: Pair(n, 7)}
    held[2] = Pair(n + 1, 40)
    return sum(pair.a for pair in held.values())
""",
    "items": """
def last(n):
    held = {1: Pair(n, 7), 2: Pair(3, n)}
    return sum(key * pair.a for key, pair in held.items())
""",
    "keys": """
def last(n):
    held = {Pair(n, 7): 1, Pair(n + 1, 40): n}
    return sum(pair.a for pair in held)
""",
    "tuple": """
HELD = ((Pair(1, 7), 5), (Pair(3, 40), 6))
def last(n):
    return sum(pair.a * weight for pair, weight in HELD) + HELD[n % 2][0].a * n
""",
    "list": """
def last(n):
    held = [Pair(n, 7), Pair(3, n)]
    held.append(Pair(n + 1, 40))
    return sum(pair.a for pair in reversed(held)) + held[1].a
""",
    "comprehension": """
def last(n):
    held = [Pair(v, 7) for v in (n, 3, n + 1)]
    return sum(pair.a for pair in held) + held[1].a
""",
    "set": """
def last(n):
    held = {Pair(n, 7), Pair(3, n)}
    held.add(Pair(n + 1, 40))
    return sum(pair.a for pair in held)
""",
}


def answers(module):
    """The value of the game by its rules, and as it is proved by compiled code."""
    game = module.G()
    found = prunus.solve(module.G(), algorithm="minimax", compile=True)
    return negamax(game, game.initial()), found.value


@pytest.mark.parametrize("kind", few(tuple(RECORDS), 2))
def test_a_record_defined_again_is_another(kind):
    module = made(f"{SOURCE}\n{RECORDS[kind]}", f"redefined_{kind}")
    right = []
    for fields in (ORDERS[0], ORDERS[1], ORDERS[0]):
        exec(f"class Pair(NamedTuple):\n    {fields}\n{RECORDS[kind]}", module.__dict__)
        value, proved = answers(module)
        assert proved == value
        right.append(value)
    assert right[0] != right[1]


@pytest.mark.parametrize(
    "text",
    [
        "def add(n, k={}):\n        return n + k\n    def go(n):\n        return add(n) + go(n - 1) if n else 0",
        "def go(n, k={}):\n        return k + go(n - 1) if n else 0",
    ],
)
def test_a_default_of_a_function_beside_one_that_calls_itself_is_the_new_one(text, tmp_path):
    module = made(SOURCE, "redefined_defaults")
    place, right = tmp_path / "rules.py", []
    for number in (3, 4, 3):
        written = f"def last(n):\n    {text.format(number)}\n    return go(n % 7)\n"
        place.write_text(written)
        exec(compile(written, place, "exec"), module.__dict__)
        value, proved = answers(module)
        assert proved == value
        right.append(value)
    assert right[0] != right[1]


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaExperimentalFeatureWarning")
def test_a_table_of_functions_serves_after_other_changes():
    text = "K, RULES = {}, (two, one)\ndef last(n):\n    return sum(f(n) for f in RULES) * 2 + K\n"
    module = made(f"{SOURCE}\n{text.format(1)}", "redefined_functions")
    for number in (1, 2, 3):
        exec(f"K = {number}", module.__dict__)
        value, proved = answers(module)
        assert proved == value


def test_a_table_of_functions_compiles_without_a_word_of_the_compiler():
    text = "RULES = (two, one)\ndef last(n):\n    return sum(f(n) for f in RULES)\n"
    program = (
        f"import prunus\nfrom tests.kernel.changing import SOURCE, made\n"
        f"module = made(SOURCE + {text!r}, 'quiet_functions')\n"
        f"print(prunus.solve(module.G(), algorithm='minimax', compile=True).value)\n"
    )
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.strip()
