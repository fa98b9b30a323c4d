"""`x.bit_count()` and `x.bit_length()` for Numba, as operations on x.

Numba types a method together with the type that its object has at that moment; a loop variable that
starts as 0 and later holds masks would have two. `Counts` turns such calls into operations, which
are typed again when more is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir as llvm
from numba.core import ir, ir_utils, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from prunus.kernel.numbers.arithmetic import absolute_mask
from prunus.kernel.numbers.integers import SIGNED, WORD, Number, is_small
from prunus.kernel.numbers.words import low_word
from prunus.kernel.reporting.raising import owner_of


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
            kind = args[0].type if isinstance(args[0], types.Optional) else args[0]
            if isinstance(kind, Number):
                return signature(types.int64, args[0])
            method = self.context.resolve_getattr(args[0], count.name)
            found = None if method is None else method.get_call_type(self.context, (), {})
            return None if found is None else signature(found.return_type, args[0])

    @lower_builtin(count, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, value = sig.args[0], args[0]
        if isinstance(kind, types.Optional):
            value = owner_of(context, builder, kind, value, count.name)
            kind = kind.type
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
        return _rewrite(state.func_ir)


def _rewrite(func_ir: Any) -> bool:
    """Turn the calls into operations, and remove the methods."""
    if not any(expression.attr in COUNTS for expression in _expressions(func_ir, "getattr")):
        return False
    func_ir._definitions = ir_utils.build_definitions(func_ir.blocks)
    gone: set[str] = set()
    for block in func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            call = statement.value
            is_call = isinstance(call, ir.Expr) and call.op == "call"
            if not is_call or call.args or call.kws or call.vararg:
                continue
            names: set[str] = set()
            method = _method(func_ir, call.func, names)
            if method is not None:
                # The method's object cannot change in between, because there are no arguments to
                # compute.
                gone |= names
                statement.value = ir.Expr.unary(COUNTS[method.attr], method.value, call.loc)
                func_ir._definitions[statement.target.name] = [statement.value]
    for block in func_ir.blocks.values() if gone else ():
        block.body = [
            statement
            for statement in block.body
            if not (isinstance(statement, ir.Assign) and statement.target.name in gone)
        ]
    return bool(gone)


def _expressions(func_ir: Any, op: str) -> Iterator[Any]:
    return (found for block in func_ir.blocks.values() for found in block.find_exprs(op))


def _method(func_ir: Any, variable: Any, names: set[str]) -> Any:
    """The expression that makes one of these methods, if what is called is certainly that; `names`
    gets its names. Within `try`, where a call is in a block of its own, it has several."""
    # Only names of Numba's own have the sign, also behind the name of an inlined function.
    while isinstance(variable, ir.Var) and "$" in variable.name and variable.name not in names:
        names.add(variable.name)
        found = func_ir._definitions[variable.name]
        made = found[0] if found else None
        if isinstance(made, ir.Expr) and made.op == "getattr" and made.attr in COUNTS:
            # What is copied with its block, such as `finally`, is made several times.
            return made if len({str(each) for each in found}) == 1 else None
        variable = made if len(found) == 1 else None
    return None
