"""The transposition table: what a search has learnt of a position, kept for the next visit.

An entry is four words of `table`: a check word, the value, the action and a word of facts (bound,
age, depth, and the generation, see `words`). The check word is the key combined with the other
three (`seal`), so that an entry half written by another thread does not verify (Hyatt & Mann 2002).
Two entries share a cache line and make a bucket: the first keeps the deeper search of the newer
age, the second the newest (two-tier replacement, Breuker, Uiterwijk & van den Herik 1994). If keys
do not tell all positions apart, the whole State lies in `table_state` and is compared, unless the
setting `verified` is off: then two positions with equal 64-bit keys are taken for one, which
happens to one of 2**64 pairs.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, Protocol

import numpy as np

from prunus.core.arrays import View
from prunus.core.bits import i64, u64
from prunus.core.errors import SearchError
from prunus.core.game import INFINITY, Game, S
from prunus.core.memory import StateArray, WordArray
from prunus.core.state import StateLayout, is_machine_state, key_is_exact, lengths_of
from prunus.kernel.code.rules import meaning_of
from prunus.kernel.columns import AnyView
from prunus.kernel.memory import Spec
from prunus.tables.proofs import ProofTable
from prunus.tables.words import GENERATION_BIT, HEADER, Words, bucket_of, homes_of

LOWER, UPPER, EXACT = 1, 2, 3
"""The relation of a stored value to the true one: at least, at most, equal."""

NO_ACTION: Final = -(1 << 62)

WORDS: Final = 4
WAYS: Final = 2
AGES: Final = 256

SEALS: Final = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0xABC98388FB8FAC03)
"""The factors of `seal`: odd numbers with about as many ones as zeros, without a pattern."""


class Entry(NamedTuple):
    """An entry for a position: `bound` (0: nothing), the `depth` of the search in plies, `value`,
    the best `action` (or NO_ACTION), and whether the value is `final`: it rests on finished games
    alone and holds at any depth. The value is for one `side` (0 or 1) to move, in searches that
    tell the sides apart."""

    bound: int
    depth: int
    value: int
    action: int
    final: int
    side: int


class TranspositionTable:
    """The arrays of a table of at most `megabytes` for States like `state`, which searches share
    and keep between moves. If the rules change in the meantime, the table forgets what it has
    learnt. In a game that is drawn by repetition, a value may rest on what was played before; a
    `loose` table keeps such values all the same from move to move, as playing programs do, and
    searches with it prove nothing in such a game. `learnt` is what else a player's searches keep
    from move to move, by the names of their fields."""

    def __init__(
        self,
        megabytes: float,
        game: Game,
        state: object,
        verified: bool = True,
        loose: bool = False,
    ) -> None:
        if not isinstance(megabytes, int | float) or not 0 <= megabytes < math.inf:
            raise SearchError(f"a table of {megabytes!r} megabytes: it must be a number, 0 or more")
        self.megabytes, self._verify, self.loose = megabytes, verified, loose
        self._make(game, state)

    def _make(self, game: Game[S], state: S) -> None:
        verified = self._verify
        self.exact_key = has_exact_key(game, state)
        self.verified = verified and not self.exact_key
        size = 8 * WORDS + (
            StateLayout(state).size if self.verified and is_machine_state(state) else 0
        )
        self.entries = max(WAYS, int(self.megabytes * (1 << 20)) // size // WAYS * WAYS)
        try:
            self.words = Words(WORDS * self.entries)
        except MemoryError:
            raise SearchError(
                f"there is no memory for a table of {self.megabytes:,.0f} megabytes"
            ) from None
        count = self.entries if self.verified else 0
        self.states = homes_of(count, state)
        self.age = 0
        self.learnt: dict[str, View] = {}
        self._proofs: ProofTable | None = None
        self._shape = (type(state), lengths_of(state)) if is_machine_state(state) else None
        self._served: tuple[object, ...] | None = None
        self._past: tuple[object, ...] = ()

    def serve(self, game: Game[S], state: S, past: tuple[S, ...] = ()) -> None:
        """Prepare for a search of `game` after the States of `past`. Entries made for another game,
        other rules or other data are forgotten; of entries made after another past, which a
        repetition may refer to, only the best actions stay, unless the table is `loose`."""
        meaning = meaning_of(game)
        if self._served is not None and self._served != meaning:
            self._make(game, state)
        elif self._past != past and not self.is_loose(game):
            self.forget_values()
        self._served, self._past = meaning, past

    def is_loose(self, game: Game) -> bool:
        """Whether values of this game may rest on another past than that of the search."""
        return self.loose and game.repetition == "draw"

    def rest(self) -> None:
        """The search is over, and nothing of it is wanted any more; the arrays stay for the next
        one (`take_over`)."""
        self._proofs = None

    def take_over(self, state: object) -> bool:
        """Be a new table for another search of the same game, where its States are of the same
        shape; otherwise False."""
        if not is_machine_state(state) or self._shape != (type(state), lengths_of(state)):
            return False
        self.words.forget()
        self.age = 0
        self._served, self._past = None, ()
        return True

    def proofs(self, form: Game[S], state: S) -> ProofTable:
        """The table of proofs that goes with this one, of the same size, made on first use for the
        form of the game that is solved and one of its States."""
        if self._proofs is None:
            exact = has_exact_key(form, state)
            self._proofs = ProofTable(self.megabytes, state, exact, self._verify)
        return self._proofs

    def views(self) -> dict[str, AnyView]:
        """The arrays that Memories share which work with this table."""
        return {"table": self.words, "table_state": self.states}

    def fields(self) -> Spec:
        """The fields of a Memory that works with this table."""
        return {**self.views(), "table_age": "i64", "verified": self.verified}

    def grow_older(self) -> None:
        """Begin a new search: entries of earlier ones are replaced first."""
        self.age = (self.age + 1) % AGES

    def clear(self) -> None:
        """Forget everything."""
        self.words.forget()
        self.learnt = {}
        if self._proofs is not None:
            self._proofs.clear()

    def forget_values(self) -> None:
        """Keep only the best action of every entry: the next search starts with the earlier one's
        order and finds its own values."""
        check, value, action, facts = (self.words.array[i:-HEADER:WORDS] for i in range(WORDS))
        used = facts >> GENERATION_BIT == self.words.generation
        key = check ^ (value * SEALS[0] + action * SEALS[1] + facts * SEALS[2])
        value[used] = np.array(-INFINITY).astype(np.uint64)
        facts[used] = LOWER | self.words.generation << GENERATION_BIT
        sealed = value * SEALS[0] + action * SEALS[1] + facts * SEALS[2]
        check[used] = (key ^ sealed)[used]

    def fill(self) -> float:
        """The fraction of the entries in use, from a sample."""
        return self.words.used(3, WORDS)


def has_exact_key(game: Game[S], state: S) -> bool:
    """Whether keys tell any two States of a game apart."""
    return game.exact_key or (type(game).key is Game.key and key_is_exact(state))


def first_slot(key: int, memory: TableMemory) -> int:
    """The first slot of a key's bucket."""
    return WAYS * bucket_of(key, len(memory.table), WORDS * WAYS)


def fetch(key: int, memory: TableMemory) -> None:
    """Prefetch the bucket of a key that will soon be needed."""
    memory.table.prefetch(WORDS * first_slot(key, memory))


def seal(value: u64, action: u64, facts: u64) -> u64:
    """What joins the words of an entry with its key. Words of two entries, written by two threads
    at once, fit neither key: each word is spread over 64 bits first, because keys, values and
    actions are often small numbers, whose plain differences could cancel out."""
    return value * u64(SEALS[0]) + action * u64(SEALS[1]) + facts * u64(SEALS[2])


def depth_of(facts: int) -> int:
    """The search depth that an entry with these facts records."""
    return (facts >> 16) & 0xFFFFFFFF


def probe(home: object, key: int, memory: TableMemory) -> Entry:
    """The entry for the State `home`, with key `key`."""
    first = first_slot(key, memory)
    generation = memory.table[len(memory.table) - 1]
    for slot in range(first, first + WAYS):
        at = WORDS * slot
        value = memory.table[at + 1]
        action = memory.table[at + 2]
        facts = memory.table[at + 3]
        if (
            memory.table[at] ^ seal(value, action, facts) == key
            and facts >> GENERATION_BIT == generation
        ):
            if memory.verified and memory.table_state[slot] != home:
                continue
            known = i64(facts)
            return Entry(
                known & 3,
                depth_of(known),
                i64(value),
                i64(action),
                (known >> 2) & 1,
                (known >> 3) & 1,
            )
    return Entry(0, 0, 0, NO_ACTION, 0, 0)


def store(home: object, key: int, entry: Entry, memory: TableMemory) -> None:
    """Remember an entry. An exact final value of the same State and side is never replaced by
    anything less."""
    first = first_slot(key, memory)
    slot = first + WAYS - 1
    generation = memory.table[len(memory.table) - 1]
    action = entry.action
    for candidate in range(first + WAYS - 1, first - 1, -1):
        at = WORDS * candidate
        known = memory.table[at + 3]
        facts = i64(known)
        absent = known >> GENERATION_BIT != generation
        found = memory.table[at] ^ seal(memory.table[at + 1], memory.table[at + 2], known)
        same = not absent and found == key
        if same and (not memory.verified or memory.table_state[candidate] == home):
            if facts & 15 == entry.side << 3 | 4 | EXACT and entry.final == 0:
                return
            if action == NO_ACTION:
                action = i64(memory.table[at + 2])
            slot = candidate
            break
        if candidate == first and (
            absent
            or (facts >> 8) & (AGES - 1) != memory.table_age
            or depth_of(facts) <= entry.depth
        ):
            slot = first
    at = WORDS * slot
    facts = i64(generation) << GENERATION_BIT | entry.depth << 16 | memory.table_age << 8
    facts |= entry.side << 3 | entry.final << 2 | entry.bound
    if memory.verified:
        memory.table_state[slot] = home
    memory.table[at] = key ^ seal(u64(entry.value), u64(action), u64(facts))
    memory.table[at + 1] = entry.value
    memory.table[at + 2] = action
    memory.table[at + 3] = facts


def bound_of(value: int, alpha: int, beta: int) -> int:
    """The bound (LOWER, UPPER or EXACT) that a value found with this window represents."""
    if value >= beta:
        return LOWER
    return UPPER if value <= alpha else EXACT


class TableMemory(Protocol):
    """A memory with a transposition table (`TranspositionTable.fields`)."""

    table: WordArray
    table_state: StateArray
    table_age: int
    verified: bool
