"""Machine code that can be given back.

LLVM keeps what it makes as long as the engine that it was made in, and whatever it notes of a
module as long as the module's context; Numba has one of each, which live as long as the process.
Here each entry has an engine of its own, and what it is made of is in a context of its own, which
is let go as soon as the code is there.

An engine lives as long as its code can be called: the function that Python calls keeps its library,
which keeps the engine. So does a search that goes on in another thread, by the function that it is
running. Python may find out anywhere that nobody calls it any more: in another thread, or while
LLVM at work asks Numba something. So its memory is given back later, between two compilations
(`give_back`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet, finalize

import llvmlite.binding as llvm
from llvmlite.binding import object_file
from llvmlite.binding.context import create_context
from numba.core.codegen import JITCPUCodegen

alive: WeakSet[Engine] = WeakSet()
"""The engines whose code can be called."""

_ended: deque[Any] = deque()
"""LLVM's engines whose code nobody can call any more."""


def give_back() -> None:
    """Give back the memory of code that nobody can call any more. The thread whose turn it is to
    compile calls it, before it does."""
    while _ended:
        _ended.popleft().close()


class Engine(JITCPUCodegen):
    """An engine that code is loaded into, once; it is made elsewhere."""

    def __init__(self) -> None:
        super().__init__("prunus.engine")
        alive.add(self)
        finalize(self, _ended.append, self._engine._ee).atexit = False

    def load(self, code: bytes, names: Iterable[str]) -> None:
        """Make code ready to be called by these names, which it defines."""
        self._engine._ee.add_object_file(object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._engine._defined_symbols |= set(names)


class Workbench:
    """A place where modules come together, and which goes with all that LLVM has noted of them."""

    def __init__(self) -> None:
        self._context = create_context()
        self._modules: list[Any] = []

    def parsed(self, text: str | bytes) -> Any:
        """A module from its text, or from its bitcode."""
        parse = llvm.parse_assembly if isinstance(text, str) else llvm.parse_bitcode
        self._modules.append(parse(text, self._context))
        return self._modules[-1]

    def close(self) -> None:
        """Let go of the modules, and then of the context, which has to outlive them."""
        for module in self._modules:
            module.close()
        self._context.close()


@contextmanager
def workbench() -> Iterator[Workbench]:
    """A new one."""
    made = Workbench()
    try:
        yield made
    finally:
        made.close()
