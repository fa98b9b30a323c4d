"""Checking an opening book: its files, its order, and a random sample of its values."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from prunus.books.costly import searched
from prunus.books.work import Resources
from prunus.core.game import Game
from prunus.run.driver import solve
from prunus.tables.book import Book, Known, check_files
from prunus.tables.errors import BookError
from prunus.tables.transposition import TranspositionTable


def verify_book(
    book: Book,
    samples: int = 20,
    seed: int = 0,
    compile: bool | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> list[str]:
    """The faults of a book, one line each; nothing if it passes the tests: checksums, ascending
    keys, and random games. In these each position must have the value of its best child, and one at
    the book's last ply must have the value that a search without a book proves. In a book of costly
    positions, children that are not in it must cost no more than it says. A book from games has its
    positions compared with those one ply later, as far as they are in it, and a sample searched.
    `say` is called with a line for each sample: its number and the position."""
    wrong: list[str] = []
    try:
        check_files(book.folder, book.manifest)
    except BookError as error:
        wrong.append(str(error))
    keys = book.keys
    if not np.all(keys[1:] >= keys[:-1]) or (book.exact and not np.all(keys[1:] > keys[:-1])):
        wrong.append("the keys are not in ascending order")
    if not len(keys) == len(book.values) == len(book.best) == sum(book.manifest["positions"]):
        wrong.append(
            f"there are {len(keys)} keys, {len(book.values)} values and {len(book.best)} best "
            f"actions"
        )
        return wrong
    if "games" in book.manifest:
        return wrong or _wrong_of_games(book, samples, seed, compile, say)
    draw = random.Random(seed)  # noqa: S311 - a sample, not a secret
    table = TranspositionTable(256, book.game, book.game.initial())
    seen: set[object] = set()
    for number in range(1, samples + 1):
        path = _random_path(book, draw)
        say(f"{number} of {samples}: {book.game.format(path[-1])}")
        last = book.plies if "cost" in book.manifest else len(path) - 1
        for state in path[:last]:
            if state not in seen:
                seen.add(state)
                wrong += _wrong_step(book, state, compile)
        for state in path[last:]:
            wrong += _wrong_value(book, state, table, compile)
    return list(dict.fromkeys(wrong))


def _wrong_of_games(
    book: Book, samples: int, seed: int, compile: bool | None, say: Callable[[str], None]
) -> list[str]:
    """The faults of a book from games, whose files are whole."""
    states = _stored(book)
    if isinstance(states, str):
        return [states]
    wrong = [line for state in states for line in _wrong_worth(book, state)]
    table = TranspositionTable(256, book.game, book.game.initial())
    draw = random.Random(seed)  # noqa: S311 - a sample, not a secret
    chosen = draw.sample(states, min(samples, len(states)))
    for number, state in enumerate(chosen, 1):
        say(f"{number} of {len(chosen)}: {book.game.format(state)}")
        wrong += _wrong_value(book, state, table, compile)
    return list(dict.fromkeys(wrong))


def _stored(book: Book) -> list[object] | str:
    """The positions that a book stores; a text if they are not those of its keys."""
    game, rows = book.game, book.states
    if rows is None or rows.shape != (len(book), book.layout.size):
        return f"{book.folder / 'states.npy'} does not have a position for each key"
    buffer, states = memoryview(rows.tobytes()), []
    for number, key in enumerate(book.keys):
        state = book.layout.unpack(buffer, number)
        if game.key(state) != key or game.canonical(state) != state or game.is_terminal(state):
            return f"position {number} of states.npy is not that of its key"
        states.append(state)
    return states


def _wrong_worth(book: Book, state: object) -> list[str]:
    """The faults of a position as compared with those one ply later that are in the book."""
    game, known = book.game, _found(book, state)
    worths, missing = {}, 0
    for action in map(int, game.actions(state)):
        child = game.result(state, action)
        value = book.value(child)
        if value is None:
            missing += 1
        else:
            worths[action] = value if game.keeps_turn(state, child) else -value
    most = max(worths.values(), default=known.value)
    best = {action for action, worth in worths.items() if worth == known.value}
    named = set(known.best)
    if most > known.value or (not missing and most < known.value):
        return [
            f"{game.format(state)}: the book says {known.value}; its positions one ply later say "
            f"{most}"
        ]
    if not named or named & worths.keys() != best:
        return [f"{game.format(state)}: best {known.best}, but its positions one ply later differ"]
    return []


def _random_path(book: Book, draw: random.Random) -> list[object]:
    """The positions of a random game as long as they are in the book: at most one more than the
    book has plies."""
    game: Game = book.game
    path = [game.initial()]
    while len(path) <= book.plies:
        children = [game.result(path[-1], action) for action in game.actions(path[-1])]
        inside = [
            child
            for child in children
            if not game.is_terminal(child) and book.find(child) is not None
        ]
        if not inside:
            break
        path.append(draw.choice(inside))
    return path


def _found(book: Book, state: object) -> Known:
    known = book.find(state)
    if known is None:
        raise BookError(f"{book.game.format(state)} is not in the book")
    return known


def _wrong_step(book: Book, state: object, compile: bool | None) -> list[str]:
    """The faults of a position before the last ply, which must have the value of its best children
    and name them all."""
    game, known = book.game, _found(book, state)
    values = {}
    for action in map(int, game.actions(state)):
        child = game.result(state, action)
        value = book.value(child)
        if value is None:
            value = _searched(book, child, compile)
        if value is None:
            return [
                f"{game.format(state)}: the position after {game.action_name(state, action)} is "
                f"not in the book"
                + (" and costs more to search than it says" if "cost" in book.manifest else "")
            ]
        values[action] = value if game.keeps_turn(state, child) else -value
    best = tuple(action for action, value in values.items() if value == max(values.values()))
    if (known.value, known.best) == (max(values.values()), best):
        return []
    return [
        f"{game.format(state)}: the book says {known.value}, best {known.best}; its positions one "
        f"ply later say {max(values.values())}, best {best}"
    ]


def _searched(book: Book, state: object, compile: bool | None) -> int | None:
    """The value of a position that is not in a book of costly positions, found by a search that
    costs no more than the book says; None if it costs more, or if all positions should be in the
    book."""
    if "cost" not in book.manifest:
        return None
    cost = book.manifest["cost"]
    using = Resources(megabytes=cost["megabytes"], compile=compile)
    found = searched(book.game, book.game.canonical(state), cost["nodes"], using)
    if found is None:
        raise KeyboardInterrupt
    return found.value


def _wrong_value(
    book: Book, state: object, table: TranspositionTable, compile: bool | None
) -> list[str]:
    """The faults of a position whose value in the book a search must find too, also after the
    book's best action."""
    game, known = book.game, _found(book, state)
    found = solve(game, state, algorithm="engine", table=table, compile=compile, book=False)
    if found.interrupted:
        raise KeyboardInterrupt
    child = game.result(state, known.best[0])
    after = solve(game, child, algorithm="engine", table=table, compile=compile, book=False).value
    if after is not None and not game.keeps_turn(state, child):
        after = -after
    if (found.value, after) == (known.value, known.value):
        return []
    return [
        f"{game.format(state)}: the book says {known.value}, a search {found.value}, and {after} "
        f"after the book's action"
    ]
