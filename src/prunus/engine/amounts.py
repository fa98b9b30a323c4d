"""The engine's options in its memory: a switch is a constant to the compiler, an amount is a word
of the memory.

An option that is off is not compiled, and a different margin, depth or width runs in the same
machine code. Margins are put on the scale of values here, once, before a search begins:
`prefer_faster` multiplies values (`prunus.algorithms.leaves.scaled`), and so it multiplies margins.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from prunus.algorithms.leaves import HASTE, BeyondScale, Scale, scaled
from prunus.core.errors import SearchError
from prunus.engine.options import FIT_DEPTHS, FIT_PAIRS, FIT_STAGES, FIT_WORDS, Options
from prunus.kernel.memory import Memory, Spec

MARGINS: Final = Options.MARGINS
"""The options that are differences of values."""

COUNTS: Final = (
    "etc",
    "iid",
    "presearch",
    "quiet_line",
    "beam",
    "null_move",
    "null_verify",
    "iir",
    "reductions",
    "late_pruning",
    "floyd",
    "probcut",
)
"""The options that are amounts of something else: plies, actions, places, confidences."""


def amount_fields() -> Spec:
    """The fields of a Memory that `put_amounts` fills."""
    return {**dict.fromkeys((*COUNTS, *MARGINS), "i64"), "fit": ("i64", FIT_WORDS)}


def put_amounts(options: Options, memory: Memory) -> None:
    """Write the amounts of the options into a memory. Raises SearchError for a margin that is too
    large on the scale of the search."""
    memory.assign(_amounts(options, _Scale(memory.haste)))
    if options.probcut:
        _put_fits(options, memory)


@dataclass(frozen=True)
class _Scale:
    haste: int


@lru_cache(maxsize=64)
def _amounts(options: Options, scale: _Scale) -> dict[str, int]:
    """The amounts by name, on the scale of the search; kept, because every search asks for them."""
    return {
        **{name: getattr(options, name) for name in COUNTS},
        **{name: _on_scale(getattr(options, name), name, scale) for name in MARGINS},
    }


def _on_scale(margin: int, name: str, scale: Scale) -> int:
    """A difference of values on the scale of the search; `name` is the option it belongs to."""
    try:
        return scaled(margin, scale)
    except BeyondScale:
        raise SearchError(
            f"the option {name}: {margin} is too large together with prefer_faster, which "
            f"multiplies values by {HASTE:,}"
        ) from None


def _put_fits(options: Options, memory: Memory) -> None:
    """Write the regressions of ProbCut into a memory: a is a ratio, b and sigma are differences of
    values."""
    memory.fit.array[:] = 0
    used: Counter[tuple[int, int]] = Counter()
    for deep, (shallow, a, b, sigma), *stages in options.fit:
        words = (shallow, a, _on_scale(b, "fit", memory), _on_scale(sigma, "fit", memory))
        for stage in stages or range(FIT_STAGES):
            at = 4 * (FIT_PAIRS * (FIT_DEPTHS * stage + deep) + used[stage, deep])
            memory.fit.array[at : at + 4] = words
            used[stage, deep] += 1
