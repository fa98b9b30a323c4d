"""How well shallow searches predict deep ones, for ProbCut: the parameters of a regression, and the
files that hold them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from prunus.core.errors import SearchError

Words = tuple[int, int, int, int]

FitEntry = tuple[int, Words] | tuple[int, Words, int]
"""Parameters of ProbCut: the depth of the deep search, the four words of `Fit.words`, and the stage
they are for (every stage if it is left out)."""


@dataclass(frozen=True)
class Fit:
    """The regression deep = a shallow + b, whose error has the standard deviation sigma. It was
    fitted to `samples` positions, with a correlation of `correlation`, in one stage of the game
    (`Game.stage`) or in all of them (None)."""

    deep: int
    shallow: int
    a: float
    b: float
    sigma: float
    correlation: float
    samples: int
    stage: int | None = None

    def entry(self) -> FitEntry:
        """The fit as an entry of `Options.fit`."""
        return (
            (self.deep, self.words())
            if self.stage is None
            else (self.deep, self.words(), self.stage)
        )

    def words(self) -> tuple[int, int, int, int]:
        """The words that `engine.probable_cut` reads: the shallow depth, and a, b, sigma in
        thousandths."""
        return (
            self.shallow,
            round(1000 * self.a),
            round(1000 * self.b),
            max(1, round(1000 * self.sigma)),
        )


def write_fits(path: Path, origin: Mapping[str, object], fits: list[Fit], seed: int) -> None:
    """Write fits to a file, one a line, after a head that says where they come from (`origin`)."""
    head = json.dumps({**origin, "seed": seed}, indent=1).removesuffix("\n}")
    rows = ",\n".join(f"  {json.dumps(asdict(fit))}" for fit in fits)
    path.write_text(f'{head},\n "fits": [\n{rows}\n ]\n}}\n', encoding="utf-8")


def entries(fits: Iterable[Fit]) -> tuple[FitEntry, ...]:
    """Fits as the entries of `Options.fit`."""
    return tuple(fit.entry() for fit in fits)


def read_fits(path: Path) -> list[Fit]:
    """The fits in a file that `write_fits` has written. Raises SearchError if the file is missing
    or holds none."""
    try:
        return [Fit(**fit) for fit in json.loads(path.read_text(encoding="utf-8"))["fits"]]
    except OSError as error:
        raise SearchError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SearchError(f"{path}: this holds no parameters of ProbCut ({error})") from None
