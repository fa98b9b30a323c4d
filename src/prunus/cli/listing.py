"""`prunus algorithms`: the algorithms as a table."""

from __future__ import annotations

import json
from collections.abc import Sequence

from prunus.run.registry import ALGORITHMS, SEVERAL

LEGEND = """
exact        its value is minimax's
many values  every move of the root gets its value, at no extra cost
deepens      searches one depth after another, so that a limit of time or nodes leaves an answer
table        remembers positions in a transposition table
threads      can use several threads
options      has the options of the engine: quiescence, null move, ...
repetition   follows the rules on positions that come up again
several      for games of more than two players
traced       can be watched node by node (`prunus trace`)
"""


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
