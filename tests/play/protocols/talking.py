"""Conversations with engines in other processes."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from contextlib import contextmanager


class Talk:
    """A conversation with a process; lines are awaited for at most a minute."""

    def __init__(self, process):
        self.process, self.said = process, queue.SimpleQueue()
        self.heard = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.said.put(line.rstrip("\n"))
        self.said.put(None)

    def tell(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def wait(self, start, seconds=150):
        """The lines up to the first that begins with `start`."""
        found, end = [], time.perf_counter() + seconds
        while True:
            line = self.said.get(timeout=max(0.01, end - time.perf_counter()))
            assert line is not None, (start, found)
            found.append(line)
            self.heard.append(line)
            if line.startswith(start):
                return found

    def ended(self, seconds=60):
        """The exit status, once the process has ended."""
        return self.process.wait(seconds)


@contextmanager
def talking(*words):
    """A conversation with `prunus WORDS`."""
    command = [sys.executable, "-m", "prunus", *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        talk = Talk(process)
        try:
            yield talk
        finally:
            process.kill()
            process.wait()
            talk.reader.join()
