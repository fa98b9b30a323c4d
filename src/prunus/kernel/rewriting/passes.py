"""The passes by which Prunus changes a function's intermediate code in Numba's pipeline."""

from __future__ import annotations

import operator
from collections import Counter
from copy import copy
from itertools import pairwise
from types import BuiltinFunctionType
from typing import Any

import numpy as np
from numba.core import errors, ir
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import find_const, guard
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import (
    InlineClosureLikes,
    IRProcessing,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    ReconstructSSA,
)

from prunus.kernel.boards.arguments import Arguments
from prunus.kernel.boards.text_reads import TextReads
from prunus.kernel.code.linking import whole_library
from prunus.kernel.containers.table_types import looked_up
from prunus.kernel.containers.unions import from_keys
from prunus.kernel.numbers.counting import Counts
from prunus.kernel.numbers.masks import Masks
from prunus.kernel.numbers.modular import Parts
from prunus.kernel.numbers.operators import CHECKED, ONES, OPERATIONS
from prunus.kernel.numbers.wide import constant
from prunus.kernel.pipeline.manager import Manager
from prunus.kernel.pipeline.skipping import SPARED
from prunus.kernel.rewriting.absent import AbsentNumbers
from prunus.kernel.rewriting.beginnings import Beginnings
from prunus.kernel.rewriting.changed import ChangedLists
from prunus.kernel.rewriting.choosing import ChosenConstants
from prunus.kernel.rewriting.closures import Closures
from prunus.kernel.rewriting.collecting import Collecting
from prunus.kernel.rewriting.counted import CountedLists
from prunus.kernel.rewriting.displays import Displays
from prunus.kernel.rewriting.empty import EmptyLoops
from prunus.kernel.rewriting.equal import EqualLists
from prunus.kernel.rewriting.escapes import LocalLists
from prunus.kernel.rewriting.filled import FilledLists
from prunus.kernel.rewriting.fixed_settings import FixedSettings
from prunus.kernel.rewriting.generator_loops import GeneratorLoops
from prunus.kernel.rewriting.groups import Groups
from prunus.kernel.rewriting.handling import Reraising
from prunus.kernel.rewriting.helpers import Helpers
from prunus.kernel.rewriting.inlining import global_value
from prunus.kernel.rewriting.joined import JoinedSlices
from prunus.kernel.rewriting.known_lengths import Sequences
from prunus.kernel.rewriting.loose import LooseTuples
from prunus.kernel.rewriting.lowering import PlacedLowering
from prunus.kernel.rewriting.maps import Maps
from prunus.kernel.rewriting.methods import Methods
from prunus.kernel.rewriting.nans import Nans
from prunus.kernel.rewriting.narrow import NarrowNumbers
from prunus.kernel.rewriting.narrow_arrays import NarrowArrays
from prunus.kernel.rewriting.none_branches import TypeInference
from prunus.kernel.rewriting.numpy_classes import NumpyClasses, NumpyTruths
from prunus.kernel.rewriting.numpy_functions import NumpyFunctions
from prunus.kernel.rewriting.open_branches import OpenBranches, OpeningCompiler
from prunus.kernel.rewriting.passed_on import InnerFunctions
from prunus.kernel.rewriting.passing import PassedFunctions
from prunus.kernel.rewriting.phis import SingleAssignment
from prunus.kernel.rewriting.replacing import Replacements
from prunus.kernel.rewriting.row_lists import RowLists
from prunus.kernel.rewriting.settings import replace_definition
from prunus.kernel.rewriting.short_lists import ShortLists
from prunus.kernel.rewriting.short_sets import ShortSets
from prunus.kernel.rewriting.slices import ConstantSlices, LooseSlices
from prunus.kernel.rewriting.steady import SteadySlices
from prunus.kernel.rewriting.sums import Sums
from prunus.kernel.rewriting.tallies import Tallies
from prunus.kernel.rewriting.unbound import Unbound
from prunus.kernel.rewriting.versions import JoinedVersions
from prunus.kernel.rewriting.yielding import ForItems, Yielding
from prunus.kernel.waiting import go_on


def _is_function(value: Any) -> bool:
    return isinstance(value, BuiltinFunctionType) and value in CHECKED


def _check_scalar(func_ir: Any, value: Any) -> None:
    """Refuse a NumPy integer as a constant of the rules, unless it is as wide as a plain one:
    in Python its operators wrap."""
    kind = type(value.value)
    if (
        issubclass(kind, np.integer)
        and kind is not np.int64
        and not (func_ir.func_id.func.__module__ or "").startswith("numba.")
    ):
        raise errors.TypingError(
            f"a NumPy {kind.__name__} is a constant of the rules: write int(...)", loc=value.loc
        )


@register_pass(mutates_CFG=False, analysis_only=False)
class _Integers(FunctionPass):
    """Gives integers the meaning they have in Python: operators of our own, and constants of 64
    bits."""

    _name = "prunus_integers"

    def __init__(self) -> None:
        FunctionPass.__init__(self)
        self._constants: dict[int, tuple[Any, Any]] = {}

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        for block in state.func_ir.blocks.values():
            fuse_ones(state.func_ir, block)
            for statement in block.find_insts(ir.Assign):
                before = statement.value
                statement.value = self._rewritten(state.func_ir, before)
                if statement.value is not before:
                    replace_definition(state.func_ir, statement.target, before, statement.value)
        self._constants = {}
        return True

    def _looked_up(self, value: Any) -> Any:
        """The constant for a value, the same for one object: Numba decides `is` between constants.
        The values are kept, so that no other gets the identity of one."""
        found = self._constants.get(id(value))
        if found is None:
            found = self._constants[id(value)] = value, looked_up(constant(value))
        return found[1]

    def _rewritten(self, func_ir: Any, value: Any) -> Any:
        if isinstance(value, ir.Const | ir.Global | ir.FreeVar):
            _check_scalar(func_ir, value)
            value.value = (
                CHECKED[value.value] if _is_function(value.value) else self._looked_up(value.value)
            )
        elif isinstance(value, ir.Expr) and value.op == "getattr":
            # `operator.mul`, or the table of a module
            named = global_value(func_ir, value)
            if _is_function(named):
                return ir.Global(named.__name__, CHECKED[named], value.loc)
            if isinstance(named, list | tuple | dict | set | frozenset | range):
                return ir.Global(value.attr, self._looked_up(named), value.loc)
            if value.attr == "fromkeys" and global_value(func_ir, value.value) is dict:
                return ir.Global(value.attr, from_keys, value.loc)
        elif (
            isinstance(value, ir.Expr)
            and value.op in ("binop", "inplace_binop")
            and value.fn in OPERATIONS
        ):
            folded = (
                _folded(func_ir, value) if value.fn in (operator.lshift, operator.ilshift) else None
            )
            if folded is not None:
                return ir.Const(folded, value.loc)
            made = ir.Expr.binop(operator.add, value.lhs, value.rhs, value.loc)
            made.fn = OPERATIONS[value.fn]
            return made
        elif isinstance(value, ir.Expr) and value.op == "unary" and value.fn in OPERATIONS:
            value.fn = OPERATIONS[value.fn]
        return value


def fuse_ones(func_ir: Any, block: Any) -> None:
    """Turn `(1 << n) - 1` into one operation, because 1 << 64 by itself does not fit 64 bits."""
    if not any(value.op == "binop" and value.fn is operator.lshift for value in block.find_exprs()):
        return
    uses = Counter(
        var.name
        for other in func_ir.blocks.values()
        for statement in other.body
        for var in statement.list_vars()
    )
    shifts: dict[str, int] = {}
    gone = set()
    for place, statement in enumerate(block.body):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr) or value.op != "binop":
            continue
        if value.fn is operator.lshift and _is_one(func_ir, value.lhs):
            shifts[statement.target.name] = place
        elif (
            value.fn is operator.sub
            and value.lhs.name in shifts
            and uses[value.lhs.name] == 2
            and _is_one(func_ir, value.rhs)
        ):
            start = shifts[value.lhs.name]
            count = block.body[start].value.rhs
            if not any(
                isinstance(other, ir.Assign) and other.target.name == count.name
                for other in block.body[start:place]
            ):
                statement.value = ir.Expr.unary(ONES, count, value.loc)
                replace_definition(func_ir, statement.target, value, statement.value)
                gone.add(start)
    block.body = [statement for place, statement in enumerate(block.body) if place not in gone]


def _is_one(func_ir: Any, variable: Any) -> bool:
    value = guard(find_const, func_ir, variable)
    return type(value) is int and value == 1


def _folded(func_ir: Any, shift: Any) -> Any:
    """`1 << SIZE` with a named constant as a number, so that it has a number's type; None for other
    shifts."""
    left, right = (guard(find_const, func_ir, side) for side in (shift.lhs, shift.rhs))
    if (
        type(left) is int
        and type(right) is int
        and 0 <= right < 64
        and -(1 << 63) <= left << right < 1 << 64
    ):
        return constant(left << right)
    return None


ROUNDS = 8
"""The number of passes over the loops; merging the back edges of one may affect the loops around
it."""


@register_pass(mutates_CFG=True, analysis_only=False)
class _Loops(FunctionPass):
    """Gives every loop a single back edge. Numba does so when it analyses the lives of variables,
    even right after building the single-assignment form, which then no longer fits the blocks."""

    _name = "prunus_loops"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's blocks; true if anything changed."""
        first = len(state.func_ir.blocks)
        for _ in range(ROUNDS):
            before = len(state.func_ir.blocks)
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
            if len(state.func_ir.blocks) == before:
                break
        return len(state.func_ir.blocks) != first


_OF_FUNCTIONS = (
    Closures,
    PassedFunctions,
    GeneratorLoops,
    Helpers,
    FixedSettings,
    OpenBranches,
    Groups,
    Tallies,
    AbsentNumbers,
    Beginnings,
    Sequences,
)
"""The passes about functions and what they make, in their order."""

_OF_TYPES = (NarrowNumbers, NarrowArrays, NumpyFunctions, NumpyTruths)
_OF_CONTAINERS = (
    RowLists,
    ForItems,
    CountedLists,
    Displays,
    ChangedLists,
    EqualLists,
    LocalLists,
    FilledLists,
    ShortLists,
    ShortSets,
    JoinedSlices,
    LooseTuples,
    LooseSlices,
    EmptyLoops,
    Masks,
)
"""The passes about lists, sets and tuples, in their order, each after the one before it."""

_pipelines: dict[Any, Any] = {}


class Compiler(OpeningCompiler):
    """Numba's own pipeline with the passes of this package before type inference. Those for
    integers come last, after inner functions have been inlined."""

    results: type[FunctionPass] | None = None
    """A pass that changes the way in which a function gives its results."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline; the dependencies between passes are computed once."""
        go_on()
        key = (self.results, str(self.state.flags))
        if key not in _pipelines:
            _pipelines[key] = self._pipeline()
        passes = copy(_pipelines[key])
        passes.exec_times = {}
        return [passes]

    def _pipeline(self) -> Any:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(Closures, IRProcessing)
        passes.add_pass_after(Reraising, IRProcessing)
        for before, after in pairwise(_OF_FUNCTIONS):
            passes.add_pass_after(after, before)
        for before, after in pairwise((InlineClosureLikes, *_OF_CONTAINERS, _Integers)):
            passes.add_pass_after(after, before)
        passes.add_pass_after(Counts, _Integers)
        passes.add_pass_after(_Loops, LiteralUnroll)
        passes.add_pass_after(Unbound, _Loops)
        _add(
            passes,
            ReconstructSSA,
            ChosenConstants,
            Replacements,
            ConstantSlices,
            SteadySlices,
            NumpyClasses,
            Maps,
            Parts,
        )
        _add(passes, Parts, TextReads, Arguments)
        _add(passes, NopythonTypeInference, *_OF_TYPES, Sums, Nans, Methods)
        passes.add_pass_after(JoinedVersions, PreLowerStripPhis)
        if self.results is not None:
            passes.add_pass_after(self.results, InlineClosureLikes)
        # Inner functions by our own rules, and errors that know their lines.
        ours = {
            MakeFunctionToJitFunction: InnerFunctions,
            ReconstructSSA: SingleAssignment,
            NopythonTypeInference: TypeInference,
            NativeLowering: PlacedLowering,
            **SPARED,
        }
        passes.passes = [(ours.get(made, made), name) for made, name in passes.passes]
        return Manager(passes)


def _add(passes: Any, last: Any, *made: Any) -> None:
    """Add passes in this order after another one."""
    for each in made:
        passes.add_pass_after(each, last)
        last = each


class GivingCompiler(Compiler):
    """The same for functions that are called for the items of their results."""

    results = Yielding


class CollectingCompiler(Compiler):
    """The same for generators that are to return a list of their items."""

    results = Collecting


class EntryCompiler(Compiler):
    """The same for an entry, whose library takes in everything that it calls."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        self.state.library = whole_library(self.state.func_id.func_qualname)
        return super().define_pipelines()
