"""Positions as descriptions that a page draws: cells, piles, holes, or the game's own text; and
where on it each action is made."""

from __future__ import annotations

import re
from typing import Final

from prunus.algorithms.repetition import allowed_actions, final_value, is_over
from prunus.core.drawing import LOOKS
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.core.rules import PositionError
from prunus.play.turns import to_move_after

LARGEST: Final = 40
"""The most rows, and the most cells of a row, of a picture of a game's own."""

MOST: Final = 255
"""The most objects of a pile, and counters of a hole, that are drawn."""

CELL: Final = re.compile(r"([a-z])([0-9]{1,2})")
PART: Final = re.compile("[0-9]{1,3}:[0-9]{1,3}")


def described(game: Game, positions: list[Position], actions: list[int]) -> Json:
    """Everything that a page shows of the last of some positions, each of which followed from the
    one before by an action. `last`, `by`: where the last action was made, and by whom. `tallest`:
    the largest pile of the first position, which keeps the board as large as it was."""
    position = positions[-1]
    over = is_over(game, position.path)
    mover = mover_of(game, positions)
    told: Json = {
        "title": game.title(),
        "text": game.format(position.state),
        "board": board(game, position.state),
        "mover": mover,
        "over": over,
        "winner": None,
        "scale": scale_of(game, positions[0].state),
        "players": game.players,
        "actions": [] if over else actions_of(game, position),
        "last": [],
    }
    if over and game.players == 2:
        value = final_value(game, position.path)
        told["winner"] = None if value == 0 else mover if value > 0 else 1 - mover
        told["value"] = value
    if actions:
        before = positions[-2].state
        told["last"] = places(game, before, actions[-1])
        told["by"] = mover_of(game, positions[:-1])
    if told["board"]["kind"] == "piles":
        told["tallest"] = max(board(game, positions[0].state)["piles"])
    return told


def actions_of(game: Game, position: Position) -> list[Json]:
    """The actions of a position, with their names and places on the board."""
    state = position.state
    return [
        {"name": game.action_name(state, action), "places": places(game, state, action)}
        for action in allowed_actions(game, position.path)
    ]


def board(game: Game, state: object) -> Json:
    """The description of a board. `grid`: rows and columns, and a character for each cell from the
    top left; with the look `points`, a blank where no point is, and the pairs of cells that `lines`
    join; with the look `own`, what the game's `picture` says. `piles`: the numbers of objects.
    `sowing`: both players' holes and stores (None: there are none), and the lead of the player to
    move where stores do not show it. `text`: the game's own text. A `note` is written below."""
    text = game.format(state)
    rows = _pictured(game, state)
    if rows:
        noted = {"note": text} if type(game).format is not Game.format else {}
        return {**_grid(rows, "own"), "cells": "".join(rows), **noted}
    look = _look(game)
    if look == "piles":
        return {"kind": "piles", "piles": _numbers(game, text.partition(" ")[0])}
    if look == "sowing":
        return _sowing(game, text)
    if look:
        return _drawn(game, _rows(text))
    return {"kind": "text", "text": text}


def _pictured(game: Game, state: object) -> list[str]:
    """The rows of a game's own picture, all equally long; none if it has no picture. Raises
    PositionError."""
    return _even(game, re.split("[/\n]", game.picture(state).strip("/\n")))


def _even(game: Game, rows: list[str]) -> list[str]:
    """The rows of a picture, all equally long; none if they are empty. Raises PositionError."""
    longest = max(len(row) for row in rows)
    if longest > LARGEST or len(rows) > LARGEST:
        raise PositionError(
            f"the picture of {game.title()} has {len(rows)} rows of up to {longest} cells; at most "
            f"{LARGEST} are drawn"
        )
    return [row.ljust(longest) for row in rows] if longest else []


def _clicked(game: Game, state: object, action: int, rows: list[str]) -> list[int]:
    """The cells of a game's own picture where an action is made."""
    cells = [int(cell) for cell in game.clicks(state, action)]
    outside = [cell for cell in cells if not 0 <= cell < len(rows) * len(rows[0])]
    if outside:
        raise PositionError(
            f"clicks({game.format(state)}, {action}) of {game.title()} names the cell "
            f"{outside[0]}; the cells of its picture are 0 to {len(rows) * len(rows[0]) - 1}"
        )
    return cells


def _look(game: Game) -> str:
    """How a game says that it is drawn; empty if it says nothing that is known."""
    return game.drawn_as if isinstance(game.drawn_as, str) and game.drawn_as in LOOKS else ""


def _numbers(game: Game, text: str) -> list[int]:
    """The numbers of a text, with commas between them. Raises PositionError."""
    found = [int(word) if word.isascii() and word.isdecimal() else -1 for word in text.split(",")]
    if not all(0 <= number <= MOST for number in found):
        raise PositionError(
            f"{game.title()} is drawn as {game.drawn_as}, but {text!r} are not numbers from 0 to "
            f"{MOST} with commas between them"
        )
    return found


def _drawn(game: Game, rows: list[str]) -> Json:
    """The rows of a game's text as its look has them."""
    look = game.drawn_as
    if look == "chess":
        rows = [re.sub("[0-9]+", lambda n: "." * int(n[0]), row) for row in rows]
    if look == "draughts":
        rows = [row.replace("G", "X").replace("F", "O") for row in rows]
    if look == "points":
        blank = [row.replace("-", " ") for row in rows]
        return {**_grid(blank, look), "lines": _lines(game, len(blank) * len(blank[0]))}
    return _grid(_even(game, rows), look)


def _lines(game: Game, cells: int) -> list[list[int]]:
    """The pairs of so many cells that the lines of a board of points join. Raises PositionError."""
    found = [[int(one), int(other)] for one, other in game.drawn_lines()]
    outside = [cell for line in found for cell in line if not 0 <= cell < cells]
    if outside:
        raise PositionError(
            f"drawn_lines() of {game.title()} names the cell {outside[0]}; its cells are 0 to "
            f"{cells - 1}"
        )
    return found


def _rows(text: str) -> list[str]:
    return text.split(" ", maxsplit=1)[0].split("/")


def _grid(rows: list[str], look: str) -> Json:
    cells = "".join(rows)
    return {
        "kind": "grid",
        "look": look,
        "rows": len(rows),
        "columns": len(rows[0]),
        "cells": cells if look == "dots" else cells.replace("-", "."),
    }


def _sowing(game: Game, text: str) -> Json:
    """The holes of a game of sowing, and the stores or the lead that its text has."""
    first, second, *more = [*text.split(" "), ""][:3]
    sides = [side.partition(":") for side in (first, second)]
    told: Json = {
        "kind": "sowing",
        "holes": [_numbers(game, holes) for holes, _, _ in sides],
        "stores": None,
    }
    if len({len(holes) for holes in told["holes"]}) > 1:
        raise PositionError(f"the players of {game.title()} have rows of unequal length: {text!r}")
    if all(colon for _, colon, _ in sides):
        return {**told, "stores": [_numbers(game, store)[0] for _, _, store in sides]}
    lead = re.fullmatch("-?[0-9]{1,3}", "".join(more))
    return {**told, "lead": int(lead[0])} if lead else told


def places(game: Game, state: object, action: int) -> list[int]:
    """The cells where an action is made, numbered from the top left: one, or where a piece comes
    from and where it goes, and last the cell of a piece that is taken elsewhere; for piles the pile
    and the number of objects taken; for holes the player's hole."""
    name = game.action_name(state, action)
    pictured = _pictured(game, state)
    if pictured:
        return _clicked(game, state, action, pictured)
    look = _look(game)
    if look == "piles":
        return [int(part) for part in name.split(":")] if PART.fullmatch(name) else []
    if look == "sowing":
        return [int(name) - 1] if name.isascii() and name.isdecimal() else []
    return _named(game, state, action, name) if look else []


def _named(game: Game, state: object, action: int, name: str) -> list[int]:
    """The cells that the name of an action names."""
    drawn = _drawn(game, _rows(game.format(state)))
    cells, rows, columns = drawn["cells"], drawn["rows"], drawn["columns"]
    if game.drawn_as == "drop":
        column = range(int(name) - 1, len(cells), columns) if name.isdecimal() else ()
        found = [cell for cell in column if cells[cell] == "."][-1:]
    elif game.drawn_as == "chess":  # its rows are numbered from below
        named = CELL.findall(game.protocol_name(state, action))
        found = [(rows - int(row)) * columns + ord(letter) - ord("a") for letter, row in named]
    else:
        named = CELL.findall(name)
        found = [(int(row) - 1) * columns + ord(letter) - ord("a") for letter, row in named]
    if game.drawn_as == "tiles" and len(found) == 1:
        found.append(found[0] + (1 if game.format(state).endswith("H") else columns))
    return found if all(0 <= cell < len(cells) for cell in found) else []


def mover_of(game: Game, positions: list[Position]) -> int:
    """The player to move in the last of some positions that followed each other: 0 for the one who
    moves first in the game."""
    return to_move_after(game, positions[-1].state, len(positions) - 1)


def scale_of(game: Game, state: object) -> float:
    """What an advantage has to be to be a clear one, in a game that begins in this State."""
    if game.clear_lead:
        return float(game.clear_lead)
    if not game.has_bounds:
        return 10.0
    low, high = (abs(int(end)) for end in game.bounds(state))
    return max(1.0, max(low, high) / 3)
