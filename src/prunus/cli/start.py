"""Where the command `prunus` begins."""

from __future__ import annotations

import gc
import sys


def run() -> None:
    """Run the command line. Ctrl-C while it is being loaded ends the process as it does later."""
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(130)  # `errors.INTERRUPTED`, which may not be loaded yet
    finally:
        # At its end Python would examine every object once more, among them half a million of the
        # compiler's, for garbage that is about to go with the process: a third of a second and more
        # in which nothing is left to be waited for. So whatever has to be written at the end is
        # closed where it is used (`with`), or by `atexit`.
        gc.freeze()


def _run() -> None:
    """A program that starts `prunus uci` waits for its greeting, so the command line's own
    machinery is not loaded for that."""
    if sys.argv[1:] == ["uci"]:
        from prunus.play.protocols.serving import serve
        from prunus.play.protocols.settings import Settings

        serve("uci", Settings())
    else:
        from prunus.cli import main

        main.run()


if __name__ == "__main__":
    run()
