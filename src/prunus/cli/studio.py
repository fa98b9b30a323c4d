"""The command `studio`: Prunus in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prunus.core.errors import PrunusError

app = typer.Typer()


class NotInstalled(PrunusError, ImportError):
    """A part that is installed separately is missing."""


@app.command(epilog="Examples: prunus studio; prunus studio my_game.py:MyGame --port 8000")
def studio(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="Games of your own to offer beside Prunus's: FILE.py:CLASS.", show_default=False
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")
    ] = 8472,
    host: Annotated[
        str,
        typer.Option(
            help="The address to listen on. Any but this machine's own needs a token, which is "
            "part of the address that is printed."
        ),
    ] = "127.0.0.1",
    database: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of `prunus db build` to browse in the room Solve; can be repeated.",
            show_default=False,
            metavar="FOLDER",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open the browser.")
    ] = False,
) -> None:
    """Play, analyse and see the search, in the browser.

    The server listens on this machine only, unless --host says otherwise, and the page asks nothing
    of any other. Needs pip install 'prunus[studio]'.
    """
    try:
        from prunus.studio.offer import served
        from prunus.studio.serve import serve
        from prunus.studio.solved import opened
    except ImportError as error:
        if (error.name or "").startswith("prunus"):
            raise
        raise NotInstalled(
            f"the studio needs {error.name}: install it with  pip install 'prunus[studio]'"
        ) from None
    databases = opened(database or [])
    serve(served(games or []), port, not no_browser, typer.echo, host, databases)
