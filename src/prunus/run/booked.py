"""Answers from an opening book or a database instead of a search."""

from __future__ import annotations

import time
from dataclasses import replace

from prunus.core.analysis import LATER, Analysis, Move, Statistics
from prunus.core.game import Game, S
from prunus.tables.book import Source


def booked(
    game: Game[S],
    state: S,
    position: str | None,
    book: Source,
    wanted: int = 1,
    every: bool = False,
) -> Analysis | None:
    """The answer of a book or a database for a position: the value, the best actions, and the line
    as far as it is known; if more than one value is asked for, also those of the `wanted` best root
    actions, or of all (`every`). The value is proved, but for one of a database in a game whose
    `timeless` leaves out what may end it. None if any of this is not known."""
    began, lookups = time.perf_counter(), book.lookups
    if game.is_terminal(state):
        return None
    known = book.find(state)
    if known is None:
        return None
    moves = _moves(game, state, book) if every or wanted > 1 else None
    if moves is None and (every or wanted > 1):
        return None
    if moves is not None and not every:
        moves = tuple(sorted(moves, key=lambda move: -move.value)[:wanted])
    line, end, sign = _line(game, state, book, known.best[0])
    work = Statistics(table_hits=book.lookups - lookups)
    text = LATER if position is None else position
    found = Analysis(
        game,
        state,
        text,
        book.name,
        "interpreted",
        known.value,
        "exact",
        not (book.name == "database" and game.has_timeless),
        known.best[0],
        known.best,
        line,
        moves=moves,
    )
    # What `timeless` leaves out may end the line before the database's win does.
    is_its_end = game.is_terminal(end) and sign * int(game.utility(end)) == known.value
    distance = len(line) if is_its_end else None
    return replace(
        found, distance=distance, statistics=replace(work, seconds=time.perf_counter() - began)
    )


def _moves(game: Game[S], state: S, book: Source) -> tuple[Move, ...] | None:
    """The values of all root actions; None if one leads out of the book."""
    moves = []
    for action in map(int, game.actions(state)):
        child = game.result(state, action)
        value = book.value(child)
        if value is None:
            return None
        moves.append(Move(action, value if game.keeps_turn(state, child) else -value))
    return tuple(moves)


def _line(game: Game[S], state: S, book: Source, first: int) -> tuple[tuple[int, ...], S, int]:
    """Best actions one after another, to the end of the game, one ply beyond what is known, or to a
    State that has been there before; the State after them, and 1 if the player to move there moved
    first, otherwise -1."""
    line, action, seen, sign = [first], first, {state}, 1
    while True:
        before, state = state, game.result(state, action)
        sign = sign if game.keeps_turn(before, state) else -sign
        if state in seen:
            break
        seen.add(state)
        following = None if game.is_terminal(state) else book.follow(state)
        if following is None:
            break
        action = following
        line.append(action)
    return tuple(line), state, sign
