"""The reason why a game cannot be compiled, in plain words: the method, the line and the reason."""

from __future__ import annotations

import re
from typing import Any

from prunus.core.errors import PrunusError
from prunus.kernel.reporting.places import where
from prunus.kernel.reporting.reasons import REASONS
from prunus.kernel.reporting.signs import as_written
from prunus.kernel.reporting.type_names import in_words


class CannotCompile(PrunusError):
    """A game (or an algorithm) uses something that cannot be compiled. `where` is "FILE:LINE, in
    METHOD" or empty, `reason` plain words."""

    def __init__(self, game: str, where: str, reason: str) -> None:
        self.game, self.where, self.reason = game, where, reason
        super().__init__(f"{game} cannot be compiled: {reason}" + (f" ({where})" if where else ""))


def explain(error: BaseException, game: Any) -> CannotCompile:
    """Turn an error raised by the compiler into plain words about the game's own source."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(map(str, _chain(error))))
    text = text.strip() or type(error).__name__
    reason = _reason(_SOURCE.sub(r"\1", text)) or _first_line(text)
    return CannotCompile(type(game).__name__, where(error, text, game), reason)


def _chain(error: BaseException) -> list[BaseException]:
    """An error and those that caused it."""
    chain = [error]
    while chain[-1].__context__ is not None and len(chain) < 5:
        chain.append(chain[-1].__context__)
    return chain


_SOURCE = re.compile(r'(File "[^\n]*", line \d+:)\n(?:[^\n]*\n){1,6}? *\^')
"""A place with the lines of the rules that the compiler quotes, whose words are not its own."""

_NOISE = re.compile(r"Failed in \w+ mode|- Resolution failure|None$|During: |File \"|$")


def _first_line(text: str) -> str:
    """The first line with any information."""
    lines = (line.strip() for line in text.splitlines())
    return next((line[0].lower() + line[1:] for line in lines if not _NOISE.match(line)), "")


def _reason(text: str) -> str:
    for pattern, plain in REASONS:
        found = re.search(pattern, text)
        if found:
            reason = found.expand(plain)
            words = " ".join(in_words(reason).split())
            return as_written(re.sub(r"\ba (an? )", r"\1", words))
    return ""
