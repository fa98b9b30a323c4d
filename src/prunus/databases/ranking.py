"""The positions of a game that numbers them itself (`rank_count`, `rank`, `unrank`).

The numbers of the positions that can be reached are marked as bits, and a position's place is the
number of marks before its own. So positions are found without storing, hashing or sorting States.
Of each position that any action leads to, it is made sure that its number lies in the range and
leads back to it. Then no two of them can have one number.

Beside each word of marks stands, while positions are enumerated, which of its positions have been
expanded: those whose children are all marked. These two words are all that is kept of an
enumeration, so that it can go on from any moment.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from prunus.core.arrays import View
from prunus.core.bits import bit_index, i64, lowest_bit, u64
from prunus.core.game import Game, S
from prunus.core.memory import Array, Counted, StateArray
from prunus.core.rules import Rules
from prunus.core.state import StateLayout
from prunus.databases.errors import DatabaseError
from prunus.databases.marks import (
    ABSENT,
    MarkingMemory,
    MarksMemory,
    count_marks,
    fetch_mark,
    is_marked,
    mark,
    marks_for,
    number_at,
    place_among,
)
from prunus.databases.numbering import (
    AT_ONCE,
    ENUMERATING,
    ListedMemory,
    NumberedMemory,
    Positions,
    Watch,
    expect_machine_state,
    look_up_listed,
    place_of,
    representative,
)
from prunus.kernel.columns import StateView
from prunus.kernel.loops import for_each
from prunus.kernel.memory import Memory, Spec

MOST_RANKS: Final = 1 << 40
"""The most numbers that a game may give its positions."""

RANKS: Final = "making room for ranks"
"""What is done before positions are marked; a `Watch` is told how many ranks there are."""

RANKS_HELD: Final = 64
"""The most ranks that are marked together."""

SAMPLED: Final = 64
"""The positions by which a database recognises the ranks of a game."""

Marks = NDArray[np.uint64]

KeepMarks = Callable[[Marks], None]
"""Is given the marks so far, which go on changing."""


def rank_count_of(game: Game) -> int:
    """The number of ranks of a game; 0 if it does not number its positions. Raises DatabaseError
    if it says so wrongly."""
    count = type(game).rank_count(game)
    try:
        count = operator.index(count)
    except TypeError:
        raise DatabaseError(f"rank_count gives {count!r}, which is not an integer") from None
    if not 0 <= count <= MOST_RANKS:
        raise DatabaseError(f"rank_count gives {count:,}; 0 ... {MOST_RANKS:,} are possible")
    lacking = [n for n in ("rank", "unrank") if getattr(type(game), n) is getattr(Rules, n)]
    if count and lacking:
        raise DatabaseError(
            f"{game.title()} has a rank_count, {count:,}, but no {' and no '.join(lacking)}"
        )
    return count


class Ranked(Positions[S]):
    """The positions that can be reached from `start`, or all, in the order of their ranks."""

    stored = ("marks", "hints")

    def __init__(
        self, game: Game[S], start: S, ranks: int, marks: View, hints: View, count: int
    ) -> None:
        self.game, self.start = game, start
        self.ranks, self.marks, self.hints, self.count = ranks, marks, hints, count
        self._memory = Memory(self.fields())

    def __len__(self) -> int:
        return self.count

    def fields(self) -> Spec:
        return {
            "ranked": True,
            "dense": self.count == self.ranks,
            "ranks": self.ranks,
            "marks": self.marks,
            "hints": self.hints,
        }

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        hints = self.hints.array.astype(np.int64, copy=False)
        return {"marks": self.marks.array, "hints": hints}

    def place(self, state: S) -> int:
        return find_place(self.game, representative(self.game, state), self._memory)

    def state(self, place: int) -> S:
        return state_at(self.game, place, self._memory)

    def number(self, place: int) -> int:
        """The rank of the position at a place."""
        return number_at(place, self._memory)

    def fingerprint(self) -> str:
        """A digest of some of the positions and their ranks. Other ranks have another one, unless
        they differ in few positions."""
        places = np.linspace(0, self.count - 1, min(SAMPLED, self.count)).astype(np.int64)
        layout = StateLayout(self.start)
        states = StateView(len(places), layout, np.zeros(len(places) * layout.size // 8, np.uint64))
        for item, place in enumerate(places.tolist()):
            states[item] = self.state(place)
        numbers = np.array([self.number(place) for place in places.tolist()], np.int64)
        return hashlib.sha256(numbers.tobytes() + states.array.tobytes()).hexdigest()


def by_words(positions: Positions) -> bool:
    """Whether the positions can be gone through by the words of their marks: they have ranks, with
    gaps. Then no place has to be looked for."""
    return isinstance(positions, Ranked) and positions.count < positions.ranks


def word_count(positions: Positions) -> int:
    """The number of these words."""
    assert isinstance(positions, Ranked)
    return len(positions.marks) // 2


def find_place(game: Game[S], home: S, memory: PlacesMemory) -> int:
    """The place of a position, given as its representative; ABSENT if it was not enumerated."""
    if memory.ranked:
        number = i64(game.rank(home))
        if number < 0 or number >= memory.ranks:
            return ABSENT
        place = number if memory.dense else place_among(number, memory)
        return place if place != ABSENT and game.unrank(number) == home else ABSENT
    return place_of(home, game.key(home), memory)


def known_place(game: Game[S], home: S, memory: PlacesMemory) -> int:
    """The same for a position that has certainly been enumerated."""
    if memory.ranked:
        number = i64(game.rank(home))
        return number if memory.dense else place_among(number, memory)
    return place_of(home, game.key(home), memory)


def look_up(game: Game[S], count: int, memory: LookingMemory) -> None:
    """Note in `places` where the first `count` of the `homes` are, which are representatives;
    ABSENT for one that was not enumerated. All are looked up together, because memory can serve
    several reads at a time if none has to wait for another. A rank is taken at its word: see
    `is_at`."""
    if not memory.ranked:
        look_up_listed(game, count, memory)
        return
    for i in range(count):
        number = i64(game.rank(memory.homes[i]))
        if 0 <= number < memory.ranks:
            if not memory.dense:
                fetch_mark(number, memory)
            memory.numbers[i] = number
        else:
            memory.numbers[i] = ABSENT
    for i in range(count):
        number = memory.numbers[i]
        is_place = memory.dense or number == ABSENT
        memory.places[i] = number if is_place else place_among(number, memory)


def is_at(game: Game[S], item: int, memory: LookingMemory) -> bool:
    """Whether what was looked up, and found to have a place, is what was enumerated there. A game
    may give what was not enumerated any number."""
    return not memory.ranked or game.unrank(memory.numbers[item]) == memory.homes[item]


def state_at(game: Game[S], place: int, memory: PlacesMemory) -> S:
    """The position at a place."""
    if memory.ranked:
        return game.unrank(place if memory.dense else number_at(place, memory))
    state: S = memory.states[place]
    return state


def rank_positions(
    game: Game[S],
    start: S | None = None,
    *,
    threads: int = 1,
    compile: bool | None = None,
    watch: Watch | None = None,
    found: Marks | None = None,
    keep: KeepMarks | None = None,
) -> Ranked[S]:
    """Enumerate the positions of a game that numbers them: those that can be reached from `start`
    or, if none is given, from the game's own; then, in a game of which `every_rank` is true, all.
    Go on from the marks `found` before, which are changed, unless the game has another number of
    ranks now. `keep` is called from time to time. Raises DatabaseError if `rank` gives a position a
    number outside the range, or one from which `unrank` does not return to it. In a game with
    `every_rank` and `layer`, those that actions lead to are not looked at here, but when its layers
    are solved (`layers.by_layers`)."""
    game.freeze()
    tell = watch or (lambda doing, number: None)
    first = representative(game, game.initial() if start is None else start)
    expect_machine_state(game, first)
    ranks = rank_count_of(game)
    tell(RANKS, ranks)
    if found is None or len(found) != marks_for(ranks):
        found = np.zeros(marks_for(ranks), np.uint64)
    marks = View(found)
    fields: Spec = {
        "marks": marks,
        "ranks": ranks,
        "wrong": ("state", 1),
        **dict.fromkeys(("is_wrong", "new"), "i64"),
        "numbers": ("i64", RANKS_HELD),
    }
    memory = Memory(fields, prototype=first)
    mark_held(note(game, first, 0, memory), memory)
    _expect_inverse(game, memory)
    every = start is None and game.every_rank
    if every:
        _each_word(game, mark_word, fields, threads, compile)
    total = int(np.bitwise_count(marks.array[0::2]).sum(dtype=np.int64))
    new = 0 if every and game.has_layer else 1
    while new:
        if keep is not None:
            keep(marks.array)
        tell(ENUMERATING, total)
        new = _each_word(game, expand_word, fields, threads, compile)
        total += new
    count, hints = count_marks(marks.array)
    return Ranked(game, first, ranks, marks, View(hints), count)


def _each_word(
    game: Game, body: Callable[..., object], fields: Spec, threads: int, compile: bool | None
) -> int:
    """Call this for each word of the marks; return how many positions are new."""
    count = len(cast("View", fields["marks"])) // 2
    memories = for_each(game, body, count, fields, threads=threads, step=AT_ONCE, compile=compile)
    for memory in memories:
        _expect_inverse(game, memory)
    return sum(memory.new for memory in memories)


def expand_word(game: Game, index: int, memory: ExpandingMemory) -> None:
    """Mark the children of the positions of a word that are marked and have not been expanded."""
    todo = memory.marks.atomic_load(2 * index) & ~memory.marks[2 * index + 1]
    left = todo
    held = 0
    while left:
        bit = lowest_bit(left)
        left ^= bit
        state = game.unrank(64 * index + bit_index(bit))
        memory.nodes += 1
        if not game.is_terminal(state):
            for action in game.actions(state):
                if held == RANKS_HELD:
                    held = mark_held(held, memory)
                held = note(game, representative(game, game.result(state, action)), held, memory)
    mark_held(held, memory)
    # Not before their children are marked: whoever goes on from here does not expand them again.
    memory.marks[2 * index + 1] |= todo


def mark_word(game: Game, index: int, memory: ExpandingMemory) -> None:
    """Mark all numbers of a word that are positions, each of which must be that of the position it
    leads to."""
    word = u64(0)
    for number in range(64 * index, min(64 * index + 64, memory.ranks)):
        if not game.is_position(number):
            continue
        state = game.unrank(number)
        if i64(game.rank(state)) != number or not representative(game, state) == state:  # noqa: SIM201
            memory.wrong[0] = state
            memory.is_wrong = 1 + number
        word |= u64(1) << (number & 63)
    memory.marks[2 * index] = word


def note(game: Game[S], home: S, held: int, memory: ExpandingMemory) -> int:
    """Hold the rank of a position beside those `held`, to be marked with them, if it is a rank and
    leads back to it; return how many are held now."""
    number = i64(game.rank(home))
    if number < 0 or number >= memory.ranks or not game.unrank(number) == home:  # noqa: SIM201
        memory.wrong[0] = home
        memory.is_wrong = 1
        return held
    fetch_mark(number, memory)
    memory.numbers[held] = number
    return held + 1


def mark_held(held: int, memory: ExpandingMemory) -> int:
    """Mark so many ranks that are held; return 0, the number of those held afterwards. First it is
    seen which of them are marked already, as most are: memory can serve these reads at a time, none
    of which has to wait for another."""
    left = 0
    for item in range(held):
        number = memory.numbers[item]
        memory.numbers[left] = number
        if not is_marked(number, memory):
            left += 1
    for item in range(left):
        if mark(memory.numbers[item], memory):
            memory.new += 1
    return 0


def _expect_inverse(game: Game, memory: ExpandingMemory) -> None:
    """Raises DatabaseError if a position was noted as wrong."""
    if not memory.is_wrong:
        return
    state = memory.wrong[0]
    wrong = wrong_rank(game, state) or (
        f"every_rank promises a position for each number, but unrank({memory.is_wrong - 1}) is "
        f"{game.format(state)}, whose number is {int(game.rank(state))}, or which stands for "
        f"another position"
    )
    raise DatabaseError(f"{game.title()}: {wrong}")


def wrong_rank(game: Game[S], state: S) -> str:
    """What is wrong with the rank of a position, given as its representative; empty if nothing
    is."""
    number, count = int(game.rank(state)), rank_count_of(game)
    if not 0 <= number < count:
        return f"rank gives {number} for {game.format(state)}, outside 0 ... {count - 1}"
    other = game.unrank(number)
    if other == state:
        return ""
    return (
        f"rank gives {number} for {game.format(state)}, but unrank({number}) is "
        f"{game.format(other)}: each position needs a number of its own that leads back to it"
    )


class PlacesMemory(NumberedMemory, MarksMemory, Protocol):
    """A memory of listed or of ranked positions: it has the fields of one of them. If all ranks are
    positions (`dense`), they are the places."""

    ranked: bool
    dense: bool
    ranks: int


class LookingMemory(PlacesMemory, ListedMemory, Protocol):
    """A memory that looks up several positions together (`looking_fields`)."""


def looking_fields(most: int) -> Spec:
    """The fields of a memory that looks up at most so many positions together."""
    return {"homes": ("state", most), "numbers": ("i64", most), "places": ("i64", most)}


class ExpandingMemory(Counted, MarkingMemory, Protocol):
    """A memory while positions are marked, which holds the `numbers` of some that are to be marked;
    `new` is how many were, `wrong` a position whose rank is not right."""

    ranks: int
    new: int
    numbers: Array[int]
    wrong: StateArray
    is_wrong: int
