"""Errors for people: one line that says what and where, exit status 2, no traceback."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import NoReturn

from prunus.core.errors import PrunusError

USAGE = 2
INTERRUPTED = 130


def guarded(app: Callable[..., int | None]) -> int:
    """Run the commands and return the exit status."""
    warnings.showwarning = _note
    try:
        return int(app(standalone_mode=False) or 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader is gone: on the way out nothing may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "))
    except Exception as error:
        return _handled(error)


def leave(status: int) -> NoReturn:
    """End the process. Compiling still under way is given up: its last step cannot be interrupted,
    and takes longer than a user who set a limit of seconds wants to wait. Cache files are complete
    or absent."""
    waiting = sys.modules.get("prunus.kernel.waiting")
    if waiting is None or not waiting.is_busy():
        sys.exit(status)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _handled(error: Exception) -> int:
    name = type(error).__name__
    if name == "Exit":
        return int(getattr(error, "exit_code", 0))
    if name == "Abort":
        return INTERRUPTED
    if name == "NoArgsIsHelpError":  # only the name of a program or of a group of commands
        print(error, file=sys.stderr)  # noqa: T201
        return USAGE
    if hasattr(error, "format_message"):
        return _fail(f"{error.format_message()} (prunus --help lists the commands and options)")
    if isinstance(error, PrunusError):
        return _fail(str(error) or name)
    files = sys.modules.get("prunus.games.files")
    place = files.place_in_file(error) if files is not None else None
    if place is not None:
        said = traceback.format_exception_only(error)[0]
        return _fail(said if place in said else f"{said} ({place})")
    if isinstance(error, ValueError | TypeError | OverflowError | MemoryError | RecursionError):
        return _fail(str(error) or name)
    raise error


def _fail(message: str) -> int:
    print(f"prunus: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    return USAGE


def _note(
    message: object,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    print(f"prunus: note: {' '.join(str(message).split())}", file=sys.stderr)  # noqa: T201
