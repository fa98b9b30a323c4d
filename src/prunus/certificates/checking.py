"""The checker of certificates. It uses the rules of the game and nothing else: no search, and none
of the code that makes certificates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

from prunus.adapters import open_any
from prunus.core.errors import PrunusError
from prunus.core.game import Game

Moves = dict[str, int]
"""The actions of a node, each with the number of the node that it leads to."""


Checked = TypedDict(
    "Checked", {"game": str, "position": str, "value": int, "at least": int, "at most": int}
)
"""What has been proved: the value of a position of a game, with the numbers of positions in both
strategies."""


class CertificateError(PrunusError, ValueError):
    """A file that is no certificate, or one that does not prove what it says."""


def check(path: Path | str) -> Checked:
    """Check a certificate. MAX is the player to move in its position. One strategy shows that MAX
    gets at least `value`, the other, of MIN, that he gets no more. Raise CertificateError if the
    certificate does not prove the value."""
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
        game, start = open_any(given["game"], given["position"])
        value, least, most = given["value"], given["at least"], given["at most"]
        check_strategy(game, start.state, value, 1, least)
        check_strategy(game, start.state, value, -1, most)
    except PrunusError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"{path} is no certificate: {error!r}") from error
    return {
        "game": given["game"],
        "position": given["position"],
        "value": value,
        "at least": len(least),
        "at most": len(most),
    }


def check_strategy(game: Game, root: object, value: int, owner: int, nodes: list[Moves]) -> None:
    """Check that one player, MAX (owner = 1) or MIN (owner = -1), is sure of `value` by these
    nodes, of which the first is the root and each leads only to later ones."""
    known = {0: (root, 1)}  # the State of a node, and who is to move there
    for number, moves in enumerate(nodes):
        state, mover = known.pop(number, (None, 0))
        expect(mover != 0, number, "no action leads to it")
        if game.is_terminal(state):
            worth = mover * game.utility(state)
            expect(not moves, number, "the game is over, yet it has actions")
            expect(owner * worth >= owner * value, number, f"MAX gets {worth}, not {value}")
            continue
        legal, played = list(game.actions(state)), list(map(int, moves))
        expect(set(played) <= set(legal), number, f"of its actions {played} one is illegal")
        expect(len(played) > 0, number, "no action is given")
        expect(mover == owner or set(played) == set(legal), number, "a reply is missing")
        for action, child in moves.items():
            after = game.result(state, int(action))
            there = (after, mover if game.keeps_turn(state, after) else -mover)
            expect(child > number, number, f"action {action} leads to no later node")
            expect(known.setdefault(child, there) == there, child, "it is two positions at once")
    expect(not known, len(nodes), "it is missing")


def expect(holds: bool, number: int, what: str) -> None:
    """Raise CertificateError about a node unless this holds."""
    if not holds:
        raise CertificateError(f"the certificate is wrong at node {number}: {what}")
