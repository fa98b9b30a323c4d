"""Lists and deques of lists, of tuples with lists and of texts that grow and shrink at random:
their items are those of Python's, none is freed before its last use, and all are in the end."""

import random
from collections import deque
from heapq import heappop, heappush
from typing import NamedTuple

import pytest
from numba.core.runtime import _nrt_python, rtsys

from prunus import Game, u8
from prunus.kernel.compiling.compiled import compile_function
from prunus.kernel.memory import Memory

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Slots(Game):
    """`cells` are pairs: what to do, and with which item."""

    class State(NamedTuple):
        cells: tuple[u8, ...]

    def initial(self):
        return self.State((0,) * 40)

    def lists(self, s):
        rows = [[i, i + 1] for i in range(4)]
        kept = rows[0]
        for place in range(0, len(s.cells), 2):
            do, k = s.cells[place], s.cells[place + 1]
            n = len(rows)
            if do == 0 or n == 0:
                rows.append([place, k])
            elif do == 1:
                rows.append(rows.pop(k % n))
            elif do == 2:
                kept = rows.pop(k % n)
                kept.append(place)
            elif do == 3:
                del rows[k % n]
            elif do == 4:
                del rows[k % n : k % n + 2]
            elif do == 5:
                rows[k % n : k % n + 3] = [[k], kept]
            elif do == 6:
                rows[k % n : k % n + 1] = [kept, [place], [k, k]]
            elif do == 7:
                rows.insert(k % n, rows[-1])
            elif do == 8:
                rows[0], rows[k % n] = rows[k % n], rows[0]
            elif do == 9:
                rows.extend([[k], rows[0]])
            elif do == 10:
                rows.remove(rows[k % n])
            elif do == 11 and k < 2:
                rows.clear()
            elif do == 12:
                rows.reverse()
            elif do == 13:
                rows[k % n].append(k)
            elif do == 14:
                rows[1:1] = rows
                del rows[8:]
            elif do == 15:
                kept = rows.pop()
                rows += [kept[:], kept]
            elif do == 16:
                rows.sort()
            elif do == 17:
                del rows[::2]
        total = len(kept)
        for row in rows:
            for item in row:
                total = (total * 31 + item) % 1000003
            total = (total * 7 + len(row)) % 1000003
        return total

    def deques(self, s):
        rows = deque([[0, 1], [2], [3]])
        kept = rows[0]
        for place in range(0, len(s.cells), 2):
            do, k = s.cells[place], s.cells[place + 1]
            n = len(rows)
            if do % 10 == 0 or n == 0:
                rows.append([place, k])
            elif do % 10 == 1:
                rows.append(rows.popleft())
            elif do % 10 == 2:
                kept = rows.popleft()
                kept.append(place)
            elif do % 10 == 3:
                del rows[k % n]
            elif do % 10 == 4:
                rows.appendleft(rows.pop())
            elif do % 10 == 5:
                rows.rotate(k)
            elif do % 10 == 6:
                rows.appendleft(kept)
            elif do % 10 == 7:
                rows[k % n] = rows[0] + [k]
            elif do % 10 == 8 and k < 2:
                rows.clear()
            elif do % 10 == 9:
                rows.extend([[k], kept])
        total = len(kept)
        for row in rows:
            for item in row:
                total = (total * 31 + item) % 1000003
            total = (total * 7 + len(row)) % 1000003
        return total

    def pairs(self, s):
        rows = [(i, [i]) for i in range(3)]
        for place in range(0, len(s.cells), 2):
            do, k = s.cells[place], s.cells[place + 1]
            n = len(rows)
            if do % 6 == 0 or n == 0:
                rows.append((k, [place, k]))
            elif do % 6 == 1:
                rows.append(rows.pop(k % n))
            elif do % 6 == 2:
                del rows[k % n]
            elif do % 6 == 3:
                rows[k % n : k % n + 2] = [(k, [k])]
            elif do % 6 == 4:
                rows.insert(0, rows.pop(0))
            elif do % 6 == 5:
                rows[k % n][1].append(place)
        total = 0
        for number, row in rows:
            for item in row:
                total = (total * 31 + item + number) % 1000003
        return total

    def texts(self, s):
        words = ["ab", "c", "def"]
        for place in range(0, len(s.cells), 2):
            do, k = s.cells[place], s.cells[place + 1]
            n = len(words)
            if do % 6 == 0 or n == 0:
                words.append("xyzu"[k % 4 :])
            elif do % 6 == 1:
                words.append(words.pop(k % n))
            elif do % 6 == 2:
                del words[k % n]
            elif do % 6 == 3:
                words[k % n : k % n + 2] = ["q" + words[0][:5]]
            elif do % 6 == 4:
                words[1:1] = [words[-1], "w"]
            elif do % 6 == 5:
                words.reverse()
        total = 0
        for word in words:
            total = (total * 31 + len(word) + (word > "c")) % 1000003
        return total

    def heaps(self, s):
        heap = [(0, [1])]
        for place in range(0, len(s.cells), 2):
            do, k = s.cells[place], s.cells[place + 1]
            if do % 3 or not heap:
                heappush(heap, (place * 7 % 41 + k * 100, [k, place]))
            else:
                a, row = heappop(heap)
                row.append(a)
                heappush(heap, (a * 3 % 101 * 100 + place, row))
        total = 0
        while heap:
            a, row = heappop(heap)
            total = (total * 31 + a + sum(row)) % 1000003
        return total

    def ordered(self, s):
        rows = [[c, i] for i, c in enumerate(s.cells)]
        rows.sort(key=lambda row: (-row[0], row[1]))
        rows = sorted(rows, reverse=True)
        rows = sorted(rows, key=lambda row: row[1] % 5)
        del rows[3::2]
        rows += rows[:2]
        words = sorted([LETTERS[c : c + 3] for c in s.cells])
        words = words[::-1]
        words[2:5] = ["zz"]
        total = 0
        for row in rows:
            total = (total * 31 + row[0] * 3 + row[1]) % 1000003
        for word in words:
            total = (total * 31 + len(word) + (word > "m")) % 1000003
        return total


WAYS = ("lists", "deques", "pairs", "texts", "heaps", "ordered")


def search(game, state, way, memory):
    if way == 0:
        memory.out[0] = game.lists(state)
    elif way == 1:
        memory.out[0] = game.deques(state)
    elif way == 2:
        memory.out[0] = game.pairs(state)
    elif way == 3:
        memory.out[0] = game.texts(state)
    elif way == 4:
        memory.out[0] = game.heaps(state)
    else:
        memory.out[0] = game.ordered(state)
    return 0


@pytest.mark.parametrize("name", WAYS)
def test_slots_of_lists_that_grow_and_shrink(name):
    game, rng, memory = Slots(), random.Random(5), Memory({"out": ("i64", 1)})
    way = WAYS.index(name)
    compiled = compile_function(
        search, {"game": game, "state": game.initial(), "way": way, "memory": memory}
    )
    was_counting = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    values = set()
    try:
        for _ in range(1000):
            state = game.State(tuple(rng.randrange(18) for _ in range(40)))
            expected = getattr(game, name)(state)
            before = rtsys.get_allocation_stats()
            assert compiled(game, state, way, memory) == 0
            after = rtsys.get_allocation_stats()
            assert memory.out[0] == expected, state
            assert after.alloc - before.alloc == after.free - before.free, state
            values.add(expected)
    finally:
        if not was_counting:
            _nrt_python.memsys_disable_stats()
    assert len(values) > 500
