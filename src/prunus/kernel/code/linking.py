"""One module of LLVM for everything that a search calls.

Numba makes a library of each function: optimised, linked with the functions it calls, optimised
again and turned into machine code. Here the functions that a search calls are kept as they were
lowered and are linked into the library of the entry, which is optimised once, as a whole. Functions
that are not called from outside are private there, so that LLVM may inline them, and functions that
call each other do so directly.

Other code in the process may use the libraries of Numba's own functions; such a library then gets
everything that its function needs.
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
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from prunus.kernel.code.engines import Engine, Workbench, workbench
from prunus.kernel.reporting.raising import Place
from prunus.kernel.reporting.sites import known_again

PRIVATE = "internal"

ADDRESSES = "numba.dynamic.globals"
"""Numba's prefix for variables that hold an address of this process."""


class _Texts(JITCodeLibrary):
    """A library that collects its modules unchanged. `arrays` are those whose addresses its code
    may contain, `places` the source lines by the numbers that its code has for them."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._texts: list[str] = []
        self.arrays: list[Any] = []
        self.places: dict[int, Place] = {}

    def add_ir_module(self, ir_module: Any) -> None:
        """Add an llvmlite module."""
        self._raise_if_finalized()
        self._texts.append(cgutils.normalize_ir_text(str(ir_module)))

    def add_linking_library(self, library: Any) -> None:
        """Remember that the functions of another library are called."""
        self._linking_libraries.append(library)

    def _joined(self, bench: Workbench) -> Any:
        """Everything added so far, as one module."""
        module = bench.parsed(str(self._codegen._create_empty_module(self.name)))
        for text in self._texts:
            module.link_in(bench.parsed(text))
        self._texts.clear()
        return module


class PartLibrary(_Texts):
    """The library of a function that only compiled code calls: it is not turned into machine code
    on its own. `bitcode` is its module."""

    _shared_module: Any
    bitcode: bytes

    def finalize(self) -> None:
        """Close the library: nothing more will be added."""
        self._raise_if_finalized()
        with workbench() as bench:
            module = self._joined(bench)
            self._defined, self._wanted = _defined(module), _unresolved(module)
            self.bitcode = module.as_bitcode()
        self._finalized = True

    def complete(self) -> None:
        """Called when the function is translated, and so are all functions it calls, except
        procedures that call it in turn."""
        self._ensure_finalized()
        # A procedure that calls itself may be translated twice, once for the types of its own
        # calls; only the name tells which is meant.
        for name in self._wanted:
            if name in _mode.defining:
                self._linking_libraries.append(_mode.defining[name])
        _mode.defining.update(dict.fromkeys(self._defined, self))

    def _get_module_for_linking(self) -> Any:
        """The module with everything that it calls, for a library that is not made here."""
        self._ensure_finalized()
        if self._shared_module is None:
            whole = llvm.parse_bitcode(self.bitcode)
            for part in _parts_of(self):
                whole.link_in(llvm.parse_bitcode(_bitcode_of(part)))
            for function in whole.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = whole
        return self._shared_module


class WholeLibrary(_Texts):
    """The library of an entry, which Python calls, with everything that the entry calls. `code` is
    its machine code, `names` are the names that the code exports."""

    def __init__(self, engine: Engine, name: str) -> None:
        super().__init__(engine, name)
        self.code, self.names = b"", frozenset[str]()

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        self._raise_if_finalized()
        with workbench() as bench:
            module = self._joined(bench)
            shown = {
                thing.name
                for thing in (*module.functions, *module.global_variables)
                if not thing.is_declaration
            }
            for part in _parts_of(self):
                module.link_in(bench.parsed(_bitcode_of(part)))
                self._reload_init.update(part._reload_init)
                self.arrays += getattr(part, "arrays", ())
                self.places.update(getattr(part, "places", ()))
            _call_directly(module, bench)
            if missing := _unresolved(module):
                raise LookupError(f"{missing[0]} is called and was not compiled")
            _hide(module, shown)
            self.code = _translated(module)
            if missing := _unknown(module):
                raise LookupError(f"{missing[0]} is called and is nowhere in the process")
            self._dynamic_globals = [
                variable.name
                for variable in module.global_variables
                if variable.name.startswith(ADDRESSES)
            ]
        self.names = frozenset(shown)
        self.load()

    def load(self) -> None:
        """Make the machine code ready to be called."""
        self._codegen.load(self.code, self.names)
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, bytes, frozenset[str], dict[int, Place]]:
        """The state from which `loaded_library` rebuilds the library."""
        return self.name, self.code, self.names, self.places

    def drop_text(self) -> None:
        """Drop what the code was made from: the code is ready and kept on disk."""
        self.code = b""
        self._linking_libraries.clear()


def whole_library(name: str) -> WholeLibrary:
    """A new library for an entry."""
    return WholeLibrary(Engine(), name)


def loaded_library(state: tuple[str, bytes, frozenset[str], dict[int, Place]]) -> WholeLibrary:
    """The library of an entry, rebuilt from its state."""
    library = whole_library(state[0])
    library.code, library.names = state[1:3]
    library.places = known_again(state[3])
    library.load()
    return library


def _hide(module: Any, shown: set[str]) -> None:
    """Make everything private except these names and the variables that hold addresses: those in
    use must be found afterwards."""
    for thing in (*module.functions, *module.global_variables):
        if (
            not thing.is_declaration
            and thing.name not in shown
            and not thing.name.startswith(ADDRESSES)
        ):
            thing.linkage = PRIVATE


def _translated(module: Any) -> bytes:
    """The machine code of a module, optimised as a whole."""
    codegen = cpu_target.target_context.codegen()
    manager, builder = codegen._module_pass_manager()
    manager.run(module, builder)
    module.verify()
    code: bytes = codegen._tm.emit_object(module)
    return code


def _parts_of(library: CPUCodeLibrary) -> list[CPUCodeLibrary]:
    """Every library that a library calls, directly or through others, once each, in linking order:
    from Numba's own libraries, whose functions may occur several times, LLVM takes only what has
    been called so far, so they come last."""
    found = dict.fromkeys(_called(library, set()))
    return sorted(found, key=lambda part: not isinstance(part, PartLibrary))


def _bitcode_of(library: CPUCodeLibrary) -> bytes:
    """The library's own module if it is a part, otherwise what Numba would link for it."""
    library._ensure_finalized()
    bitcode: bytes = (
        library.bitcode
        if isinstance(library, PartLibrary)
        else library._get_module_for_linking().as_bitcode()
    )
    return bitcode


def _defined(module: Any) -> list[str]:
    return [function.name for function in module.functions if not function.is_declaration]


def _unresolved(module: Any) -> list[str]:
    """The functions that a module calls through pointers but does not define."""
    defined = set(_defined(module))
    wanted = [variable.name for variable in module.global_variables if variable.is_declaration]
    targets = [
        name.removeprefix(RuntimeLinker.PREFIX)
        for name in wanted
        if name.startswith(RuntimeLinker.PREFIX)
    ]
    return [name for name in targets if name not in defined]


def _unknown(module: Any) -> list[str]:
    """The functions that a module calls by name and that neither it nor the process defines;
    calling one would end the process."""
    declared = (function.name for function in module.functions if function.is_declaration)
    return [
        name
        for name in declared
        if not name.startswith("llvm.") and not llvm.address_of_symbol(name)
    ]


def _called(library: CPUCodeLibrary, seen: set[int]) -> Iterator[CPUCodeLibrary]:
    for part in library._linking_libraries:
        if id(part) in seen or part is library:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part, PartLibrary):
            yield from _called(part, seen)


def _call_directly(module: Any, bench: Workbench) -> None:
    """Functions that call each other do so through pointers, which Numba would set later. Here both
    are in one module, so that the pointers become constants."""
    defined = set(_defined(module))
    lines = []
    for variable in module.global_variables:
        target = variable.name.removeprefix(RuntimeLinker.PREFIX)
        if variable.is_declaration and target != variable.name and target in defined:
            lines.append(
                f'@"{variable.name}" = constant ptr @"{target}"\ndeclare void @"{target}"()\n'
            )
    if lines:
        module.link_in(bench.parsed("".join(lines)))


class _Mode(threading.local):
    """Whether new libraries are parts, and the parts of the running compilation by the functions
    that they define."""

    def __init__(self) -> None:
        self.parts = False
        self.defining: dict[str, PartLibrary] = {}


_mode = _Mode()


@contextmanager
def parts(wanted: bool = True) -> Iterator[None]:
    """Within this context, and in this thread only, the libraries that Numba makes are parts (or,
    nested, for once not)."""
    before, _mode.parts = _mode.parts, wanted
    try:
        yield
    finally:
        _mode.parts = before
        if not before:
            _mode.defining.clear()


_plain_array = CPUContext.make_constant_array


def _make_constant_array(self: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Numba does not copy large arrays into the code but refers to them; keep them alive as long as
    the code."""
    if isinstance(self.active_code_library, _Texts):
        self.active_code_library.arrays.append(array)
    return _plain_array(self, builder, kind, array)


CPUContext.make_constant_array = _make_constant_array


def _install(context: Any) -> None:
    codegen = context.codegen()
    plain_library, plain_executable = codegen.create_library, context.get_executable

    def create_library(name: str, **options: Any) -> Any:
        return PartLibrary(codegen, name) if _mode.parts else plain_library(name, **options)

    def get_executable(library: Any, description: Any, environment: Any) -> Any:
        if not isinstance(library, PartLibrary):
            return plain_executable(library, description, environment)
        # Python cannot call it; Numba finds its translation by it.
        library.complete()
        nowhere = rtsys.library.get_pointer_to_function("nrt_unresolved_abort")
        name = description.qualname.split(".")[-1]
        return _dynfunc.make_function(
            description.lookup_module(), name, "compiled along", nowhere, environment, (library,)
        )

    codegen.create_library, context.get_executable = create_library, get_executable


_install(cpu_target.target_context)
