"""The experiments by name, and the packages that they need."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from importlib.util import find_spec

from prunus.theory.lab import experiments as declared
from prunus.theory.lab.experiment import Experiment, LabError


def all_experiments() -> dict[str, Experiment]:
    """Every experiment of the modules in `lab/experiments`, sorted by module and then in the order
    of their declaration."""
    found: dict[str, Experiment] = {}
    for entry in sorted(pkgutil.iter_modules(declared.__path__), key=lambda entry: entry.name):
        module = importlib.import_module(f"{declared.__name__}.{entry.name}")
        for experiment in getattr(module, "EXPERIMENTS", ()):
            if experiment.name in found:
                raise LabError(
                    f"two experiments are named {experiment.name}, the second in {module.__name__}"
                )
            found[experiment.name] = experiment
    return found


def experiment_named(name: str) -> Experiment:
    """The experiment with this name. Raises LabError with similar names."""
    known = all_experiments()
    if name not in known:
        near = difflib.get_close_matches(name, known, 3, 0.4)
        raise LabError(
            f"no experiment is named {name!r}; "
            f"{'did you mean ' + ' or '.join(near) + '?' if near else 'prunus lab list shows all'}"
        )
    return known[name]


def require(extra: str, *modules: str) -> None:
    """Raise LabError saying what to install if one of the modules is missing."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise LabError(
            f"this needs {' and '.join(missing)}, which {_be(missing)} not installed: pip install "
            f"'prunus[{extra}]'"
        )


def _be(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
