"""Folders of arrays that are kept: where they come from, and whether their files are whole."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypedDict, cast

import numpy as np

import prunus

MANIFEST: Final = "manifest.json"

BLOCK: Final = 1 << 24
"""The bytes that are read at once for a checksum."""

CHECKED: Final = 64 << 20
"""Folders of at most this many bytes are checked against their checksums whenever they are opened;
larger ones when that is asked for."""


class Provenance(TypedDict):
    """When and with what a folder was made."""

    date: str
    versions: dict[str, str]
    system: str


def provenance() -> Provenance:
    """That of a folder which is made now."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "versions": {
            "prunus": prunus.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def seal_of(said: Mapping[str, object]) -> str:
    """The SHA-256 of what a manifest says, without its own field `check`, where this is kept."""
    others = {name: value for name, value in said.items() if name != "check"}
    return hashlib.sha256(json.dumps(others, sort_keys=True).encode()).hexdigest()


def is_checked(files: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether files, of which a manifest says these `bytes`, are few enough to be checked whenever
    they are opened."""
    return sum(cast("int", said["bytes"]) for said in files.values()) <= CHECKED


def damage(folder: Path, files: Mapping[str, Mapping[str, object]]) -> str | None:
    """What is wrong with the first file that does not have the `bytes` and the `sha256` that a
    manifest says; None if all do."""
    for name, said in files.items():
        path = folder / name
        try:
            is_whole = path.stat().st_size == said["bytes"] and checksum(path) == said["sha256"]
        except OSError as error:
            return f"{path}: {error.strerror}"
        if not is_whole:
            return f"{path} is damaged: its checksum is not the manifest's"
    return None
