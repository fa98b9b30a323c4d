"""A loop over the numbers 0 ... count - 1 in all threads at once, compiled if the game can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from prunus.core.arrays import View
from prunus.core.game import Game
from prunus.kernel import threads as workers
from prunus.kernel.backends import prepare
from prunus.kernel.memory import Memory, Spec, Stopped

ALL: Final = 1 << 62
"""More than any loop's count."""

Body = Callable[[Any, int, Any], Any]


def for_each(
    game: Game,
    body: Body,
    count: int,
    fields: Spec,
    *,
    threads: int = 1,
    step: int = 1,
    compile: bool | None = None,
) -> list[Memory]:
    """Call `body(game, index, memory)` once for each index from 0 to count - 1; return the memories
    of the threads.

    There are at most so many threads, and none that would have nothing to do. Each has its own
    Memory of the `fields`: counters are 0, arrays are not cleared, and arrays of States have the
    shape of the game's initial State. A field that is already an array (a `View`, or an array of
    another Memory) is shared by all threads. A thread takes `step` numbers at a time, in order; an
    interpreted loop runs in one thread. The outcome does not depend on the number of threads if the
    body writes only to places of its own, or adds up (by `fetch_add`, or in counters of its memory
    that the caller adds up), or sets what no other call sets differently.

    An error in a body is raised here once all lower numbers are done, so it is the one that a plain
    loop would meet first. Ctrl-C ends the loop at the next call of the body, or at the next node
    that it counts, and is raised as KeyboardInterrupt. Raises ValueError for a count below 0, or
    for fewer than one thread or step.
    """
    if count < 0 or threads < 1 or step < 1:
        raise ValueError(
            f"a loop over {count} numbers by {step} in {threads} threads: at least 0, 1 and 1"
        )
    game.freeze()
    taken = View(np.zeros(1, np.int64))
    own: Spec = {"nodes": "i64", "loop_index": "i64", "loop_taken": taken}
    first = game.initial()
    busy = min(threads, max(1, -(-count // step)))
    memories = [Memory({**fields, **own}, prototype=first) for _ in range(busy)]
    arguments = {"game": game, "count": count, "step": step, "memory": memories[0]}
    ready, backend = prepare(_loop_of(body), arguments, compile)
    if backend == "interpreted":
        memories = memories[:1]

    stopper = _Stopper(memories)
    _, stopped = workers.run(
        lambda: _together(lambda memory: ready(game, count, step, memory), memories), stopper
    )
    # Also where no body was left to be stopped: the caller must not go on as if nothing had been
    # asked.
    if stopped or stopper.asked:
        raise KeyboardInterrupt
    return memories


@lru_cache(maxsize=256)
def _loop_of(body: Body) -> Callable[..., int]:
    """The part of the loop that one thread runs."""

    def loop(game: Any, count: int, step: int, memory: Any) -> int:
        first = memory.loop_taken.fetch_add(0, step)
        while first < count:
            for index in range(first, min(first + step, count)):
                memory.loop_index = index
                memory.nodes += 0  # checks whether the loop is to end
                body(game, index, memory)
            first = memory.loop_taken.fetch_add(0, step)
        return 0

    # Named after the body, so that it counts as changed when the body does; the kernel's own
    # functions are never checked.
    loop.__module__, loop.__qualname__ = body.__module__, f"for_each.{body.__qualname__}"
    return loop


class _Stopper:
    """Stops the loop in all threads, and knows whether it was asked to."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        self.memories = memories
        self.asked = False

    def stop(self, asked: bool = True) -> None:
        """Safe from any thread."""
        self.asked = True
        for memory in self.memories:
            memory.stop(asked)


def _together(loop: Callable[[Memory], int], memories: Sequence[Memory]) -> None:
    """Run the loop in all threads until the last is done. Raises the error of the lowest index, or
    Stopped if there is no other."""

    def work(memory: Memory) -> None:
        try:
            loop(memory)
        except BaseException:
            memory.loop_taken.array[0] = ALL  # no thread starts another index
            raise

    others: list[Future[None]] = [workers.start(partial(work, memory)) for memory in memories[1:]]
    errors: list[tuple[int, BaseException]] = []
    try:
        work(memories[0])
    except BaseException as error:  # raised below, unless another one has a lower index
        errors.append((memories[0].loop_index, error))
    for memory, other in zip(memories[1:], others, strict=True):
        found = other.exception()
        if found is not None:
            errors.append((memory.loop_index, found))
    real = [(index, error) for index, error in errors if not isinstance(error, Stopped)]
    if real:
        raise min(real, key=lambda pair: pair[0])[1]
    if errors:
        raise errors[0][1]
