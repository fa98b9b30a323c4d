"""What turns code into machine code, and the modules whose code it identifies."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path

_FOREIGN = frozenset(("numpy", "numba", "llvmlite"))
_OWN = frozenset(
    f"prunus.core.{name}"
    for name in (
        "arrays",
        "bits",
        "game",
        "knowledge.certainties",
        "knowledge.evaluation",
        "knowledge.part",
        "knowledge.tactics",
        "rules",
        "state",
    )
)


_LIBRARY = os.path.dirname(os.__file__)


def is_known(module: str | None) -> bool:
    """Whether versions and `toolchain` identify a module's code, so that names are enough."""
    name = module or ""
    top = name.split(".")[0]
    if top in sys.stdlib_module_names:
        # A file of the user's may have a name of the library's.
        file = getattr(sys.modules.get(top), "__file__", None)
        return file is None or file.startswith(_LIBRARY)
    return top in _FOREIGN or name in _OWN or name.startswith("prunus.kernel.")


_LEVELS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "LLVM_REFPRUNE_PASS")
"""Settings of Numba (as `NUMBA_OPT`) that give other machine code."""


@cache
def toolchain() -> str:
    """Everything that turns code into machine code: versions, the processor, and the source of the
    translation."""
    import llvmlite
    import numba
    import numpy

    package = Path(__file__).resolve().parents[2]
    sources = hashlib.sha256()
    for path in sorted(
        [
            *package.joinpath("kernel").rglob("*.py"),
            *(package.parent.joinpath(*name.split(".")).with_suffix(".py") for name in _OWN),
        ]
    ):
        sources.update(str(path.relative_to(package)).encode() + path.read_bytes())
    versions = (
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        numpy.__version__,
        platform.machine(),
        *(str(getattr(numba.config, name)) for name in _LEVELS),
    )
    return "|".join((*versions, sources.hexdigest()))
