"""How the passes of a function follow each other, without what only matters to those who watch Numba.

Numba's own manager prints the types of all arguments for every pass, though nobody asked for them, works out the lives of variables after
each pass that is again passed over, and searches the blocks for statements that no pass leaves behind. There are some forty passes, and
some eighty functions in a search: together that takes as long as a quarter of them.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler_machinery import PassManager
from numba.core.errors import new_error_context
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg

from prunus.kernel.pipeline.inference import is_remembering


class Manager(PassManager):
    """Runs the passes of another manager, one after the other."""

    def __init__(self, other: PassManager) -> None:
        super().__init__(other.pipeline_name)
        self.passes = list(other.passes)
        self.finalize()

    def _runPass(self, index: int, passed: Any, state: Any) -> None:  # noqa: N802
        passed.analysis = self._analysis
        with new_error_context("Pass {name}", name=passed.name()):
            passed.run_initialization(state)
            passed.run_pass(state)
            passed.run_finalizer(state)


_plain_run = PostProcessor.run


def _run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What is known of variables is worked out when somebody asks for it."""
    func_ir = self.func_ir
    if not is_remembering() or func_ir.is_generator or extend_lifetimes:
        _plain_run(self, emit_dels, extend_lifetimes)
        return
    func_ir.blocks = canonicalize_cfg(func_ir.blocks)
    func_ir.variable_lifetime = VariableLifetime(func_ir.blocks)
    func_ir.generator_info = None
    if emit_dels:
        self._insert_var_dels()


PostProcessor.run = _run
