"""Machine code whose memory can be given back.

LLVM keeps machine code as long as the engine it was made in, and its notes about a module as long
as the module's context. Numba has one of each, which live as long as the process. Here each entry
has an engine of its own, and its modules are in a context of their own, which is closed as soon as
the code is there.

An engine lives as long as its code can be called: the function that Python calls keeps its library,
which keeps the engine, and a search running in another thread keeps the function that it runs.
Python may notice anywhere that the last reference is gone: in another thread, or while LLVM is
working and calls back into Numba. So the memory is given back later, between two compilations
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
"""LLVM's engines whose code can no longer be called."""


def give_back() -> None:
    """Give back the memory of code that can no longer be called. The thread whose turn it is to
    compile calls this first."""
    while _ended:
        _ended.popleft().close()


class Engine(JITCPUCodegen):
    """An engine that code, made elsewhere, is loaded into once."""

    def __init__(self) -> None:
        super().__init__("prunus.engine")
        alive.add(self)
        finalize(self, _ended.append, self._engine._ee).atexit = False

    def load(self, code: bytes, names: Iterable[str]) -> None:
        """Make code callable under these names, which it defines."""
        self._engine._ee.add_object_file(object_file.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        self._engine._defined_symbols |= set(names)


class Workbench:
    """A place for linking modules; closing it also frees LLVM's notes about them."""

    def __init__(self) -> None:
        self._context = create_context()
        self._modules: list[Any] = []

    def parsed(self, text: str | bytes) -> Any:
        """A module parsed from its text or its bitcode."""
        parse = llvm.parse_assembly if isinstance(text, str) else llvm.parse_bitcode
        self._modules.append(parse(text, self._context))
        return self._modules[-1]

    def close(self) -> None:
        """Close the modules, then the context, which must outlive them."""
        for module in self._modules:
            module.close()
        self._context.close()


@contextmanager
def workbench() -> Iterator[Workbench]:
    """A new workbench, closed at the end."""
    made = Workbench()
    try:
        yield made
    finally:
        made.close()
