"""A canary for each hook into Numba below its public interface: if a new release moves one, its
test says which."""

from __future__ import annotations

import ctypes
import gc
import operator
import subprocess
import sys
import types as pytypes
import warnings

import llvmlite.binding as llvm
import numba
import pytest
from llvmlite import ir as native
from numba.core import codegen, config, errors, ir, lowering, typeinfer, types
from numba.core.caching import _Cache
from numba.core.callconv import FIRST_USEREXC, RETCODE_USEREXC, CPUCallConv
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.errors import TypingError
from numba.core.lowering import Lower
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.typing.context import BaseContext
from numba.core.typing.typeof import typeof_impl

import prunus.kernel.compiling.dispatch as dispatch
from prunus import u64
from prunus.kernel.boards import calls, states
from prunus.kernel.code import engines
from prunus.kernel.containers import extremes
from prunus.kernel.containers import memory as native_memory
from prunus.kernel.numbers import truths
from prunus.kernel.numbers.integers import EITHER, LONG, MASK, TRUTH_OR_INT, U64
from prunus.kernel.numbers.intrinsics import as_signed
from prunus.kernel.numbers.wide import TRUTH_OR_WIDE, U128
from prunus.kernel.pipeline import sparing
from prunus.kernel.pipeline.garbage import little_garbage
from prunus.kernel.pipeline.manager import Manager
from prunus.kernel.pipeline.skipping import SPARED
from prunus.kernel.reporting import sites
from prunus.kernel.rewriting import passes
from tests.kernel.subset import Sample


def test_the_version_of_numba_is_in_the_tested_range():
    major, minor = map(int, numba.__version__.split(".")[:2])
    assert (0, 61) <= (major, minor) < (0, 69)


def test_typeof_of_plain_functions_is_ours_while_compiling_only():
    def plain(x):
        return x

    with dispatch.compiling():
        assert isinstance(typeof_impl(plain, None), types.Dispatcher)
    assert not isinstance(typeof_impl(plain, None), types.Dispatcher)
    assert typeof_impl.dispatch(pytypes.FunctionType) is dispatch._typeof_function


def test_functions_that_numba_was_taught_are_looked_up_first():
    from prunus import with_item

    numba.jit(nopython=True)(lambda: 0)()  # loads the registries
    assert cpu_target.typing_context._lookup_global(with_item) is not None


def test_a_pass_can_be_added_and_its_neighbours_exist():
    assert issubclass(passes.Compiler, CompilerBase)
    assert hasattr(DefaultPassBuilder, "define_nopython_pipeline")
    assert numba.jit(nopython=True, pipeline_class=passes.Compiler)(lambda x: x >> 70)(-3) == -1


def test_the_intermediate_code_has_the_shape_that_the_passes_read():
    place = ir.Loc("file.py", 1)
    side = ir.Var(None, "x", place)
    expression = ir.Expr.binop(operator.lshift, side, side, place)
    expression.fn = "changed"
    assert expression.fn == "changed"
    assert ir.Const(3, place).value == 3
    assert hasattr(ir, "Return") and hasattr(ir, "Assign")


def test_literals_reach_templates_that_prefer_them():
    @numba.jit(nopython=True, pipeline_class=passes.Compiler)
    def f(n):
        return 1 << n

    f(3)
    assert f.nopython_signatures[0].return_type is MASK


def test_unification_asks_the_type():
    context = cpu_target.typing_context
    assert context.unify_types(U64, types.int64) is EITHER
    assert context.unify_types(MASK, types.int64) is LONG
    assert context.unify_types(MASK, U64) is EITHER


def test_own_types_are_boxed_and_unboxed():
    @numba.jit(nopython=True)
    def f(x):
        return x

    assert f(u64(1 << 63)) == 1 << 63
    assert type(f(u64(5))) is u64


def test_attributes_of_own_types_can_be_read_and_set():
    from prunus.kernel.backends import call
    from prunus.kernel.memory import Memory

    def count(game, memory):
        memory.total += 2
        memory.items[1] = memory.total
        return memory.items[1] + len(memory.items)

    memory = Memory({"total": "i64", "items": ("i64", 3)})
    assert call(count, {"game": Sample(), "memory": memory}, True) == (5, "compiled")
    assert memory.total == 2


def test_named_tuples_take_an_attribute_template():
    assert native_memory.types.BaseNamedTuple is states.types.BaseNamedTuple
    kind = states.type_of_state(Sample().initial())
    assert kind.instance_class is Sample.State
    assert kind.fields == Sample.State._fields


def test_results_can_be_taken_apart_and_rebuilt():
    assert {"load_overload", "save_overload", "cache_path", "enable", "disable", "flush"} <= set(
        dir(_Cache)
    )
    assert hasattr(CompileResult, "_reduce") and hasattr(CompileResult, "_rebuild")


def test_engines_load_code_that_was_made_elsewhere():
    """The context of a module and the engine of its code do not need each other."""
    text = "define i64 @seven() { ret i64 7 }"
    with engines.workbench() as bench:
        code = cpu_target.target_context.codegen()._tm.emit_object(bench.parsed(text))
    engine = engines.Engine()
    engine.load(code, ["seven"])
    address = engine._engine.get_function_address("seven")
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(address)() == 7


def test_errors_can_leave_from_the_middle_of_lowered_code():
    from prunus.kernel.backends import prepare
    from prunus.kernel.memory import Memory, Stopped

    def spin(game, memory):
        while memory.nodes >= 0:
            memory.nodes += 1
        return 0

    memory = Memory({"nodes": "i64"})
    memory.stop_after(1000)
    run, _ = prepare(spin, {"game": Sample(), "memory": memory}, True)
    with pytest.raises(Stopped):
        run(Sample(), memory)
    assert memory.nodes == 1001


def test_intrinsics_take_any_integer():
    @numba.jit(nopython=True)
    def f(x):
        return as_signed(x)

    assert f(u64((1 << 63) - 1)) == (1 << 63) - 1
    with pytest.raises(OverflowError):
        f(u64(1 << 63))


def test_what_is_put_right_in_the_reading_of_bytecode_is_there():
    from numba.core.byteflow import TraceRunner
    from numba.core.interpreter import Interpreter

    from prunus.kernel.rewriting import repairs

    assert callable(repairs._remove_unused_temporaries)
    assert Interpreter._remove_unused_temporaries is repairs._keep_used_temporaries
    assert TraceRunner.op_SET_ADD is repairs._set_add


def test_answers_of_type_inference_are_remembered_while_compiling_only():
    from numba.core.types.functions import BaseFunction

    from prunus.kernel.pipeline import inference

    context = cpu_target.typing_context
    context.refresh()
    adding, asked = context.resolve_value_type(operator.add), []
    plain = inference._plain_call_type
    try:
        inference._plain_call_type = lambda *given: (asked.append(1), plain(*given))[1]
        for _ in range(2):
            adding.get_call_type(context, (types.int64, types.int64), {})
        assert len(asked) == 2
        with inference.remembering():
            found = {
                adding.get_call_type(context, (types.int64, types.int64), {}) for _ in range(3)
            }
    finally:
        inference._plain_call_type = plain
    assert len(asked) == 3
    assert {sig.return_type for sig in found} == {types.int64}
    assert BaseFunction.get_call_type is inference._get_call_type


def test_what_numba_is_taught_while_compiling_is_known_at_once():
    from numba.extending import overload

    def late(x):
        raise NotImplementedError

    with dispatch.compiling():
        cpu_target.target_context.refresh()

        @overload(late)
        def _late(x):
            return lambda x: x + 1

        @numba.jit(nopython=True, pipeline_class=passes.EntryCompiler)
        def f(x):
            return late(x)

        f.compile((types.int64,))
    assert f(4) == 5


def test_passes_follow_each_other_by_our_own_manager_and_all_of_numbas_are_there():
    assert PassManager._runPass is not Manager._runPass
    for plain, ours in SPARED.items():
        assert issubclass(ours, plain) and plain.run_pass is not ours.run_pass


def test_what_is_measured_once_is_what_numba_measures():
    context = cpu_target.target_context
    for kind in (
        native.IntType(1),
        native.IntType(128),
        native.ArrayType(native.IntType(8), 5),
        native.LiteralStructType([native.IntType(64)] * 3),
    ):
        assert context.get_abi_sizeof(kind) == kind.get_abi_size(context.target_data)


def test_the_variables_of_an_instruction_are_those_that_numba_finds():
    place = ir.Loc("file.py", 1)
    first, second, third = (ir.Var(None, name, place) for name in "abc")
    called = ir.Expr.call(first, [second, (third,)], {"name": second}, place)
    assert {variable.name for variable in called.list_vars()} == set("abc")
    assert {variable.name for variable in ir.Assign(called, third, place).list_vars()} == set("abc")
    assert ir.Assign(ir.Const(3, place), first, place).list_vars() == [first]


def test_garbage_is_looked_for_as_before_once_something_is_compiled():
    before = gc.get_threshold()
    with little_garbage():
        assert gc.get_threshold()[0] >= before[0]
    assert gc.get_threshold() == before


def test_truth_values_are_joined_by_our_rules_while_compiling_only():
    context = cpu_target.typing_context
    plain = context.unify_types(types.boolean, types.int64)
    with dispatch.compiling():
        for pair in ((types.boolean, types.int64), (types.int64, types.boolean)):
            assert context.unify_types(*pair) is TRUTH_OR_INT
        assert context.unify_types(types.boolean, U128) is TRUTH_OR_WIDE
        assert context.unify_types(types.boolean, types.boolean) == types.boolean
    assert context.unify_types(types.boolean, types.int64) == plain != TRUTH_OR_INT


def test_what_is_put_into_a_list_goes_through_our_hooks():
    assert BaseContext.resolve_setitem is truths._put
    assert typeinfer.SetItemRefinement._refine_target_type is truths._refined
    assert typeinfer.TypeInferer._unify_return_types is truths._joined_results
    context, items = cpu_target.typing_context, types.List(types.int64)
    cpu_target.target_context.refresh()
    with dispatch.compiling():
        assert (
            context.resolve_setitem(items, types.intp, types.boolean).args[0].dtype is TRUTH_OR_INT
        )
        with pytest.raises(TypingError, match="a u64 is put among plain integers"):
            context.resolve_setitem(items, types.intp, U64)
        with pytest.raises(TypingError, match="a set cannot hold"):
            types.Set(EITHER)


def test_a_list_takes_an_index_of_our_types():
    @numba.jit(nopython=True, pipeline_class=passes.Compiler)
    def f(i):
        items = [3, 4, 5]
        items[i] = 2
        return items[i] + items[-1]

    assert f(u64(1)) == 7
    with pytest.raises(IndexError):
        f(u64(3))


def test_errors_get_the_context_that_numba_gives_them():
    shown = []
    for context in (sparing.plain_context, sparing.ErrorContext):
        with pytest.raises(TypingError) as found:
            with context("typing of {what} at {loc}", what="a + b", loc=ir.unknown_loc):
                raise TypingError("wrong")
        shown.append(str(found.value))
    assert shown[0] == shown[1] and "typing of a + b at" in shown[0]


def test_scipy_is_not_loaded_to_see_whether_it_is_there():
    """A user may have SciPy; loading it takes as long as compiling thirty functions."""
    pytest.importorskip("scipy")
    program = (
        "import sys, prunus.kernel.compiling.compiled; sys.exit('scipy.linalg' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_an_error_tells_its_line_by_the_code_that_a_function_returns():
    assert CPUCallConv._return_errcode_raw is sites._return_errcode_raw
    assert CPUCallConv.unpack_exception is sites._unpack_exception
    assert CPUCallConv.call_function is calls._call_function
    assert calls._plain_call_function is sites._call_function
    # Any code from this on means that an error was raised.
    assert FIRST_USEREXC == 1 == RETCODE_USEREXC.constant


def test_what_numba_does_that_nobody_needs_goes_through_our_hooks():
    from numba.cpython import builtins
    from numba.typed import typedobjectutils

    assert Lower.create_cfunc_wrapper is sparing._create_cfunc_wrapper
    assert config.reload_config is sparing._reload_config
    assert TargetConfig.get_mangle_string is sparing._get_mangle_string
    assert lowering.new_error_context is typeinfer.new_error_context is sparing.ErrorContext
    assert errors.WarningsFixer.catch_warnings is sparing._catch_warnings
    assert codegen.ll.get_process_triple is llvm.get_process_triple is sparing.process_triple
    assert builtins.min_max_impl is extremes._extreme_of_items
    sparing.load_without_doubts()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        typedobjectutils._sentry_safe_cast(types.int64, types.undefined)
