"""Running the passes of a function one after the other, without the work that only helps people
debug Numba.

Numba's own manager formats the types of all arguments for every pass though nothing reads them,
computes the live ranges of variables after each pass although the next pass invalidates them, and
searches the blocks for statements that no pass leaves behind. A search has some eighty functions
with some forty passes each: in all, this takes a quarter as long as the passes themselves.
"""

from __future__ import annotations

import warnings
from typing import Any

from numba.core.compiler_machinery import PassManager
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg

from prunus.kernel.pipeline.inference import is_ours
from prunus.kernel.pipeline.sparing import ErrorContext

# Tables of functions compile to what Numba calls an experiment. Tests hold it to what Python does;
# whoever wrote the rules can do nothing about it.
warnings.filterwarnings(
    "ignore",
    message="First-class function type feature is experimental",
    category=NumbaExperimentalFeatureWarning,
)


class Manager(PassManager):
    """Runs the passes of another manager, one after the other."""

    def __init__(self, other: PassManager) -> None:
        super().__init__(other.pipeline_name)
        self.passes = list(other.passes)
        self.finalize()

    def _runPass(self, index: int, passed: Any, state: Any) -> None:  # noqa: N802
        passed.analysis = self._analysis
        with ErrorContext("Pass {name}", name=passed.name()):
            passed.run_initialization(state)
            passed.run_pass(state)
            passed.run_finalizer(state)


_plain_run = PostProcessor.run


def _run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Leave the analysis of variables until something asks for it."""
    func_ir = self.func_ir
    if not is_ours() or func_ir.is_generator or extend_lifetimes:
        _plain_run(self, emit_dels, extend_lifetimes)
        return
    func_ir.blocks = canonicalize_cfg(func_ir.blocks)
    func_ir.variable_lifetime = VariableLifetime(func_ir.blocks)
    func_ir.generator_info = None
    if emit_dels:
        self._insert_var_dels()


PostProcessor.run = _run
