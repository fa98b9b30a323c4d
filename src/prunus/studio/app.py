"""The studio as an ASGI application: a few requests for what stands still, and one WebSocket for
searches."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Final

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.middleware.gzip import GZipMiddleware

from prunus import __version__
from prunus.core.errors import PrunusError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.games.figures import FIGURES
from prunus.play.levels import LEVELS, RATINGS
from prunus.run.registry import ALGORITHMS
from prunus.run.watchable import STRICT, sources_named
from prunus.studio import laboratory, maxima
from prunus.studio.boards import described
from prunus.studio.client import Client, told
from prunus.studio.guard import HEADERS, Guard
from prunus.studio.known import known_of
from prunus.studio.messages import InDatabase, Place, Quiz, Saved, Saving
from prunus.studio.offer import Offer
from prunus.studio.record import has_pgn, read, write
from prunus.studio.slots import Slots
from prunus.studio.solved import Databases
from prunus.studio.tables import FORMS
from prunus.studio.trees import random_tree
from prunus.studio.turns import Turns
from prunus.studio.variants import VARIANTS
from prunus.theory.trees import nested_of, tree_of

STATIC: Final = Path(__file__).parent / "static"

FULL: Final = 1013
"""What a WebSocket is closed with, once it is open, if there are too many of them: of one that is
refused, a page is told no reason."""

MOVE: Final = 8
"""About so many characters a move has in the text of a game."""


def create_app(
    hosts: Container[str],
    served: Mapping[str, Game] | None = None,
    token: str = "",
    slots: int = maxima.SLOTS,
    waiting: int = maxima.WAITING,
    databases: Databases | None = None,
) -> FastAPI:
    """The application. `hosts`: what the header Host may say. `served`: games of the user's own, by
    the names under which they are offered. `token`: see `Guard`. `slots`, `waiting`: see
    `Slots`. `databases`: those that the page may look into."""
    app = FastAPI(title="Prunus studio", version=__version__, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=500)
    app.add_middleware(Guard, hosts=hosts, token=token)
    offer, queue = Offer(served, databases), Slots(slots, waiting)
    reviews = Slots(max(1, slots - 2), waiting)
    app.state.slots, app.state.offer = queue, offer
    app.add_exception_handler(PrunusError, _refused)
    app.add_exception_handler(ValueError, _refused)
    app.add_exception_handler(Exception, _failed)
    turns = Turns(maxima.TURNS, maxima.TURNS_WAITING)
    _add_reading(app, offer)
    _add_positions(app, offer, turns)
    _add_laboratory(app, offer)
    _add_databases(app, offer, turns)
    _add_socket(app, offer, queue, reviews)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


def _refused(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": told(error)}, 422)


def _failed(request: Request, error: Exception) -> JSONResponse:
    """A rule of the user's own game may raise anything. This answer does not pass the guard."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}
    return JSONResponse({"error": told(error)}, 500, headers)


def _add_reading(app: FastAPI, offer: Offer) -> None:
    """The requests that neither search nor play."""

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> FileResponse:
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/api/offer")
    def what_there_is() -> Json:
        """The games, figures, levels, algorithms and databases."""
        return everything(offer)

    @app.get("/api/quiz")
    def quiz(asked: Annotated[Quiz, Query()]) -> Json:
        """The random tree of an exercise."""
        return {"tree": random_tree(asked)}

    @app.get("/api/source/{name}")
    def source(name: str) -> Json:
        """The files of an algorithm, and the name of the one with its entrance."""
        files = sources_named(name)
        return {"files": files, "first": next(iter(files))}


def _add_positions(app: FastAPI, offer: Offer, turns: Turns) -> None:
    """The requests that play through moves."""

    @app.post("/api/position")
    async def position(place: Place) -> Json:
        """The position after the moves: its board, and the actions with their places on it."""
        return await turns.run(len(place.moves), lambda: described(*offer.position(place)))

    @app.post("/api/write")
    async def writing(asked: Saving) -> Json:
        """A game as a text."""
        work = partial(write, asked.record, asked.form, offer)
        return await turns.run(len(asked.record.moves), work)

    @app.post("/api/read")
    async def reading(saved: Saved) -> Json:
        """The game that a text describes."""
        return await turns.run(len(saved.text) // MOVE, partial(read, saved.text, offer))


def _add_laboratory(app: FastAPI, offer: Offer) -> None:
    """The experiments, and the tables that were measured."""

    @app.get("/api/experiments")
    def experiments() -> list[Json]:
        """The names, titles and sources of the laboratory's experiments."""
        return laboratory.listed()

    @app.get("/api/experiments/{name}")
    def experiment(name: str) -> Json:
        """What an experiment says, its parameters, rows and figure."""
        return laboratory.detailed(name)

    @app.get("/api/tables/{key}/{form}")
    def table(key: str, form: str) -> Response:
        """A table that was measured, as a file: csv, json, or parquet."""
        name, contents = offer.tables.file(key, form)
        header = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(contents, media_type=FORMS[form], headers=header)


def _add_databases(app: FastAPI, offer: Offer, turns: Turns) -> None:
    """The positions of the databases, and what is known without a search."""

    @app.post("/api/known")
    async def known(place: Place) -> list[Json]:
        """What the book and the databases know of a position."""
        return await turns.run(
            len(place.moves), lambda: known_of(*offer.last(place), offer.databases)
        )

    @app.post("/api/database")
    async def look(asked: InDatabase) -> Json:
        """A position of a database with the value of every move."""
        opened = offer.databases.named(asked.database)
        return await turns.run(len(asked.moves), partial(opened.look, asked))


def everything(offer: Offer) -> Json:
    """The games, figures, levels, algorithms and databases, as data."""
    return {
        "databases": offer.databases.listed(),
        "version": __version__,
        "games": offer.listed(),
        "figures": {name: _nested(name) for name in FIGURES},
        "variants": list(VARIANTS),
        "levels": len(LEVELS),
        "pgn": has_pgn(),
        "ratings": {name: list(ratings) for name, ratings in RATINGS.items()},
        "algorithms": [
            {
                "name": each.name,
                "summary": each.summary,
                "source": each.source,
                "deepens": each.deepens,
                "apart": each.apart,
                "traced": each.watch is not None,
                "searches": each is not STRICT,
                "options": each.options,
            }
            for each in (*ALGORITHMS.values(), STRICT)
        ],
    }


def _nested(name: str) -> object:
    return nested_of(tree_of(FIGURES[name]().tree))


def _add_socket(app: FastAPI, offer: Offer, slots: Slots, reviews: Slots) -> None:
    clients: set[Client] = set()

    @app.websocket("/ws")
    async def searches(socket: WebSocket) -> None:
        await socket.accept()
        if len(clients) >= maxima.CLIENTS:
            await socket.close(FULL)
            return
        client = Client(socket, offer, slots, reviews)
        clients.add(client)
        try:
            await client.serve()
        finally:
            clients.discard(client)
