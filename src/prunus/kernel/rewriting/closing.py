"""Generators that compiled code refuses: those in which something would run if they were left
before their end, when Python raises GeneratorExit where they wait; and those that a function gives
back though it has got them, since compiled code would give back a copy."""

from __future__ import annotations

import builtins
import dis
from types import CodeType
from typing import Any, Final

from numba.core import errors, ir, types

from prunus.kernel.containers.resizing import values_of

_PASSING: Final = (
    *("PUSH_EXC_INFO", "BUILD_TUPLE", "COPY", "POP_EXCEPT", "NOP", "CACHE", "EXTENDED_ARG"),
    *("CALL_INTRINSIC_1", "STORE_FAST", "DELETE_FAST"),
)
_RAISING: Final = ("RERAISE", "CLEANUP_THROW")
_CATCHING: Final = tuple(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(GeneratorExit, value)
)


def expect_nothing_to_close(func_ir: Any) -> None:
    """Raise UnsupportedError for a generator in which something would run if it was left at a
    `yield`."""
    code = func_ir.func_id.func.__code__
    line = line_of_closing(code) if func_ir.is_generator else None
    if line is not None:
        raise errors.UnsupportedError(
            "a `yield` inside `try` with `finally`, or with an `except` for all errors, cannot be "
            "compiled: a loop that ends early would have to run it; put the `yield` outside",
            func_ir.loc.with_lineno(line),
        )


def expect_own_generator(func_ir: Any, kind: Any) -> None:
    """Raise UnsupportedError if a function, whose result is of this type, returns a generator that
    it has got."""
    if func_ir.is_generator or not isinstance(kind, types.Generator):
        return
    for block in func_ir.blocks.values():
        end = block.terminator
        if isinstance(end, ir.Return) and not all(
            isinstance(value, ir.Expr) and value.op == "call"
            for value in values_of(func_ir, end.value)
        ):
            raise errors.UnsupportedError(
                "a generator that a function gets cannot be returned by it: let the function make "
                "it, or loop over it here",
                end.loc,
            )


def line_of_closing(code: CodeType) -> int | None:
    """The line of a `yield` where GeneratorExit would run code of the generator; None if there is
    none."""
    steps = list(dis.get_instructions(code))
    for place, step in enumerate(steps):
        if step.opname == "YIELD_VALUE" and _runs(code, steps, step.offset):
            lines = (each.positions.lineno for each in steps[place::-1] if each.positions)
            return next((line for line in lines if line), code.co_firstlineno)
    return None


def _runs(code: CodeType, steps: list[dis.Instruction], offset: int) -> bool:
    """Whether GeneratorExit, raised at an offset, runs more than tests of its class."""
    places = {step.offset: place for place, step in enumerate(steps)}
    entries = dis.Bytecode(code).exception_entries
    while True:
        known = [entry.target for entry in entries if entry.start <= offset < entry.end]
        if not known:
            return False
        place, loaded = places[known[-1]], list[str]()
        while steps[place].opname not in _RAISING:
            step = steps[place]
            if step.opname == "CHECK_EXC_MATCH":
                if set(loaded) & set(_CATCHING):
                    return True
                loaded = []
                place = _next_test(steps, places, place)
                continue
            if step.opname.startswith("LOAD_"):
                loaded.append(str(step.argval))
            elif step.opname not in _PASSING:
                return True
            place += 1
        offset = steps[place].offset


def _next_test(steps: list[dis.Instruction], places: dict[int, int], place: int) -> int:
    """Where a handler goes on if a class of errors does not fit."""
    while not steps[place].opname.startswith("POP_JUMP"):
        place += 1
    return places[steps[place].argval]
