"""One module of LLVM for everything that a search calls.

Numba makes a library of its own of each function: optimised, linked with what it calls, optimised again and made machine code. Here
functions that a search calls are kept as they were lowered, and come together in the library of the entry, which is optimised once, as a
whole. What is not called from outside is private there, so that LLVM may inline it, and functions that call each other do so directly.

Libraries of Numba's own functions may be used by other programs in the process too: they then get all that such a function needs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core import cgutils
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, RuntimeLinker
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

PRIVATE = "internal"


class _Unoptimised(JITCodeLibrary):
    """A library whose modules are taken as they are."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add a module of llvmlite."""
        self._raise_if_finalized()
        module = llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        self._final_module.link_in(module)

    def add_linking_library(self, library: Any) -> None:
        """Remember that the functions of another library are called."""
        self._linking_libraries.append(library)


class PartLibrary(_Unoptimised):
    """The library of a function that is called by others only: no machine code is made of it alone."""

    _shared_module: Any

    def finalize(self) -> None:
        """Nothing more will be added."""
        self._raise_if_finalized()
        self._finalized = True

    def complete(self) -> None:
        """The function is translated, and so is all that it calls but those procedures that call it in turn."""
        # A procedure that calls itself may be translated twice, once for the types of its own calls, which only the name tells.
        for name in _unresolved(self._final_module):
            if name in _mode.defining:
                self._linking_libraries.append(_mode.defining[name])
        _mode.defining.update({function.name: self for function in self._final_module.functions if not function.is_declaration})

    def module(self) -> Any:
        """The module of this function alone."""
        return self._final_module

    def _get_module_for_linking(self) -> Any:
        """The module with all that it calls, for a library that is not made here."""
        self._ensure_finalized()
        if self._shared_module is None:
            whole = self._final_module.clone()
            _link_parts(whole, self)
            for function in whole.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


class WholeLibrary(_Unoptimised):
    """The library of an entry: what is called from Python, with everything that it calls."""

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        self._raise_if_finalized()
        module = self._final_module
        entries = {function.name for function in module.functions if not function.is_declaration}
        seen = {variable.name for variable in module.global_variables if not variable.is_declaration}
        for library in _link_parts(module, self):
            self._reload_init.update(library._reload_init)
        _call_directly(module)
        if missing := _unresolved(module):
            raise LookupError(f"{missing[0]} is called and was not compiled")
        for thing in (*module.functions, *module.global_variables):
            if not thing.is_declaration and thing.name not in entries and thing.name not in seen:
                thing.linkage = PRIVATE
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        with self._recorded_timings.record("Module passes", builder):
            manager.run(self._final_module, builder)


def drop_text(library: Any) -> None:
    """The code of a library is ready and kept on disk: what it was made from is not needed any more, which is several times larger."""
    codegen = library.codegen
    codegen._engine._defined_symbols -= {
        thing.name for thing in (*library._final_module.functions, *library._final_module.global_variables)
    }
    codegen._engine._ee.remove_module(library._final_module)
    library._final_module = library._shared_module = None
    library._linking_libraries.clear()


def _link_parts(module: Any, library: Any) -> list[Any]:
    """Link into a module everything that a library calls, directly or through others, each once; returns those libraries."""
    found = list(dict.fromkeys(_called(library, set())))
    for part in found:
        module.link_in(part.module() if isinstance(part, PartLibrary) else part._get_module_for_linking(), preserve=True)
    return found


def _unresolved(module: Any) -> list[str]:
    """The functions that a module calls through pointers and does not define."""
    defined = {function.name for function in module.functions if not function.is_declaration}
    wanted = [variable.name for variable in module.global_variables if variable.is_declaration]
    targets = [name.removeprefix(RuntimeLinker.PREFIX) for name in wanted if name.startswith(RuntimeLinker.PREFIX)]
    return [name for name in targets if name not in defined]


def _called(library: CPUCodeLibrary, seen: set[int]) -> Iterator[CPUCodeLibrary]:
    for part in library._linking_libraries:
        if id(part) in seen or part is library:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, PartLibrary):
            yield from _called(part, seen)


def _call_directly(module: Any) -> None:
    """Functions that call each other were written to do so through pointers that Numba would set later. Here both are in one module, so
    that the pointers are constants."""
    defined = {function.name for function in module.functions if not function.is_declaration}
    lines = []
    for variable in module.global_variables:
        target = variable.name.removeprefix(RuntimeLinker.PREFIX)
        if variable.is_declaration and target != variable.name and target in defined:
            lines.append(f'@"{variable.name}" = constant ptr @"{target}"\ndeclare void @"{target}"()\n')
    if lines:
        module.link_in(llvm.parse_assembly("".join(lines)))


class _Mode(threading.local):
    """Whether libraries are parts, and those of the compilation under way by the functions that they define."""

    def __init__(self) -> None:
        self.parts = False
        self.defining: dict[str, PartLibrary] = {}


_mode = _Mode()


@contextmanager
def parts(wanted: bool = True) -> Iterator[None]:
    """Within this, and in this thread only, libraries that Numba makes are parts (or, inside, for once not)."""
    before, _mode.parts = _mode.parts, wanted
    try:
        yield
    finally:
        _mode.parts = before
        if not before:
            _mode.defining.clear()


def whole_library(context: Any, name: str) -> WholeLibrary:
    """A new library for an entry."""
    library = WholeLibrary(context.codegen(), name)
    library.enable_object_caching()
    return library


def _install(context: Any) -> None:
    codegen = context.codegen()
    plain_library, plain_executable = codegen.create_library, context.get_executable

    def create_library(name: str, **options: Any) -> Any:
        return PartLibrary(codegen, name) if _mode.parts else plain_library(name, **options)

    def get_executable(library: Any, description: Any, environment: Any) -> Any:
        if not isinstance(library, PartLibrary):
            return plain_executable(library, description, environment)
        # It cannot be called from Python; Numba finds its translation by it.
        library.complete()
        nowhere = rtsys.library.get_pointer_to_function("nrt_unresolved_abort")
        name = description.qualname.split(".")[-1]
        return _dynfunc.make_function(description.lookup_module(), name, "compiled along", nowhere, environment, (library,))

    codegen.create_library, context.get_executable = create_library, get_executable


_install(cpu_target.target_context)
