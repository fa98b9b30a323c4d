"""Everything that a search calls is one module: nothing in it is reached through a pointer, and
Numba's own functions stay usable elsewhere."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, RuntimeLinker
from numba.core.registry import cpu_target

from prunus.games.catalogue import make_game
from prunus.kernel.backends import prepare
from prunus.kernel.calling import together
from prunus.kernel.code import learnt, linking
from prunus.kernel.code.dispatchers import dispatcher
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory
from prunus.run.registry import ALGORITHMS
from tests.amount import in_full
from tests.kernel.subset import Sample


@pytest.fixture(autouse=True)
def without_the_disk(monkeypatch):
    monkeypatch.setenv("PRUNUS_CACHE", "off")


def even(game, n, memory):
    memory.nodes += 1
    return 1 if n == 0 else odd(game, n - 1, memory)


def odd(game, n, memory):
    memory.nodes += 1
    return 0 if n == 0 else even(game, n - 1, memory)


def twice(n):
    return 2 * max(n, 3)


def powers(game, n):
    return sum([twice(i) for i in range(n)])


def test_functions_that_call_each_other():
    game = Sample()
    run, _ = prepare(even, {"game": game, "n": 5, "memory": Memory({"nodes": "i64"})}, True)
    for n in (0, 1, 10, 301):
        memory = Memory({"nodes": "i64"})
        assert run(game, n, memory) == even(game, n, memory) == (n + 1) % 2
        assert memory.nodes == 2 * (n + 1), "both have counted"


def test_two_functions_in_one_and_one_translation_for_all_constants():
    def count(game, step, memory):
        memory.nodes += step
        return memory.nodes

    def up(game, n, memory):
        return count(game, 3, memory) + count(game, 4, memory) + count(game, n, memory)

    def down(game, memory):
        return count(game, -1, memory)

    game, memory, same = Sample(), Memory({"nodes": "i64"}), Memory({"nodes": "i64"})
    both = together(up, down)
    run, backend = prepare(both, {"which": 0, "game": game, "n": 0, "memory": memory}, True)
    assert backend == "compiled"
    for which, n in ((0, 5), (1, 0), (0, 2)):
        assert run(which, game, n, memory) == both(which, game, n, same)
    assert memory.nodes == same.nodes == 20 and len(dispatcher(count).overloads) == 1
    with pytest.raises(ValueError, match="up takes n, which down does not"):
        together(down, up)


def test_a_module_holds_all_and_shows_the_entry_alone(optimised):
    game = make_game("nim")
    algorithm = ALGORITHMS["alphabeta-maxmin"]  # two procedures that call each other

    procedure = algorithm.function

    def fresh(game, state, depth, alpha, beta, memory):
        return procedure(game, state, depth, alpha, beta, memory)

    from prunus.run.memories import new_memory
    from prunus.run.registry import arguments_of

    memory = new_memory(algorithm, game.initial(), 3, 9)
    compile_function(fresh, arguments_of(game, game.initial(), 3, memory))
    module = llvm.parse_assembly(*optimised)
    shown = [
        f.name
        for f in module.functions
        if not f.is_declaration and f.linkage == llvm.Linkage.external
    ]
    assert shown and all("entry_" in name for name in shown)
    assert not [v.name for v in module.global_variables if v.name.startswith(RuntimeLinker.PREFIX)]
    assert any(
        "max_value" in line or "min_value" in line
        for line in str(module).splitlines()
        if " call " in line
    ), "called directly"


def test_functions_of_numba_serve_other_programs_afterwards():
    """Functions compiled along inside a search (`max`, `sum`, lists) are used by code that Prunus
    does not compile."""
    game = Sample()
    run, _ = prepare(powers, {"game": game, "n": 5}, True)
    assert run(game, 6) == powers(game, 6)

    @numba.njit
    def other(n):
        return sum([max(i, 3) for i in range(n)])

    assert other(6) == sum(max(i, 3) for i in range(6))


def test_numba_makes_libraries_where_this_looks_for_them():
    context = cpu_target.target_context
    assert issubclass(JITCodeLibrary, CPUCodeLibrary)
    assert isinstance(context.codegen().create_library("plain"), JITCodeLibrary)
    assert not isinstance(context.codegen().create_library("plain"), linking.PartLibrary)
    with linking.parts():
        assert isinstance(context.codegen().create_library("part"), linking.PartLibrary)
        with linking.parts(False):
            assert not isinstance(context.codegen().create_library("plain"), linking.PartLibrary)
    assert {"_linking_libraries", "_final_module", "_shared_module"} <= set(
        vars(context.codegen().create_library("plain"))
    )


def test_code_that_knows_an_array_by_its_address(tmp_path, monkeypatch):
    """Numba does not copy large arrays into code: it refers to them, and such code is not for
    another process."""
    monkeypatch.setenv("PRUNUS_CACHE", "on")
    monkeypatch.setenv("PRUNUS_CACHE_DIR", str(tmp_path))
    game, memory = Sample(), Memory({"nodes": "i64"})
    for size, files in ((1_000, 1), (300_000, 1)):
        array = np.arange(size)
        scope = {"ARRAY": array}
        exec("def run(game, k, memory):\n    return ARRAY[k]\n", scope)
        native = compile_function(scope["run"], {"game": game, "k": 0, "memory": memory})
        assert len(list(tmp_path.glob("*.bin"))) == files
    known = weakref.ref(array)
    scope["ARRAY"] = array = array.copy()
    # The rules are equal, so that the code is still right for them.
    assert compile_function(scope["run"], {"game": game, "k": 0, "memory": memory}) is native
    learnt.forget()
    gc.collect()
    assert known() is not None, "the code reads it"
    assert native(game, 299_999, memory) == 299_999


AFTER_NUMBA = """
import sys
import numba

if "numba" in sys.argv:
    assert numba.njit(lambda n: n + 1)(1) == 2  # Numba makes its runtime before Prunus compiles

from tests.kernel.test_wide import SAMPLES, SNIPPETS, outcome, prepared, runner

NAMES = "loops unpack floor_division plain_shift generator_expression lazy".split()
snippets = {s.__name__: s for s in SNIPPETS if s.__name__ in NAMES}
assert len(snippets) == len(NAMES)
game = SAMPLES[128]()
run = runner([f"{name}(game, state, k)" for name in NAMES], snippets)
compiled, memory = prepared(run, game, len(NAMES))
state = game.initial()
assert outcome(compiled, game, state, 4, memory) == outcome(run, game, state, 4, memory)
"""


@pytest.mark.parametrize("order", ["numba", pytest.param("alone", marks=in_full)])
def test_programs_may_use_numba_before(order):
    """Lists and sets need Numba's runtime, linked as part of our code or as Numba made it."""
    program = [sys.executable, "-c", AFTER_NUMBA, order]
    done = subprocess.run(
        program, env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])


def test_a_function_that_is_nowhere_is_not_called(monkeypatch):
    def without_numbas_own(library):
        parts = plain(library)
        return [part for part in parts if part.name != "nrt"]

    plain = linking._parts_of
    monkeypatch.setattr(linking, "_parts_of", without_numbas_own)

    def listed(game, k):
        return sum(sorted([k, 5, k + 1]))

    with pytest.raises(Exception, match="nowhere in the process"):
        compile_function(listed, {"game": Sample(), "k": 4})
