"""What was found of how well shallow searches foretell deep ones, for ProbCut: the parameters of
one regression, and their files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prunus.core.errors import SearchError

Words = tuple[int, int, int, int]

FitEntry = tuple[int, Words] | tuple[int, Words, int]
"""Parameters of ProbCut: the deep search, the four words of `Fit.words`, and the stage that they
are for (without it: all)."""


@dataclass(frozen=True)
class Fit:
    """deep = a shallow + b with an error of standard deviation sigma, from `samples` positions with
    a correlation of `correlation`; in one stage of the game (`Game.stage`), or in all (None)."""

    deep: int
    shallow: int
    a: float
    b: float
    sigma: float
    correlation: float
    samples: int
    stage: int | None = None

    def entry(self) -> FitEntry:
        """What `Options.fit` holds of it."""
        return (
            (self.deep, self.words())
            if self.stage is None
            else (self.deep, self.words(), self.stage)
        )

    def words(self) -> tuple[int, int, int, int]:
        """What `engine.probable_cut` reads: the shallow depth, and a, b, sigma in thousandths."""
        return (
            self.shallow,
            round(1000 * self.a),
            round(1000 * self.b),
            max(1, round(1000 * self.sigma)),
        )


def write_fits(path: Path, origin: Mapping[str, Any], fits: list[Fit], seed: int) -> None:
    """Keep fits with where they come from (`origin`), one a line."""
    head = json.dumps({**origin, "seed": seed}, indent=1).removesuffix("\n}")
    rows = ",\n".join(f"  {json.dumps(asdict(fit))}" for fit in fits)
    path.write_text(f'{head},\n "fits": [\n{rows}\n ]\n}}\n', encoding="utf-8")


def entries(fits: Iterable[Fit]) -> tuple[FitEntry, ...]:
    """What `Options.fit` holds of several fits."""
    return tuple(fit.entry() for fit in fits)


def read_fits(path: Path) -> list[Fit]:
    """Fits that `write_fits` has kept. Raises SearchError where the file is missing or holds
    none."""
    try:
        return [Fit(**fit) for fit in json.loads(path.read_text(encoding="utf-8"))["fits"]]
    except OSError as error:
        raise SearchError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SearchError(f"{path}: this holds no parameters of ProbCut ({error})") from None
