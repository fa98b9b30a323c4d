"""`prunus book build --from-games`: a book of the positions that came up in games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from prunus.cli.status import Status

if TYPE_CHECKING:
    from prunus.books.played import PlayedPositions
    from prunus.books.work import BookProgress, Resources
    from prunus.core.game import Game as AnyGame
    from prunus.tables.book import Manifest


def make_from_games(
    game: AnyGame,
    spec: str,
    which: PlayedPositions,
    out: Path | None,
    using: Resources,
    watch: Callable[[BookProgress], None],
) -> Path | None:
    """Make the book of these games, and return its folder; None if it is a Polyglot book, for
    chess."""
    from prunus.books.played import build_played_book
    from prunus.books.positions import check_game
    from prunus.play.advice.chess_board import is_chess
    from prunus.play.recorded import read_games

    if is_chess(game):
        _polyglot(game, which, out)
        return None
    game.freeze()
    check_game(game)
    status, games = Status(), []
    for file in which.files:
        status.show(f"reading {file}")
        games += [
            played.moves.actions
            for played in read_games(game, Path(file), which.plies, from_start=True)
        ]
    status.clear()
    return build_played_book(
        game, which.of(games), out, spec=spec, using=using, say=_note, watch=watch
    )


def _polyglot(game: AnyGame, which: PlayedPositions, out: Path | None) -> None:
    """Make a Polyglot book."""
    from prunus.play.advice.polyglot_making import make_polyglot
    from prunus.play.recorded import read_games

    if which.cost is not None or which.nodes is not None:
        raise typer.BadParameter(
            "for chess, --from-games goes with --plies, --at-least and --out alone"
        )
    if out is None:
        raise typer.BadParameter("where to? --out FILE.bin names the book")
    status, games = Status(), []
    for file in which.files:
        status.show(f"reading {file}")
        games += read_games(game, Path(file), which.plies)
    status.show(f"{len(games):,} games: writing {out}")
    made = make_polyglot(game, games, out, which.at_least)
    status.clear()
    typer.echo(
        f"written to {out}: {made.moves:,} moves in {made.positions:,} positions of "
        f"{len(games):,} games; use it by `prunus uci --book {out}`, or book={out} of a player"
    )


def _note(text: str) -> None:
    typer.echo(text, err=True)


def games_of(manifest: Manifest) -> list[tuple[str, str]]:
    """What a book from games says of them."""
    if "games" not in manifest:
        return []
    said = manifest["games"]
    plies = "" if said["plies"] is None else f" up to ply {said['plies']}"
    often = "" if said["at_least"] == 1 else f" that came up in {said['at_least']:,} or more"
    rows = [("from", f"{said['games']:,} games: the positions{plies}{often}")]
    if said["cost"] is not None:
        rows.append(
            ("cost", f"each more than {said['cost']:,} nodes; {said['positions']:,} were searched")
        )
    if said["nodes"] is not None:
        rows.append(
            (
                "left out",
                f"{said['unsolved']:,} of {said['positions']:,}, not solved within "
                f"{said['nodes']:,} nodes",
            )
        )
    return rows
