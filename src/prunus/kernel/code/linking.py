"""One module of LLVM for everything that a search calls.

Numba makes a library of each function: optimised, linked with the functions it calls, optimised
again and turned into machine code. Here the functions that a search calls are kept as they were
lowered, as texts that LLVM has not yet read, and are linked into the library of the entry, which is
optimised once, as a whole. Functions
that are not called from outside are private there, so that LLVM may inline them, and functions that
call each other do so directly.

Other code in the process may use the libraries of Numba's own functions; such a library then gets
everything that its function needs.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core import cgutils, config
from numba.core.codegen import CodeLibrary, CPUCodeLibrary, JITCodeLibrary, RuntimeLinker
from numba.core.cpu import CPUContext
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from prunus.kernel.code.engines import Engine, Workbench, workbench
from prunus.kernel.reporting.raising import Place
from prunus.kernel.reporting.sites import known_again

PRIVATE = "internal"

LEVEL: Final = 2
"""LLVM's level of optimisation. The third takes a fifth longer, and no search was faster by it but
those with loops in two versions (`DIVIDED`)."""

DIVIDED: Final = "prunus.divided"
"""The name of a variable in modules with loops in which a condition that stays the same chooses
what each iteration does. Only the third level makes two loops of them, and can vectorise one."""

ADDRESSES = "numba.dynamic.globals"
"""Numba's prefix for variables that hold an address of this process."""


class _Texts(JITCodeLibrary):
    """A library that collects its modules unchanged. `arrays` are those whose addresses its code
    may contain, `places` the source lines by the numbers that its code has for them."""

    _linking_libraries: list[Any]

    def _collect(self) -> None:
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


class PartLibrary(_Texts):
    """The library of a function that only compiled code calls: it is not turned into machine code
    on its own."""

    def __init__(self, codegen: Any, name: str) -> None:
        # Numba's next class would have LLVM read an empty module, which no part needs.
        CodeLibrary.__init__(self, codegen, name)
        self._collect()
        self._linking_libraries = []
        self._defined: list[str] = []
        self._wanted: list[str] = []
        self._packed: list[bytes] = []
        self._shared_module: Any = None

    def add_ir_module(self, ir_module: Any) -> None:
        """Add an llvmlite module."""
        super().add_ir_module(ir_module)
        self._defined += [
            function.name for function in ir_module.functions if not function.is_declaration
        ]
        self._wanted += _targets(ir_module.globals)

    def finalize(self) -> None:
        """Close the library: nothing more will be added."""
        self._raise_if_finalized()
        # A part is kept as long as its function; packed, it takes a tenth of the memory.
        self._packed = [zlib.compress(text.encode(), 1) for text in self._texts]
        self._texts.clear()
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

    def texts(self) -> Iterator[str]:
        """The modules of the library."""
        self._ensure_finalized()
        return (zlib.decompress(packed).decode() for packed in self._packed)

    def _get_module_for_linking(self) -> Any:
        """The module with everything that it calls, for a library that is not made here."""
        if self._shared_module is None:
            whole, *others = map(llvm.parse_assembly, self.texts())
            for other in others:
                whole.link_in(other)
            for part in _parts_of(self):
                for text in _modules_of(part):
                    parse = llvm.parse_assembly if isinstance(text, str) else llvm.parse_bitcode
                    whole.link_in(parse(text))
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
        self._collect()
        self.code, self.names = b"", frozenset[str]()

    def finalize(self) -> None:
        """Link, optimise and make machine code."""
        self._raise_if_finalized()
        with workbench() as bench:
            module = bench.parsed(self._texts.pop(0))
            for text in self._texts:
                module.link_in(bench.parsed(text))
            self._texts.clear()
            shown = {
                thing.name
                for thing in (*module.functions, *module.global_variables)
                if not thing.is_declaration and thing.name != DIVIDED
            }
            for part in _parts_of(self):
                for made in _modules_of(part):
                    module.link_in(bench.parsed(made))
                self._reload_init.update(part._reload_init)
                self.arrays += getattr(part, "arrays", ())
                self.places.update(getattr(part, "places", ()))
            # Asking LLVM for names takes time, so it is asked once.
            functions, variables = _contents(module.functions), _contents(module.global_variables)
            _call_directly(module, bench, functions, variables)
            _hide((*functions, *variables), shown)
            divided = any(variable.name == DIVIDED for variable in variables)
            self.code = _translated(module, LEVEL + divided)
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


class _Thing(NamedTuple):
    """A function or a variable of a module."""

    value: Any
    name: str
    is_defined: bool


def _contents(values: Iterable[Any]) -> list[_Thing]:
    return [_Thing(value, value.name, not value.is_declaration) for value in values]


def _hide(things: Iterable[_Thing], shown: set[str]) -> None:
    """Make everything private except these names and the variables that hold addresses: those in
    use must be found afterwards."""
    for thing in things:
        if thing.is_defined and thing.name not in shown and not thing.name.startswith(ADDRESSES):
            thing.value.linkage = PRIVATE


def _translated(module: Any, level: int) -> bytes:
    """The machine code of a module, optimised as a whole to a level of LLVM's."""
    codegen = cpu_target.target_context.codegen()
    manager, builder = codegen._module_pass_manager(opt=min(level, config.OPT))
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


def _modules_of(library: CPUCodeLibrary) -> Iterator[str | bytes]:
    """The library's own modules if it is a part, otherwise, as bitcode, what Numba would link for
    it."""
    if isinstance(library, PartLibrary):
        yield from library.texts()
    else:
        library._ensure_finalized()
        yield library._get_module_for_linking().as_bitcode()


def _targets(variables: Iterable[str]) -> list[str]:
    """The functions that are called through these variables; others are not meant."""
    return [
        name.removeprefix(RuntimeLinker.PREFIX)
        for name in variables
        if name.startswith(RuntimeLinker.PREFIX)
    ]


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


def _call_directly(
    module: Any, bench: Workbench, functions: list[_Thing], variables: list[_Thing]
) -> None:
    """Functions that call each other do so through pointers, which Numba would set later. Here both
    are in one module, so that the pointers become constants. Raises LookupError if a function is
    missing."""
    defined = {thing.name for thing in functions if thing.is_defined}
    targets = _targets(thing.name for thing in variables if not thing.is_defined)
    if missing := [name for name in targets if name not in defined]:
        raise LookupError(f"{missing[0]} is called and was not compiled")
    lines = [
        f'@"{RuntimeLinker.PREFIX}{name}" = constant ptr @"{name}"\ndeclare void @"{name}"()\n'
        for name in targets
    ]
    if lines:
        module.link_in(bench.parsed("".join(lines)))
    for name in targets:
        module.get_global_variable(RuntimeLinker.PREFIX + name).linkage = PRIVATE


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
