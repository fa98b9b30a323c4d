"""Checking a database: every position's value is computed again from those of its children.

For wins, draws and losses that is a proof. The distance of a win is one more than that of a lost
child, and so on to an end of the game; whoever is in a drawn position has an action to a drawn one,
and none that wins. In a database of scores of a game with cycles it is not: values could support
each other in a circle. What is checked is that none contradicts the others.
"""

from __future__ import annotations

from prunus.databases.consistency import SHOWN, check_position, noted, wrong_fields
from prunus.databases.folder import Database, check_files
from prunus.databases.labels import value_of
from prunus.databases.numbering import AT_ONCE, Watch
from prunus.databases.ranking import Ranked
from prunus.kernel.loops import for_each


def verify_database(
    database: Database, *, threads: int = 1, compile: bool | None = None, watch: Watch | None = None
) -> list[str]:
    """Check the files against their checksums and every position against its children. Returns what
    is wrong, in words: empty if nothing is. Raises DatabaseError for damaged files."""
    tell = watch or (lambda doing, number: None)
    tell("checking files", len(database))
    check_files(database.folder, database.manifest)
    tell("checking values", len(database))
    fields = {**database.positions.fields(), "labels": database.labels, "scored": database.scored}
    fields |= wrong_fields()
    memories = for_each(
        database.game,
        check_position,
        len(database),
        fields,
        threads=threads,
        step=AT_ONCE,
        compile=compile,
    )
    places = sorted(place for memory in memories for place in noted(memory))
    total = sum(memory.wrongs for memory in memories)
    wrong = [_told(database, place) for place in places[:SHOWN]]
    return [*wrong, f"... {total - SHOWN:,} more"] if total > SHOWN else wrong


def _told(database: Database, place: int) -> str:
    value = value_of(int(database.labels[place]), database.scored)
    positions = database.positions
    state = positions.state(place)
    if isinstance(positions, Ranked):
        number, rank = positions.number(place), int(database.game.rank(state))
        if rank != number:
            return f"{database.game.format(state)}: stored under {number}, but rank gives {rank}"
    told = database.game.format(state)
    return f"{told}: value {value} does not follow from the positions after it"
