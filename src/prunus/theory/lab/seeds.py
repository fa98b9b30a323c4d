"""Random seeds: each block of samples has its own, wherever and whenever it is measured."""

from __future__ import annotations

import hashlib
import json

from prunus.theory.lab.experiment import Point


def block_seed(name: str, point: Point, seed: int, block: int) -> int:
    """The seed of a block, 0 to 2**63 - 1: the first 63 bits of a SHA-256 digest of the
    experiment's name, the point, the master seed and the number of the block. Neither the order of
    the point's parameters nor the other points matter."""
    text = json.dumps([name, dict(sorted(point.items())), seed, block], separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
