"""What a browser may send: each field has its type and its maximum (`maxima.py`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from prunus.studio import maxima

Name = Annotated[str, Field(min_length=1, max_length=maxima.NAME)]
Text = Annotated[str, Field(max_length=maxima.GAME)]
Level = Annotated[int, Field(ge=1, le=10)]
Left = Annotated[float, Field(ge=0, le=maxima.LEFT)]
Increment = Annotated[float, Field(ge=0, le=maxima.INCREMENT)]
MOST_ID = 2**31
Depth = Annotated[int, Field(ge=0, le=maxima.DEPTH)]


class Strict(BaseModel):
    """A message without fields that nobody knows, and without numbers written as texts."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Place(Strict):
    """A position: the game, a position of it as text, and the moves made from there."""

    game: Annotated[str, Field(min_length=1, max_length=maxima.GAME)]
    position: Annotated[str, Field(max_length=maxima.POSITION)] = ""
    moves: Annotated[list[Name], Field(max_length=maxima.MOVES)] = []


class InDatabase(Strict):
    """A position of a database: one of its game as text (empty: the database's start), and the
    moves made from there."""

    database: Annotated[str, Field(min_length=1, max_length=maxima.GAME)]
    position: Annotated[str, Field(max_length=maxima.POSITION)] = ""
    moves: Annotated[list[Name], Field(max_length=maxima.MOVES)] = []


class Clock(Strict):
    """The clocks of a game: minutes for each player, seconds that a move adds, the seconds left to
    the first and the second player, and whose time is up."""

    minutes: Annotated[float, Field(gt=0, le=maxima.MINUTES)]
    increment: Increment = 0.0
    left: Annotated[list[Left], Field(min_length=2, max_length=2)]
    flag: Literal[0, 1] | None = None


class Time(Strict):
    """The seconds on the clock of the player to move, and those that a move adds."""

    left: Left
    increment: Increment = 0.0


class Record(Place):
    """A game as it is saved: also who plays it, at which level the computer does, and the
    clocks."""

    prunus: Literal["game"] = "game"
    who: Literal["first", "second", "two", "none"] = "two"
    level: Level = 5
    clock: Clock | None = None


class Saving(Strict):
    """A game to be written as a text."""

    record: Record
    form: Literal["json", "pgn"] = "json"


class Saved(Strict):
    """A text to be read as a game."""

    text: Annotated[str, Field(max_length=maxima.TEXT)]


class Job(Strict):
    """A search; `id` stands in each answer to it."""

    id: Annotated[int, Field(ge=0, le=MOST_ID)]


class Stop(Job):
    """End the search that has this id."""

    do: Literal["stop"]


class Move(Job):
    """The move of the computer at this level; with a clock, it takes a part of its time at
    most."""

    do: Literal["move"]
    place: Place
    level: Level
    clock: Time | None = None


class Values(Job):
    """The values of all actions, as well as they are known after so many seconds."""

    do: Literal["values"]
    place: Place
    seconds: Annotated[float, Field(gt=0, le=maxima.HINT)] = 1.0


class Review(Job):
    """What each move of a game has lost, found within so many seconds for all of them."""

    do: Literal["review"]
    place: Place
    seconds: Annotated[float, Field(gt=0, le=maxima.REVIEW)] = 30.0


class Analyse(Job):
    """A search, told iteration by iteration. Without `depth` it goes on until it has proved the
    value. `lines`: so many of the best actions are told, each with its value and its line.
    `options`: those of the engine, by the name of a variant."""

    do: Literal["analyse"]
    place: Place
    algorithm: Name = "engine"
    depth: Depth | None = None
    seconds: Annotated[float, Field(gt=0, le=maxima.SECONDS)] = 10.0
    lines: Annotated[int, Field(ge=1, le=maxima.LINES)] = 1
    options: Literal["usual", "unordered", "playing"] = "usual"


class Watch(Job):
    """A search to be stepped through: of a tree (nested lists, leaves for MAX), or of a position
    of a game."""

    do: Literal["watch"]
    place: Place | None = None
    tree: list[JsonValue] | None = None
    algorithm: Name = "alphabeta"
    depth: Depth | None = None


class Experiment(Job):
    """A run of an experiment of the laboratory: the rows with these values of its parameters, so
    many samples of each (None: as the experiment has them), drawn by this seed."""

    do: Literal["experiment"]
    name: Name
    values: Annotated[
        dict[Name, Annotated[list[int | float | Text], Field(max_length=maxima.LAB_VALUES)]],
        Field(max_length=maxima.LAB_PARAMETERS),
    ] = {}
    samples: Annotated[int, Field(ge=2, le=maxima.LAB_SAMPLES)] | None = None
    seed: Annotated[int, Field(ge=0, le=MOST_ID)] = 0


class Tally(Job):
    """How many positions of a database there are of each value."""

    do: Literal["tally"]
    database: Annotated[str, Field(min_length=1, max_length=maxima.GAME)]


class Find(Job):
    """Some positions of a database that are this for the player to move: in so many plies, or of
    this score; without the first `skip` of them."""

    do: Literal["find"]
    database: Annotated[str, Field(min_length=1, max_length=maxima.GAME)]
    outcome: Literal["won", "drawn", "lost"]
    number: Annotated[int, Field(ge=-(2**15), lt=2**14)] | None = None
    skip: Annotated[int, Field(ge=0, le=2**40)] = 0


Search = Move | Values | Review | Analyse | Watch | Experiment | Tally | Find
"""What takes a slot."""

Request = Annotated[Stop | Search, Field(discriminator="do")]

REQUESTS: TypeAdapter[Stop | Search] = TypeAdapter(Request)
"""Reads a message of a WebSocket."""


class Quiz(BaseModel):
    """A random tree, as the query of an address: `degree` children of each node, leaves at
    `depth`, values from 0 to `values`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: Annotated[int, Field(ge=0, le=MOST_ID)] = 1
    degree: Annotated[int, Field(ge=2, le=4)] = 3
    depth: Annotated[int, Field(ge=2, le=4)] = 2
    values: Annotated[int, Field(ge=2, le=99)] = 9
