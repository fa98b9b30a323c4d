"""Tables that the laboratory has measured, as files to download."""

from __future__ import annotations

import csv
import io
import json
import math
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

from prunus.core.generic import Json
from prunus.studio import maxima
from prunus.theory.lab.experiment import LabError
from prunus.theory.lab.store import Row, frame_of

FORMS: Final = {
    "csv": "text/csv",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
"""The forms of a file, with their media types."""


def plain(row: Row) -> Json:
    """A row without numbers that JSON does not have."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }


class Tables:
    """The last tables that were measured, for downloads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, list[Row]]] = OrderedDict()

    def keep(self, name: str, rows: list[Row]) -> str:
        """Keep a table of this experiment; the name under which it is found."""
        key = secrets.token_urlsafe(12)
        self._kept[key] = name, rows
        while len(self._kept) > maxima.LAB_TABLES:
            self._kept.popitem(last=False)
        return key

    def file(self, key: str, form: str) -> tuple[str, bytes]:
        """The name and the contents of a file with a table. Raises LabError."""
        found = self._kept.get(key)
        if found is None or form not in FORMS:
            raise LabError("this table is not kept any longer: run the experiment again")
        name, rows = found
        return f"{name}.{form}", written(rows, form)


def written(rows: Sequence[Row], form: str) -> bytes:
    """A table as a file. Raises LabError for Parquet without Polars."""
    if form == "json":
        return json.dumps([plain(row) for row in rows], indent=1).encode()
    if form == "csv":
        return _csv(rows).encode()
    if find_spec("polars") is None:
        raise LabError("Parquet needs Polars: pip install 'prunus[lab]'")
    file = io.BytesIO()
    frame_of(rows).write_parquet(file)
    return file.getvalue()


def _csv(rows: Sequence[Row]) -> str:
    names = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO()
    writer = csv.DictWriter(text, [*names], lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain(row) for row in rows)
    return text.getvalue()
