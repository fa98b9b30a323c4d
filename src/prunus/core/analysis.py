"""The one result of every search, solver, book and database: `Analysis`."""

from __future__ import annotations

import json
import operator
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Final, Literal

from prunus.core.game import Game
from prunus.core.generic import Generic, Json, S
from prunus.core.knowledge.combining import OWN

Bound = Literal["exact", "lower", "upper"]

LATER: Final = "\0"
"""In place of the text of a position: it is to be written when it is first asked for."""


@dataclass(frozen=True)
class Statistics:
    """The work of a search. `nodes` counts every position visited (the root included), `leaves` the
    nodes valued without going deeper, `evaluated` the leaves that were not terminal. `cutoffs`
    counts the nodes left early because their value reached its bound or could not be improved,
    `first_cutoffs` those left after their first action. `researches` counts the actions that were
    searched again with a wider window, because a null window had found them better (SCOUT, PVS and
    the engine). `table_hits` counts the values taken from memory. `seconds` is wall time without
    compilation; `compile_seconds` is the time spent compiling, or waiting for it in vain."""

    nodes: int = 0
    leaves: int = 0
    evaluated: int = 0
    cutoffs: int = 0
    first_cutoffs: int = 0
    researches: int = 0
    table_hits: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0


@dataclass(frozen=True)
class Move:
    """One root action and what is known of its value, for the player who makes it."""

    action: int
    value: int
    bound: Bound = "exact"


@dataclass(frozen=True, repr=False)
class Analysis(Generic[S]):
    """The result of a search. `print` shows all of it.

    `value` is for the player to move (None: stopped before anything was known). `bound` says
    whether the true value equals it ("exact"), is at least it ("lower") or at most it ("upper").
    `proved` means that the value, to the extent that `bound` states, rests on finished games alone
    and on no estimate. `best` is the first action that reached the value, `best_moves` every action
    known to reach it, `pv` the line that the value comes from. `distance` is the number of plies to
    the end of that line if the game ends there, in a terminal State or by its rule of repetition.
    `cut` says that the line of a proved value stops short because a limit ended the search for the
    rest; printed output shows "..." there.
    `payoffs` holds every player's result on that line, if max^n considered more than one player's.
    `algorithm` is "book" or "database" if the answer comes from there, without a search.
    `evaluation` names the evaluation that the search could use: one of the game's `evaluations`, a
    separate one with its parameters, or "own"; None if the game has none, or no search was made.
    `past` holds the States before the position, for games with a rule of repetition.
    `moves` holds an exact value for each root action if they were asked for, and `moves_statistics`
    the cost of that second pass.
    """

    game: Game[S]
    state: S
    position: str
    algorithm: str
    backend: Literal["interpreted", "compiled"]
    value: int | None
    bound: Bound = "exact"
    proved: bool = False
    best: int | None = None
    best_moves: tuple[int, ...] = ()
    pv: tuple[int, ...] = ()
    depth: int | None = None
    distance: int | None = None
    payoffs: tuple[int, ...] | None = None
    moves: tuple[Move, ...] | None = None
    statistics: Statistics = field(default_factory=Statistics)
    moves_statistics: Statistics | None = None
    interrupted: bool = False
    past: tuple[S, ...] = ()
    evaluation: str | None = None

    def __post_init__(self) -> None:
        if self.position == LATER:
            del self.__dict__["position"]

    def __getattr__(self, name: str) -> str:
        if name != "position" or "state" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__["position"] = self.game.format(self.state)
        return self.position

    def line(self) -> list[str]:
        """The names of the actions of the principal variation."""
        names, state = [], self.state
        for action in self.pv:
            names.append(self.game.action_name(state, action))
            state = self.game.result(state, action)
        return names

    def returns_after(self) -> int | None:
        """The plies of the principal variation after which it comes back to a position, in a game
        without a rule of repetition; None if it does not."""
        if self.game.repetition != "none":
            return None
        state, met = self.state, [self.state]
        for plies, action in enumerate(self.pv, 1):
            state = self.game.result(state, action)
            if state in met:
                return plies
            met.append(state)
        return None

    @property
    def cut(self) -> bool:
        """Whether the line stops before the end of the game although the exact value is proved."""
        return self.proved and self.bound == "exact" and self.distance is None

    def action_name(self, action: int | None) -> str | None:
        """The name of a root action."""
        return None if action is None else self.game.action_name(self.state, action)

    def to_dict(self) -> Json:
        """The result as plain data, actions by name: the object that `--json` prints."""
        data: Json = {
            "game": self.game.title(),
            "position": self.position,
            "algorithm": self.algorithm,
            "backend": self.backend,
            "evaluation": self.evaluation,
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "best": self.action_name(self.best),
            "best_moves": [self.action_name(action) for action in self.best_moves],
            "pv": self.line(),
            "depth": self.depth,
            "distance": self.distance,
            **asdict(self.statistics),
            "interrupted": self.interrupted,
        }
        if self.past:
            data["past"] = [self.game.format(state) for state in self.past]
        if self.payoffs is not None:
            data["payoffs"] = list(self.payoffs)
        if self.moves is not None:
            data["moves"] = [
                {"action": self.action_name(m.action), "value": m.value, "bound": m.bound}
                for m in self.moves
            ]
        if self.moves_statistics is not None:
            data["moves_statistics"] = asdict(self.moves_statistics)
        return data

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict(), default=operator.index)  # rules may return NumPy integers

    def rows(self) -> list[tuple[str, str]]:
        """The lines that `print` shows, as pairs (label, text)."""
        rows = [("game", f"{self.game.title()}  {self.position}")]
        if self.past:
            positions = "position" if len(self.past) == 1 else "positions"
            what = f"{len(self.past)} {positions} before this one; returning to one is a repetition"
            rows.append(("past", what))
        rows += [("value", self._value_text()), ("best", self._best_text())]
        returns = self.returns_after()
        goes_on = returns is not None or (self.cut and self.pv)
        shown = " ".join(self.line()[:returns]) or "-"
        rows.append(("line", shown + (" ..." if goes_on else "")))
        if returns is not None:
            said = (
                f"play is back at an earlier position after {returns} plies, and the game has no "
            )
            rows.append(
                ("cycle", said + "rule of repetition: such positions need not have a value")
            )
        if self.payoffs is not None:
            each = (f"player {number}: {paid}" for number, paid in enumerate(self.payoffs, 1))
            rows.append(("payoffs", "  ".join(each)))
        if self.distance is not None:
            plies = "ply" if self.distance == 1 else "plies"
            rows.append(("ends", f"after {self.distance} {plies}{self._doubt()}"))
        if self.moves is not None:
            moves = (f"{self.action_name(move.action)}: {move.value}" for move in self.moves)
            rows.append(("moves", "  ".join(moves)))
        return rows + self._work_rows()

    def _value_text(self) -> str:
        if self.value is None:
            return "unknown"
        sign = {"exact": "", "lower": "at least ", "upper": "at most "}[self.bound]
        standing = "proved" if self.proved else "not proved"
        return f"{sign}{self.value}  ({standing}, for the player to move)"

    def _doubt(self) -> str:
        """Why the value is not proved although its line ends the game, after a semicolon."""
        if self.proved or self.interrupted or self.statistics.evaluated == 0:
            return ""
        doubt = "; other lines are only estimated"
        more = ", and no bounds(state) says that none is worth more"
        return doubt if self.game.has_bounds else doubt + more

    def _best_text(self) -> str:
        if self.value is None or self.interrupted:
            return f"{self.action_name(self.best) or 'unknown'}  (stopped early)"
        names = ", ".join(str(self.action_name(action)) for action in self.best_moves)
        return names or "none: the game is over"

    def _work_rows(self) -> list[tuple[str, str]]:
        """The cost of the answer."""
        s = self.statistics
        if self.algorithm in ("book", "database"):
            work = f"{s.table_hits} positions looked up in {1000 * s.seconds:.1f} ms, no search"
            return [
                ("book", work) if self.algorithm == "book" else ("found", f"in a database, {work}")
            ]
        depth = "to the end" if self.depth is None else f"depth {self.depth}"
        late = self.interrupted and self.backend == "interpreted" and s.compile_seconds >= 0.1
        waited = f"; still compiling after {s.compile_seconds:.1f} s" if late else ""
        speed = f", {speed_text(s.nodes / s.seconds)}" if s.seconds > 0.001 else ""
        counts = f"{s.nodes:,} nodes, {s.leaves:,} leaves, {s.cutoffs:,} cut-offs"
        counts += f", {s.researches:,} re-searches" if s.researches else ""
        return [
            ("search", f"{self.algorithm}, {self.backend}, {depth}{self._by()}{waited}"),
            ("work", f"{counts} in {s.seconds:.3f} s{speed}"),
        ]

    def _by(self) -> str:
        """Which evaluation was chosen instead of the game's own, after a comma."""
        chosen = self.evaluation not in (None, OWN)
        return f", evaluation {self.evaluation}" if chosen else ""

    def __repr__(self) -> str:
        sign = {"exact": "", "lower": "at least ", "upper": "at most "}[self.bound]
        value = "unknown" if self.value is None else f"{sign}{self.value}"
        standing = "proved" if self.proved else "not proved"
        best = "" if self.best is None else f", best {self.action_name(self.best)}"
        where = f"{self.game.title()} {_shortened(self.position)!r}"
        return (
            f"<Analysis of {where}: value {value}, {standing}{best}; {self.algorithm}{self._by()}, "
            f"{self.statistics.nodes:,} nodes>"
        )

    def __str__(self) -> str:
        return "\n".join(f"{label:<8}{text}" for label, text in self.rows())

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{escape(a)}</th><td>{escape(b)}</td></tr>"
            for a, b in self.rows()
        )
        return f"<table>{cells}</table>"


def speed_text(speed: float) -> str:
    """Nodes per second as text: `2.4 million/s`, below 100,000 `2,400/s`."""
    return f"{speed / 1e6:,.1f} million/s" if speed >= 1e5 else f"{speed:,.0f}/s"


def _shortened(text: str, most: int = 60) -> str:
    """A text on one line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
