"""The report of `check`, and the helpers that its parts share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Level = Literal["fault", "doubt", "note"]

TURN_NAMES = ("turn", "player", "to_move", "side", "mover")


@dataclass(frozen=True)
class Finding:
    """One finding. A "fault" is certainly wrong, a "doubt" is right only in few games, a "note" is
    worth knowing."""

    level: Level
    kind: str
    message: str
    state: str = ""
    reproduce: str = ""

    def __str__(self) -> str:
        where = "".join(
            f"\n    {label}: {text}"
            for label, text in (("state", self.state), ("after", self.reproduce))
            if text
        )
        return f"{self.level}: {self.kind}: {self.message}{where}"


@dataclass
class Report:
    """The findings of `check`: each kind once, with its first example."""

    game: str
    games: int = 0
    positions: int = 0
    compiled: bool = False
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is no fault (doubts and notes may remain)."""
        return not any(finding.level == "fault" for finding in self.findings)

    def kinds(self, level: Level = "fault") -> list[str]:
        """The kinds of the findings of a level."""
        return [finding.kind for finding in self.findings if finding.level == level]

    def add(
        self, level: Level, kind: str, message: str, state: str = "", reproduce: str = ""
    ) -> None:
        """Add a finding, unless there is already one of its kind."""
        if not any(finding.kind == kind for finding in self.findings):
            self.findings.append(Finding(level, kind, message, state, reproduce))

    def __str__(self) -> str:
        backends = "interpreted and compiled" if self.compiled else "interpreted only"
        head = (
            f"{self.game}: {'nothing wrong' if self.ok else 'WRONG'} in {self.games} random "
            f"games, {self.positions} positions ({backends})"
        )
        return "\n".join([head, *map(str, self.findings)])


class FaultFoundError(Exception):
    """Stops a walk at a fault after which continuing makes no sense."""


@dataclass
class Visit:
    """A position met on walks, how it was first reached, and how many times."""

    state: object
    terminal: bool
    mover: int
    line: str
    plies: int = 0
    times: int = 1


def turn_field(state: object) -> str:
    """The name of the State's field that says whose turn it is, "" if there is none."""
    fields: tuple[str, ...] = getattr(type(state), "_fields", ())
    return next((name for name in TURN_NAMES if name in fields), "")
