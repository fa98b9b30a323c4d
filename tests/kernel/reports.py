"""What the command of a fuzzer prints."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from tests.kernel.apart import Ended


def report(
    compared: Callable[[int], tuple[Counter[str], list[str]]], seconds: float, seed: int
) -> None:
    """Try one seed after the other for some seconds; print what differs, and the counts. `compared`
    gives counts and lines; a line that begins with "refused" ends with ": " and the reason."""
    import prunus  # noqa: F401 - so that no process imports it again

    counts: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    end = time.time() + seconds
    while time.time() < end:
        try:
            more, lines = compared(seed)
        except Ended as error:
            more, lines = Counter(broken=1), [f"broken: {error}"]
        counts += more
        for line in lines:
            if line.startswith("refused"):
                refusals[line.split(": ", 2)[2].partition(", [")[0][:110]] += 1
            else:
                print(seed, line, flush=True)
        seed += 1
    print(", ".join(f"{kind}: {n}" for kind, n in counts.most_common()), f"; next seed {seed}")
    for words, number in refusals.most_common(20):
        print(f"  refused {number}: {words}")
