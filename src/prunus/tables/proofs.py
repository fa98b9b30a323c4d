"""The table of proofs: the bounds that searches to the end of the game have found for the values of
positions.

An entry is two words of `proofs`: a check word and the facts. The facts are both bounds (16 bits
each), the effort (the number of binary digits of its node count) and the generation (see `words`).
The check word is the key combined with the facts, so that an entry half written by
another thread does not verify (Hyatt & Mann 2002). Four entries fill a cache line and make a
bucket; in a full bucket the entry of least effort gives way. Nothing here depends on a depth or a
window: once proved, a bound holds for ever. If keys do not tell all positions apart, the whole
State lies in `proof_state` and is compared. If two threads write positions with the same key into
one slot at the same moment, one might still be taken for the other; with keys that collide as
rarely as 64-bit hashes that is next to impossible.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from prunus.core.bits import i16, i64, u64
from prunus.core.memory import StateArray, WordArray
from prunus.core.state import StateLayout, is_machine_state
from prunus.kernel.memory import Spec
from prunus.tables.words import GENERATION_BIT, Words, bucket_of, homes_of

SEAL: Final = u64(0x9E3779B97F4A7C15)
"""Spreads the facts over the check word: the keys of a bucket may differ by as little as facts
do."""

WORDS: Final = 2
WAYS: Final = 4
LOWEST, HIGHEST = -(1 << 15), (1 << 15) - 1
"""The bounds of an entry that knows nothing on that side; values of games that use the table lie
strictly between."""


class Interval(NamedTuple):
    """The proved bounds of a value: it is at least `low` and at most `high`."""

    low: int
    high: int


class ProofTable:
    """The arrays of a table of at most `megabytes` for States like `state`; `exact_key` says
    whether their keys are one-to-one."""

    def __init__(self, megabytes: float, state: object, exact_key: bool, verified: bool) -> None:
        self.verified = verified and not exact_key
        size = 8 * WORDS + (
            StateLayout(state).size if self.verified and is_machine_state(state) else 0
        )
        entries = max(WAYS, int(megabytes * (1 << 20)) // size // WAYS * WAYS)
        self.words = Words(WORDS * entries)
        count = entries if self.verified else 0
        self.states = homes_of(count, state)

    def fields(self) -> Spec:
        """The fields of a Memory that works with this table."""
        return {"proofs": self.words, "proof_state": self.states, "verified": self.verified}

    def clear(self) -> None:
        """Forget everything."""
        self.words.forget()

    def fill(self) -> float:
        """The fraction of the entries in use, from a sample."""
        return self.words.used(1, WORDS)


def first_slot(key: int, memory: ProofMemory) -> int:
    """The first slot of a key's bucket."""
    return WAYS * bucket_of(key, len(memory.proofs), WORDS * WAYS)


def fetch(key: int, memory: ProofMemory) -> None:
    """Prefetch the bucket of a key that will soon be needed."""
    memory.proofs.prefetch(WORDS * first_slot(key, memory))


def recall(home: object, key: int, memory: ProofMemory) -> Interval:
    """The proved bounds of the State `home`, with key `key`."""
    first = first_slot(key, memory)
    generation = memory.proofs[len(memory.proofs) - 1]
    for slot in range(first, first + WAYS):
        facts = memory.proofs[WORDS * slot + 1]
        if (
            memory.proofs[WORDS * slot] ^ facts * SEAL == key
            and facts >> GENERATION_BIT == generation
        ):
            if memory.verified and memory.proof_state[slot] != home:
                continue
            return Interval(i64(i16(facts)), i64(i16(facts >> 16)))
    return Interval(LOWEST, HIGHEST)


def keep(home: object, key: int, low: int, high: int, effort: int, memory: ProofMemory) -> None:
    """Remember bounds of a State's value (LOWEST or HIGHEST if there is none), combined with those
    already known."""
    first = first_slot(key, memory)
    generation = memory.proofs[len(memory.proofs) - 1]
    chosen = first
    least = 1 << 30
    for slot in range(first, first + WAYS):
        facts = memory.proofs[WORDS * slot + 1]
        if facts >> GENERATION_BIT != generation:
            cost = 0
        elif memory.proofs[WORDS * slot] ^ facts * SEAL == key and (
            not memory.verified or memory.proof_state[slot] == home
        ):
            low = max(low, i64(i16(facts)))
            high = min(high, i64(i16(facts >> 16)))
            effort = max(effort, i64((facts >> 32) & 255))
            chosen = slot
            break
        else:
            cost = 1 + i64((facts >> 32) & 255)
        if cost <= least:
            least = cost
            chosen = slot
    facts = (
        (u64(low) & 0xFFFF)
        | (u64(high) & 0xFFFF) << 16
        | u64(effort) << 32
        | generation << GENERATION_BIT
    )
    if memory.verified:
        memory.proof_state[chosen] = home
    memory.proofs[WORDS * chosen] = key ^ facts * SEAL
    memory.proofs[WORDS * chosen + 1] = facts


class ProofMemory(Protocol):
    """A memory with a table of proofs (`ProofTable.fields`)."""

    proofs: WordArray
    proof_state: StateArray
    verified: bool
