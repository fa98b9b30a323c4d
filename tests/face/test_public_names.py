"""What users meet first: the names of the package, for Python, for `help` and for type checkers."""

from __future__ import annotations

import ast
import os
import pydoc
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import prunus

SOURCE = Path(prunus.__file__).parent
SCRIPT = Path(__file__).with_name("typed_user.py")


def test_importing_loads_no_compiler():
    program = (
        "import sys, prunus; sys.exit(sorted({'numpy', 'numba', 'typer', 'rich'} & "
        "set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_every_name_is_there_and_listed():
    listed = dir(prunus)
    assert set(prunus.__all__) <= set(listed)
    assert not [name for name in listed if not hasattr(prunus, name)]
    text = pydoc.plain(pydoc.render_doc(prunus))
    assert not [name for name in prunus.__all__ if name not in text]
    assert {
        "Options",
        "Trace",
        "Progress",
        "PrunusError",
        "CannotCompile",
        "SearchError",
        "UnknownAlgorithm",
    } <= set(listed)


def test_names_that_load_late_are_those_that_type_checkers_see():
    """The table of where names live and the imports for type checkers are the same list."""
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == prunus._LAZY
    assert set(seen) <= set(prunus.__all__)


def test_errors_have_one_base():
    """Every error class of the package derives from PrunusError; what only ends a search or a walk
    is not an error."""
    inner = {
        "Stopped",
        "DeadEnd",
        "BeyondScale",
        "FaultFoundError",
        "Disagreement",
        "InterpretedWarning",
        "NotReady",
        "GivenUp",
        "TooLong",
        "Cycle",
        "LongLine",
        "TooLarge",
        "WrongClass",
        "_Busy",
    }
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name not in inner | {"PrunusError"}:
                bases = [ast.unparse(base) for base in node.bases]
                if any(base.endswith(("Error", "Exception")) for base in bases):
                    assert bases[0] in ("PrunusError", "DatabaseError", "ExchangeError"), (
                        f"{path.name}: {node.name}({', '.join(bases)})"
                    )
    for name, also in (
        ("PositionError", ValueError),
        ("SearchError", ValueError),
        ("TraceTooLarge", RuntimeError),
    ):
        assert issubclass(getattr(prunus, name), (prunus.PrunusError, also)) and issubclass(
            getattr(prunus, name), also
        )


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An environment in which prunus is installed, and nothing else."""
    place = tmp_path_factory.mktemp("home")
    venv.create(place / "venv", with_pip=False)
    python = place / "venv" / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"],
        capture_output=True,
        text=True,
        check=True,
    )
    Path(site.stdout.strip(), "prunus.pth").write_text(f"{SOURCE.parent}\n")
    return place


def read_by(tool, home):
    python = str(home / "venv" / "bin" / "python")
    words = {
        "mypy": [
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            os.devnull,
            "--cache-dir",
            str(home / "cache"),
            "--python-executable",
            python,
        ],
        "basedpyright": ["-m", "basedpyright", "--level", "error", "--pythonpath", python],
    }[tool]
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")
    }
    command = [sys.executable, *words, str(home / SCRIPT.name)]
    return subprocess.run(
        command, cwd=home, capture_output=True, text=True, check=False, timeout=300, env=environment
    )


@pytest.mark.parametrize("tool", ["mypy", "basedpyright"])
def test_type_checkers_understand_a_users_script(tool, home):
    """In pyright's standard mode and mypy's strict mode; and both report a wrong call."""
    pytest.importorskip(tool, reason=f"{tool} is not installed; requirements/dev.txt has it")
    (home / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')
    text = SCRIPT.read_text()
    (home / SCRIPT.name).write_text(text)
    done = read_by(tool, home)
    assert done.returncode == 0, done.stdout + done.stderr
    (home / SCRIPT.name).write_text(text + "prunus.solve(Squares(), thread=2, nodes='many')\n")
    done = read_by(tool, home)
    assert done.returncode == 1 and f":{len(text.splitlines()) + 1}" in done.stdout, done.stdout
