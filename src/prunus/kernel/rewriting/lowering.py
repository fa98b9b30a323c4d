"""From intermediate code to LLVM by Numba's lowering, extended to tell its place, support handlers
of errors and keep loops."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator
from typing import Any

from llvmlite import ir as native
from numba.core import ir, types
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering

from prunus.kernel.boards.homes import store_whole
from prunus.kernel.boards.unread import drop_unread
from prunus.kernel.numbers.integers import TRUTH_OR_INT
from prunus.kernel.numbers.truths import is_fresh
from prunus.kernel.pipeline.sparing import is_counted
from prunus.kernel.reporting.locating import remember
from prunus.kernel.reporting.raising import Place, owner_of
from prunus.kernel.reporting.sites import note_function
from prunus.kernel.reporting.stack import expect_room
from prunus.kernel.rewriting.aliases import is_of_search
from prunus.kernel.rewriting.catching import is_raised_again, raise_again, set_again
from prunus.kernel.rewriting.marks import catches, handlers_of, is_check


class PlacedLower(Lower):
    """Numba's lowering, which also tells the emitters of instructions their place
    (`builder.place`)."""

    _words: Iterator[str] = iter(())

    def lower_inst(self, inst: Any) -> None:
        """Lower one instruction of the intermediate code."""
        self.builder.place = Place.of(
            getattr(self.loc, "function", self.func_ir.func_id.func), self.loc.line
        )
        self._note_generator()
        if isinstance(inst, ir.Assign) and not isinstance(inst.value, ir.Arg):
            # Assignments are the most frequent instructions, and Numba formats each as text first.
            self.debuginfo.mark_location(self.builder, self.loc.line)
            self.notify_loc(self.loc)
            name = inst.target.name
            is_mixed = getattr(self.typeof(name), "dtype", None) is TRUTH_OR_INT
            self.builder.makes_list = is_mixed and is_fresh(self.func_ir, inst.value)
            self.storevar(self.lower_assign(self.typeof(name), inst), name)
        elif isinstance(inst, ir.Del):
            self.delvar(inst.value)
        elif isinstance(inst, ir.DelItem):
            self.delete_item(inst)
        elif isinstance(inst, ir.Branch) and is_check(self.func_ir, inst):
            # What raises an error goes to the handler by itself.
            self.builder.branch(self.blkmap[inst.falsebr])
        else:
            super().lower_inst(inst)
        if (
            isinstance(inst, ir.Jump)
            and getattr(inst.loc, "stays_loop", False)
            and getattr(self.builder, "is_worth_keeping", False)
        ):
            keep_loop(self.builder)

    def _note_generator(self) -> None:
        """Tell the emitters whether their place is in a generator, or in a generator expression;
        either may have been inlined."""
        functions = (self.func_ir.func_id.func, *getattr(self.loc, "inlined", ()))
        self.builder.in_expression = getattr(self.loc, "in_generator", False)
        self.builder.in_generator = self.builder.in_expression or any(
            map(inspect.isgeneratorfunction, functions)
        )

    def _lower_call_RecursiveCall(self, fnty: Any, expr: Any, signature: Any) -> Any:  # noqa: N802
        """Call the function, or one of those that call each other, again, if there is room."""
        if not is_of_search(self.func_ir.func_id.func):
            expect_room(self.context, self.builder)
        return super()._lower_call_RecursiveCall(fnty, expr, signature)

    def delete_item(self, inst: Any) -> None:
        """Lower `del items[index]`. A dictionary that is written out has a type with its items,
        which Numba does not expect here."""
        resolved = self.context.typing_context.resolve_value_type(operator.delitem)
        wanted = self.fndesc.calltypes[inst].args
        call = resolved.get_call_type(self.context.typing_context, wanted, {})
        given = [
            self.context.cast(
                self.builder, self.loadvar(each.name), self.typeof(each.name), call.args[place]
            )
            for place, each in enumerate((inst.target, inst.index))
        ]
        self.context.get_function(resolved, call)(self.builder, given)

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Assign a value to a variable. Its previous value only matters if it holds memory."""
        kind = self.typeof(name)
        if (
            argidx is not None
            or name in self._singly_assigned_vars
            or self._disable_sroa_like_opt
            or is_counted(self.context, kind)
        ):
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, kind)
            store_whole(self.builder, value, self.getvar(name))

    def delvar(self, name: str) -> None:
        """End a variable's life."""
        if self._disable_sroa_like_opt or is_counted(self.context, self.typeof(name)):
            super().delvar(name)

    def lower_function_body(self) -> Any:
        """Lower a whole function; its code object is remembered for places in it."""
        remember(self.func_ir.func_id.func)
        note_function(self.fndesc.mangled_name, Place.of(self.func_ir.func_id.func))
        self.builder.catches = catches(self.func_ir)
        handlers = handlers_of(self.func_ir) if self.builder.catches else {}
        self._handlers = {id(self.blocks[label]): place for label, place in handlers.items()}
        return super().lower_function_body()

    def lower_normal_function(self, fndesc: Any) -> None:
        """Lower a function that is no generator."""
        super().lower_normal_function(fndesc)
        drop_unread(self.function)

    def pre_block(self, block: Any) -> None:
        """Before a block is lowered: direct its errors to the handler around it, even in code
        inlined from other functions."""
        super().pre_block(block)
        handler = self._handlers.get(id(block))
        if handler is not None:
            self.builder._in_try_block = {"target": self.blkmap[handler]}

    def lower_call(self, resty: Any, expr: Any) -> Any:
        """Lower a call. A list's method may be called without having been looked up
        (`methods.py`)."""
        method = expr._kws.get("method")
        call = self.fndesc.calltypes[expr]
        if method is None:
            if isinstance(call.return_type, types.Optional) and self._makes_set(expr):
                del self.fndesc.calltypes[expr]
                made = call.replace(return_type=call.return_type.type)
                self.fndesc.calltypes[expr] = made
            return super().lower_call(resty, expr)
        result = self._lower_call_normal(method, expr, call)
        if result is None:
            result = self.context.get_dummy_value()
        return self.context.cast(self.builder, result, call.return_type, resty)

    def _makes_set(self, expr: Any) -> bool:
        """Whether a call is `set()`, which is a set even if its variable may be None elsewhere."""
        function = self.typeof(expr.func.name)
        return not expr.args and getattr(function, "typing_key", None) is set

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """Lower an expression. Numba's code for `a, b = items` raises without a message, once for
        each name and once for surplus items; here each gets Python's message. A method of what may
        be None raises AttributeError for None."""
        if expr.op == "exhaust_iter":
            few = (
                f"not enough values to unpack (expected {expr.count}, got {got})"
                for got in range(expr.count)
            )
            self._words = iter([*few, f"too many values to unpack (expected {expr.count})"])
        if expr.op == "getattr" and isinstance(resty, types.BoundFunction):
            kind = self.typeof(expr.value.name)
            if isinstance(kind, types.Optional):
                owner = self.loadvar(expr.value.name)
                owner_of(self.context, self.builder, kind, owner, expr.attr)
        is_option = expr.op in ("build_map", "build_set") and isinstance(resty, types.Optional)
        made = resty.type if is_option else resty
        lowered = super().lower_expr(made, expr)
        self._words = iter(())
        return self.context.cast(self.builder, lowered, made, resty) if is_option else lowered

    def return_exception(self, exc_class: Any, exc_args: Any = None, loc: Any = None) -> None:
        """`raise` in the source."""
        if is_raised_again(exc_class, exc_args):
            raise_again(self.call_conv, self.builder)
        else:
            text = next(self._words, None)
            super().return_exception(
                exc_class, exc_args if text is None else (text,), self.builder.place
            )

    def set_exception(self, exc_class: Any, exc_args: Any = None, loc: Any = None) -> None:
        """`raise` within `try`, after which Numba jumps to the handler."""
        if is_raised_again(exc_class, exc_args):
            set_again(self.call_conv, self.builder)
        else:
            super().set_exception(exc_class, exc_args, self.builder.place)

    def return_dynamic_exception(
        self, exc_class: Any, exc_args: Any, nb_types: Any, loc: Any = None
    ) -> None:
        """`raise` with arguments only known at run time."""
        super().return_dynamic_exception(exc_class, exc_args, nb_types, self.builder.place)


def keep_loop(builder: Any) -> None:
    """Ask LLVM to keep the loop whose back edge ends the block: once unrolled, it could no longer
    be vectorised."""
    whole = native.MDValue(builder.module, (), name=str(len(builder.module.metadata)))
    never = builder.module.add_metadata(
        [native.MetaDataString(builder.module, "llvm.loop.unroll.disable")]
    )
    whole.operands = (whole, never)
    builder.block.terminator.set_metadata("llvm.loop", whole)


@register_pass(mutates_CFG=True, analysis_only=False)
class PlacedLowering(BaseNativeLowering):
    """The pass that lowers with `PlacedLower`."""

    _name = "prunus_lowering"

    @property
    def lowering_class(self) -> Any:
        """The class that lowers."""
        return PlacedLower
