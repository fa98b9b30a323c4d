"""Real positions, analysed, and the node counts that serve as checksums."""

from __future__ import annotations

import typer

from prunus.games.catalogue import GAMES, open_position
from prunus.run.driver import analyze

POSITIONS = (
    ("tic-tac-toe", "", None, "Tic-tac-toe from the start, solved"),
    (
        "tic-tac-toe",
        "X../.O./..X",
        None,
        "Two corners against the centre: only an edge holds the draw",
    ),
    ("nim", "3,5,7", None, "Nim: winning from 3, 5, 7"),
    (
        "nim:misere=true",
        "1,2,2",
        None,
        "Misere Nim: the player who takes the last object loses; only taking the pile of 1 wins",
    ),
    (
        "connect-four",
        "742234173564774116613357",
        None,
        "Connect Four in the middle game, solved to the end",
    ),
    ("connect-four", "", 12, "Connect Four from the start, 12 plies deep"),
)

SIGNED = (
    ("connect-four", "44444", 7),
    ("tic-tac-toe", "", 9),
    ("mnk", "", 9),
    ("nim", "2,3,3", 9),
    ("uniform", "", 6),
    ("reluctant", "", 6),
    ("random-game", "", 6),
    ("figure", "", 9),
    ("even-wins", "", 9),
    ("podium-nim", "", 9),
    ("three-mens-morris", "", 5),
    ("nine-mens-morris", "", 3),
    ("fox-and-geese", "", 6),
    ("othello", "", 5),
    ("domineering", "", 3),
    ("kalah", "", 4),
    ("awari", "", 4),
    ("breakthrough", "", 3),
    ("hexapawn", "", 5),
    ("hex", "", 2),
    ("dots", "", 3),
    ("dobutsu", "", 4),
    ("chess", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 3),
    ("chess-ending", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 3),
)
"""A position and a depth for each game that needs no file."""


def run() -> None:
    """Analyse the positions and print values, best moves and lines."""
    for spec, position, depth, title in POSITIONS:
        game, at = open_position(spec, position)
        typer.echo(f"\n{title}\n")
        # A book would answer at once and show nothing of a search.
        found = analyze(
            game, at, depth=depth, position=position or None, all_moves=depth is None, book=False
        )
        typer.echo(str(found))


def signatures() -> bool:
    """Print the nodes that alpha-beta visits in one position of each game; whether both backends
    agree on all."""
    agreed = True
    for spec, position, depth in SIGNED:
        game, at = open_position(spec, position)
        algorithm = "alphabeta" if game.players == 2 else "paranoid"
        counts = [
            analyze(game, at, algorithm, depth, compile=compile).statistics.nodes
            for compile in (False, True)
        ]
        agreed &= counts[0] == counts[1]
        typer.echo(
            f"{spec:<13} {counts[0]}"
            + ("" if counts[0] == counts[1] else f"  compiled: {counts[1]}")
        )
    missing = set(GAMES) - {spec for spec, _, _ in SIGNED} - {"tree"}
    if missing:
        typer.echo(f"no signature: {', '.join(sorted(missing))}")
    return agreed and not missing
