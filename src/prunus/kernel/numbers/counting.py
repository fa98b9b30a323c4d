"""`x.bit_count()` and `x.bit_length()` for Numba, as operations on x.

Numba types a method together with the type that its object has at that moment; a loop variable that
starts as 0 and later holds masks would have two. `Counts` turns such calls into operations, which
are typed again when more is known.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm
from numba.core import ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.arithmetic import absolute_mask
from prunus.kernel.numbers.integers import SIGNED, WORD, Number, is_small
from prunus.kernel.numbers.words import low_word


class Count:
    """A method without arguments that counts the bits of an integer; on any other object it is the
    method of that name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__name__ = f"counted_{name}"

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __call__(self, value: Any) -> Any:
        return getattr(value, self.name)()

    def __reduce__(self) -> Any:
        return COUNTS.__getitem__, (self.name,)


COUNTS = {name: Count(name) for name in ("bit_count", "bit_length")}


def _teach(count: Count) -> None:
    @infer_global(count)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if isinstance(args[0], Number):
                return signature(types.int64, args[0])
            method = self.context.resolve_getattr(args[0], count.name)
            found = None if method is None else method.get_call_type(self.context, (), {})
            return None if found is None else signature(found.return_type, args[0])

    @lower_builtin(count, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, value = sig.args[0], args[0]
        if isinstance(kind, Number):
            return _counted(context, builder, count.name, kind, value)
        method = context.typing_context.resolve_getattr(kind, count.name)
        found = context.get_function(method, method.get_call_type(context.typing_context, (), {}))
        context.add_linking_libs(getattr(found, "libs", ()))
        return found(builder, [context.cast(builder, value, kind, method.this)])


def _counted(context: Any, builder: Any, name: str, kind: Any, value: Any) -> Any:
    if kind in SIGNED:
        whole = absolute_mask(context, builder, kind, value)
    else:
        whole = low_word(builder, kind, value)
        if is_small(kind) and not isinstance(kind, types.Boolean):
            # The word of -2**63 equals that of its absolute value.
            whole = builder.select(
                builder.icmp_signed("<", whole, WORD(0)), builder.neg(whole), whole
            )
    if name == "bit_count":
        return builder.ctpop(whole)
    return builder.sub(WORD(64), builder.ctlz(whole, llvm.IntType(1)(0)))


for _name, _count in COUNTS.items():
    globals()[_count.__name__] = _count  # Numba looks them up by name
    _teach(_count)


@register_pass(mutates_CFG=False, analysis_only=False)
class Counts(FunctionPass):
    """Turns calls of these methods into operations."""

    _name = "prunus_counts"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Rewrite one function's intermediate code; true if anything changed."""
        return sum(_rewrite(state.func_ir, block) for block in state.func_ir.blocks.values()) > 0


def _rewrite(func_ir: Any, block: Any) -> bool:
    methods: dict[str, int] = {}
    gone = set()
    for place, statement in enumerate(block.body):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            continue
        # Only names of Numba's own have the sign, also behind the name of an inlined function.
        if value.op == "getattr" and value.attr in COUNTS and "$" in statement.target.name:
            methods[statement.target.name] = place
        elif (
            value.op == "call"
            and value.func.name in methods
            and not (value.args or value.kws or value.vararg)
        ):
            # The method's object cannot change in between, because there are no arguments to
            # compute.
            gone.add(methods[value.func.name])
            method = block.body[methods[value.func.name]].value
            statement.value = ir.Expr.unary(COUNTS[method.attr], method.value, value.loc)
            func_ir._definitions[statement.target.name] = [statement.value]
    block.body = [statement for place, statement in enumerate(block.body) if place not in gone]
    return bool(gone)
