"""Games in the user's own files: `FILE.py:CLASS`, with keyword options of the constructor:
`FILE.py:CLASS:size=5,misere=true`."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar

from prunus.core.game import Game
from prunus.core.rules import Rules
from prunus.core.settings import read_settings
from prunus.games.errors import GameError

R = TypeVar("R", bound=Rules)

TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

PREFIX: Final = "prunus_file_"
"""The beginning of the names of modules that were made from files."""

CONVERSIONS: Final[dict[str, Callable[[str], object]]] = {
    "int": int,
    "bool": lambda text: TRUTH[text.lower()],
    "str": str,
    "piles": lambda text: tuple(int(pile) for pile in text.split("-")),
}
"""Functions that turn the text of an option into its value; ValueError or KeyError if they
cannot."""


def split_file(spec: str) -> tuple[str, str, str] | None:
    """The file, the class and the options of `FILE.py:CLASS:OPTIONS`; None for the name of a
    game."""
    found = re.fullmatch(r"(.+?\.py)(?::([^:]*))?(?::(.*))?", spec.strip())
    return None if found is None else (found[1], (found[2] or "").strip(), found[3] or "")


def load_class(file: str, name: str) -> type[Game]:
    """The game class in a file; the file is run again each time. Raises GameError."""
    path = Path(file).expanduser()
    module = load_module(path)
    games = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Game)
        and value.__module__ == module.__name__
        and not key.startswith("_")
    ]
    listed = (
        f"its games: {', '.join(games)}" if games else "no class in it derives from prunus.Game"
    )
    if not name:
        if len(games) == 1:
            name = games[0]
        else:
            raise GameError(f"{file}: which class? write {file}:CLASS; {listed}")
    found = getattr(module, name, None)
    if found is None:
        raise GameError(f"{file} has no class {name!r}; {listed}")
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise GameError(
            f"{file}: {name} is not a game: it does not derive from prunus.Game; {listed}"
        )
    return found


def load_module(path: Path) -> ModuleType:
    """Run a Python file as a module whose name is made from its absolute path, so that other
    processes find it. Raises GameError."""
    absolute = path.resolve()
    if not absolute.is_file():
        raise GameError(f"{path}: there is no such file")
    name = f"{PREFIX}{absolute.stem}_{hashlib.sha256(str(absolute).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, absolute)
    if spec is None or spec.loader is None:
        raise GameError(f"{path}: this is not a Python file")
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    # Registered before it runs: NamedTuple classes and type hints look their module up.
    sys.modules[name] = module
    try:
        # Compiled from the text itself: cached bytecode can miss an edit made within the same
        # second.
        with _beside(absolute.parent):
            exec(compile(absolute.read_bytes(), str(absolute), "exec"), module.__dict__)  # noqa: S102 - the file that its user names
    except BaseException as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        if isinstance(error, KeyboardInterrupt):
            raise
        raise GameError(_failure(path, absolute, error)) from error
    return module


_siblings: dict[str, ModuleType] = {}
"""Modules that files have imported from their own folder."""


@contextmanager
def _beside(folder: Path) -> Iterator[None]:
    """Within the block, the modules in a folder can be imported by name, as if a script in that
    folder ran. Modules that another file imported from its folder are loaded again: they may have
    changed, or be different ones of the same name."""
    for name, module in _siblings.items():
        if sys.modules.get(name) is module:
            del sys.modules[name]
    _siblings.clear()
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if (
                isinstance(file, str)
                and Path(file).parent == folder
                and not name.startswith(PREFIX)
            ):
                _siblings[name] = module


def _failure(path: Path, absolute: Path, error: BaseException) -> str:
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    if isinstance(error, SyntaxError) and error.filename == str(absolute):
        return f"{path}, line {error.lineno}: {error.msg}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(absolute)
    ]
    return f"{path}{f', line {lines[-1]}' if lines else ''}: {what}"


def place_in_file(error: BaseException) -> str | None:
    """Where an error has come through a user's file last: "FILE:LINE, in FUNCTION"; None if it has
    not."""
    modules = [module for name, module in sys.modules.items() if name.startswith(PREFIX)]
    files = {getattr(module, "__file__", None) for module in (*modules, *_siblings.values())}
    places = [
        f"{frame.filename}:{frame.lineno}, in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename in files
    ]
    return places[-1] if places else None


def make_from_class(cls: type[R], options: str, spec: str) -> R:
    """A game of this class with the options given as text; each text is converted to the type of
    the constructor's default."""
    parameters = {} if cls.__init__ is object.__init__ else dict(inspect.signature(cls).parameters)
    examples = dict.fromkeys(parameters, "...")
    given = read_settings(options.split(","), examples, f"{spec}: {cls.__name__}", GameError)
    values = {name: _guessed(text, parameters[name], spec) for name, text in given.items()}
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    missing = [
        name
        for name, p in parameters.items()
        if p.kind in named and p.default is p.empty and name not in values
    ]
    if missing:
        raise GameError(
            f"{spec}: {cls.__name__} needs {', '.join(missing)}: write {_hint(spec, cls, missing)}"
        )
    try:
        return cls(**values)
    except Exception as error:
        raise GameError(
            f"{spec}: {cls.__name__} cannot be made: {type(error).__name__}: {error}".splitlines()[
                0
            ]
        ) from error


def _hint(spec: str, cls: type[Rules], missing: list[str]) -> str:
    file = (split_file(spec) or (spec, "", ""))[0]
    return f"{file}:{cls.__name__}:{','.join(f'{name}=...' for name in missing)}"


def _guessed(text: str, parameter: inspect.Parameter, spec: str) -> object:
    default = parameter.default
    if isinstance(default, bool) or parameter.annotation in (bool, "bool"):
        if text.lower() not in TRUTH:
            raise GameError(f"{spec}: option {parameter.name} is true or false, not {text!r}")
        return TRUTH[text.lower()]
    if isinstance(default, int) or parameter.annotation in (int, "int"):
        if not re.fullmatch(r"[+-]?\d+", text):
            raise GameError(f"{spec}: option {parameter.name} is an integer, not {text!r}")
        return int(text)
    if default is parameter.empty and re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return text
