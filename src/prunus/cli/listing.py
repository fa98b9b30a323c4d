"""`prunus games` and `prunus algorithms`: what there is, as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence

from prunus.games.catalogue import GAMES
from prunus.run.registry import ALGORITHMS, SEVERAL

LEGEND = """
exact        its value is minimax's
many values  every move of the root gets its value, at no extra cost
deepens      searches one depth after another, so that a limit of time or nodes leaves an answer
table        remembers positions in a transposition table
threads      can use several threads
options      has the options of the engine: quiescence, null move, ...
repetition   follows the rules on positions that come up again
two values   asks questions with two answers: for games that are won or lost
several      for games of more than two players
traced       can be watched node by node (`prunus trace`)
"""


def games() -> str:
    """All games with their options, evaluations and how their positions are written."""
    lines = []
    for entry in GAMES.values():
        lines.append(f"{entry.name:<13} {entry.summary}")
        for option in entry.options:
            given = option.default
            default = "-".join(map(str, given)) if isinstance(given, tuple) else str(given).lower()
            lines.append(f"{'':<13}   {option.name}={default}  {option.help}")
        lines.append(f"{'':<13}   position: {entry.notation}")
        if named := ", ".join(getattr(entry.factory(), "evaluations", {})):
            lines.append(f"{'':<13}   evaluations: {named} (--evaluation NAME)")
    own = "a game of your own: a class derived from prunus.Game (prunus check finds what is wrong "
    return "\n".join([*lines, f"{'FILE.py:CLASS':<13} {own}with it)"])


def algorithms(as_json: bool) -> str:
    """All algorithms with what they can do, as a table with its legend or as one line of JSON."""
    known = [*ALGORITHMS.values(), *SEVERAL.values()]
    if as_json:
        rows = [
            {"name": a.name, "summary": a.summary, "source": a.source, **a.capabilities()}
            for a in known
        ]
        return json.dumps(
            [{key.replace(" ", "_"): value for key, value in row.items()} for row in rows]
        )
    names = list(known[0].capabilities())
    table = [("algorithm", *names, "what it is", "source")]
    for a in known:
        table.append(
            (
                a.name,
                *("yes" if able else "-" for able in a.capabilities().values()),
                a.summary,
                a.source,
            )
        )
    return "\n".join(_aligned(table)) + "\n" + LEGEND.rstrip()


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
