"""Arguments that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

GAME_HELP = (
    "A game by name, with options: connect-four, connect-four:width=9,height=5, mnk:m=4,n=4,k=4, "
    "nim:misere=true; or your own: FILE.py:CLASS. Of other libraries: openspiel:breakthrough, "
    "easyai:FILE.py:CLASS, python-chess. `prunus games` lists the games."
)

Game = Annotated[str, typer.Argument(help=GAME_HELP, show_default=False)]


class Backend(StrEnum):
    """How a search runs."""

    auto = "auto"
    compiled = "compiled"
    interpreted = "interpreted"


RUN_HELP = (
    "compiled: wait for machine code, or fail; interpreted: plain Python; auto: compiled if "
    "possible, but a search of up to 2,000 nodes is interpreted while nothing is compiled."
)

Run = Annotated[Backend, typer.Option(help=RUN_HELP)]
