"""Passes of Numba's that most functions do not need: each first checks whether it has anything to
do."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from numba.core import errors, inline_closurecall, ir, types
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import fixup_var_define_in_scope
from numba.core.postproc import PostProcessor
from numba.core.typed_passes import InlineOverloads, IRLegalization, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, WithLifting

from prunus.kernel.pipeline.inference import remembered
from prunus.kernel.pipeline.sparing import is_counted

inline_closurecall.enable_inline_arraycall = False


@register_pass(mutates_CFG=True, analysis_only=False)
class Withs(WithLifting):
    """`with` statements, which rules hardly ever contain."""

    _name = "prunus_withs"

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything may have changed."""
        entered = (
            statement
            for block in state.func_ir.blocks.values()
            for statement in block.find_insts(ir.EnterWith)
        )
        return super().run_pass(state) if any(True for _ in entered) else False


@register_pass(mutates_CFG=True, analysis_only=False)
class ClosureLikes(InlineClosureLikes):
    """Inner functions and `functools.reduce`, which is recognised by its name. `np.array([f(v) for
    v in t])` stays a list that becomes an array: Numba would go over the items another way, which
    it knows for its own containers only."""

    _name = "prunus_closure_likes"

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything may have changed."""
        if any(_may_be_inlined(statement.value) for statement in _assignments(state.func_ir)):
            try:
                return super().run_pass(state)
            except errors.UnsupportedError as error:
                place = _place_in_rules(error, state.func_ir)
                if place is None:
                    raise
                raise errors.UnsupportedError(error.msg, place) from None
        fixup_var_define_in_scope(state.func_ir.blocks)
        return False


def _place_in_rules(error: Any, func_ir: Any) -> Any:
    """Where the rules call what a generator stands for (`map`, `islice`) whose own code an error
    names; None for other errors."""
    named = getattr(error.loc, "filename", None)
    for statement in _assignments(func_ir):
        made = statement.value
        is_inner = isinstance(made, ir.Expr) and made.op == "make_function"
        if is_inner and named == made.code.co_filename != statement.loc.filename:
            return statement.loc
    return None


def _assignments(func_ir: Any) -> Iterator[Any]:
    for block in func_ir.blocks.values():
        yield from block.find_insts(ir.Assign)


def _may_be_inlined(value: Any) -> bool:
    if isinstance(value, ir.Expr):
        return value.op == "make_function"
    named = value.value if isinstance(value, ir.Global | ir.FreeVar) else None
    return named is functools or named is functools.reduce


@register_pass(mutates_CFG=True, analysis_only=False)
class ArrayRewrites(NopythonRewrites):
    """Expressions of whole arrays, and dictionaries of several types indexed by strings."""

    _name = "prunus_array_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything may have changed."""
        held = any(
            isinstance(kind, types.Array | types.StringLiteral) for kind in state.typemap.values()
        )
        return super().run_pass(state) if held else False


@register_pass(mutates_CFG=True, analysis_only=False)
class Overloads(InlineOverloads):
    """Translations that ask to be inlined into their caller: of Numba's own, only `bool`."""

    _name = "prunus_overloads"

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything may have changed."""
        expressions = (
            statement.value
            for statement in _assignments(state.func_ir)
            if isinstance(statement.value, ir.Expr)
        )
        return (
            super().run_pass(state)
            if any(_asks(state, expression) for expression in expressions)
            else False
        )


def _asks(state: Any, expression: Any) -> bool:
    if expression.op == "call":
        kind = state.typemap.get(expression.func.name)
        bound = getattr(kind, "template", None)
        return any(
            map(_is_inlined, (bound,) if bound is not None else getattr(kind, "templates", ()))
        )
    if expression.op == "getattr":
        owner = types.unliteral(state.typemap[expression.value.name])
        return remembered(
            "attributes",
            owner,
            lambda: any(map(_is_inlined, state.typingctx._get_attribute_templates(owner))),
        )
    function = expression._kws.get("fn")
    return function is not None and remembered(
        "operator", function, lambda: any(map(_is_inlined, _translations(state, function)))
    )


def _translations(state: Any, function: Any) -> Any:
    return getattr(state.typingctx.resolve_value_type(function), "templates", ())


def _is_inlined(template: Any) -> bool:
    option = getattr(template, "_inline", None)
    return option is not None and not option.is_never_inline


@register_pass(mutates_CFG=False, analysis_only=True)
class Ends(IRLegalization):
    """The ends of variables, which are marked only for those that hold heap memory."""

    _name = "prunus_ends"

    def run_pass(self, state: Any) -> bool:
        """Add these ends to one function's intermediate code."""
        counted = any(is_counted(state.targetctx, kind) for kind in state.typemap.values())
        if counted or state.func_ir.is_generator or state.flags.dbg_extend_lifetimes:
            return super().run_pass(state)
        PostProcessor(state.func_ir).run()
        return False


SPARED = {
    WithLifting: Withs,
    InlineClosureLikes: ClosureLikes,
    NopythonRewrites: ArrayRewrites,
    InlineOverloads: Overloads,
    IRLegalization: Ends,
}
"""The passes of Numba's that these replace."""
