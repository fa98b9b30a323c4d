"""A store of objects for fsspec, `objects:///folder`: what is in it lies in a folder of this
machine, but it has neither folders of its own nor names that could be changed, and shows an object
when it is whole. Whoever imports this knows it."""

from __future__ import annotations

import errno
import os
import uuid
from pathlib import Path

import fsspec

from tests.databases.crews import Opened


class Objects(fsspec.AbstractFileSystem):
    """An object is a file with a quoted name."""

    protocol = "objects"
    cachable = False
    writes: list[str] = []

    def _file(self, path):
        root, _, key = self._strip_protocol(path).partition("/-/")
        return Path(root) / key.replace("/", "%")

    def pipe_file(self, path, value, mode="overwrite", **_):
        self.writes.append(path)
        file = self._file(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.parent.parent / f"{uuid.uuid4().hex}.part"
        part.write_bytes(value)
        os.replace(part, file)

    def cat_file(self, path, version_id=None, start=None, end=None, **_):
        """As in s3fs: another parameter comes first, and a range must have a byte."""
        assert version_id is None
        found = self._file(path).read_bytes()[start:end]
        if start is not None and not found:
            raise OSError(errno.EINVAL, "The requested range is not satisfiable")
        return found

    def info(self, path, **_):
        return {"name": path, "type": "file", "size": self._file(path).stat().st_size}

    def exists(self, path, **_):
        return self._file(path).exists()

    def makedirs(self, path, exist_ok=False):
        pass

    def ls(self, path, detail=True, **_):
        assert not detail
        path = self._strip_protocol(path).rstrip("/")
        first = path.partition("/-/")[2] + "/"
        root = self._file(path).parent
        keys = [file.name.replace("%", "/") for file in root.iterdir()] if root.exists() else []
        found = {key[len(first) :].split("/")[0] for key in keys if key.startswith(first)}
        if not found:
            raise FileNotFoundError(path)
        return sorted(f"{path}/{name}" for name in found)

    def rm_file(self, path):
        self._file(path).unlink(missing_ok=True)

    def rm(self, path, recursive=False, **_):
        self.rm_file(path)
        within = self._file(path)
        for file in within.parent.glob(f"{within.name}%*"):
            file.unlink()

    def mv(self, path1, path2, **_):
        raise NotImplementedError("objects keep their names")

    cp_file = mv


fsspec.register_implementation("objects", Objects, clobber=True)


class OpenedBeside(Opened):
    """Opens a game where the store is known."""
