"""Players from their descriptions: `engine,depth=6`, `alphabeta,depth=4`, `random`,
`gtp:COMMAND,timeout=30`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from prunus.core.generic import Keywords
from prunus.core.settings import read_settings
from prunus.engine.options import Options, option_value
from prunus.kernel.backends import COMPILE
from prunus.play.advice.library import Library
from prunus.play.fallible import FalliblePlayer, TrapPlayer, model_of
from prunus.play.gtp import GtpPlayer
from prunus.play.levelled import levelled
from prunus.play.levels import level_of
from prunus.play.person import PersonPlayer
from prunus.play.players import MatchError, Player, PlayerLimits, RandomPlayer, SearchPlayer
from prunus.play.timing import TimeControl, read_control
from prunus.play.ugi import DIALECTS, UgiPlayer
from prunus.play.xboard import XBoardPlayer
from prunus.run.registry import algorithm_named

EQUAL: Final = "equal"
"""The clock of a player that gets as much time as the opponent uses."""

PROGRAMS: Final = ("gtp", "uci", "ugi", "xboard")
"""The protocols of programs that may be players."""

OPTION: Final = "option."
"""Begins the name of an option that a program is told."""

LIMITS: Final = ("depth", "nodes", "seconds")


def player_of(spec: str, defaults: PlayerLimits | None = None, database: str = "") -> Player:
    """The player that a text describes: a kind, and options `name=value` after commas. Kinds: an
    algorithm of `prunus algorithms`, `random`, `person`, `fallible`, `trap`, and programs:
    `gtp:COMMAND`, `uci:COMMAND`, `ugi:COMMAND`, `xboard:COMMAND`. `defaults` are the limits of a
    player whose text sets none, `database` is the folder of one for searches whose text names none;
    a player of a level, which is to err, looks nothing up. Raises MatchError, SearchError or
    UnknownAlgorithm, whose one line says what is wrong."""
    kind, _, rest = spec.strip().partition(":")
    if kind in PROGRAMS:
        return _program(spec, kind, rest, defaults)
    kind, *words = (word.strip() for word in spec.split(","))
    if kind == "person":
        person = PersonPlayer()
        person.name = _read(spec, words, {"name": str}).get("name", person.name)
        return person
    if kind == "random":
        given = _read(spec, words, {"seed": int, "name": str})
        player = RandomPlayer(given.get("seed", 0))
        player.name = given.get("name", player.name)
        return player
    if kind in ("fallible", "trap"):
        return _fallible(spec, kind, words)
    return _search(spec, kind, words, defaults, database)


def _fallible(spec: str, kind: str, words: list[str]) -> Player:
    """A player that errs, or one that sets traps for it; both are described by the same words."""
    known: dict[str, Callable[[str], object]] = {
        **{"opponent": str, "p": float, "plies": int, "depth": int, "seed": int, "name": str},
        **({"risk": int} if kind == "trap" else {}),
    }
    given = _read(spec, words, known)
    model = model_of(given.get("opponent", "random"), given.get("p"), given.get("plies"))
    depth, seed = given.get("depth", 4), given.get("seed", 0)
    name = given.get("name", spec.strip())
    if depth < 1:
        raise MatchError(f"player {spec!r}: depth is at least 1, not {depth}")
    if kind == "fallible":
        return FalliblePlayer(model, depth, seed, name)
    risk = given.get("risk", 0)
    if risk < 0:
        raise MatchError(f"player {spec!r}: risk is 0 or more, not {risk}")
    return TrapPlayer(model, depth, risk, seed, name)


def _search(
    spec: str, kind: str, words: list[str], defaults: PlayerLimits | None, database: str
) -> Player:
    algorithm = algorithm_named(kind)
    names = [each.name for each in fields(Options) if each.name != "fit" and algorithm.options]
    known: dict[str, Callable[[str], object]] = {
        **READERS,
        "threads": int,
        "table": float,
        "adaptive": _switch,
        "ponder": _switch,
        "book": str,
        "database": str,
        "syzygy": str,
        "backend": _backend,
        "name": str,
        "evaluation": str,
        "level": int,
        "seed": int,
    }
    engines: dict[str, Callable[[str], object]] = {
        **dict.fromkeys(names, option_value),
        **({"fit": Path} if algorithm.options else {}),
    }
    given = _read(spec, words, known | engines)
    engine = Options.among(given)
    level = level_of(given["level"]) if "level" in given else None
    if level is not None:
        defaults = PlayerLimits(nodes=level.nodes)
    made = SearchPlayer(
        algorithm.name,
        _limits(given, defaults),
        engine or None,
        given.get("table", 16.0),
        given.get("threads", 1),
        given.get("adaptive", False),
        compile=given.get("backend"),
        name=given.get("name", spec.strip()),
        evaluation=given.get("evaluation", ""),
        ponder=given.get("ponder", False),
        **_looked_up({"database": database if level is None else "", **given}),
    )
    return made if level is None else levelled(made, level, given.get("seed", 0))


def _looked_up(given: Keywords) -> Keywords:
    """Where a search may look: `book` is true, false, or a file; `database` is a folder."""
    text = given.get("book", "false")
    is_switch = text.lower() in ("true", "false")
    library = Library(
        "" if is_switch else text, given.get("syzygy", ""), database=given.get("database", "")
    )
    return {"book": is_switch and _switch(text), "library": library}


def _program(spec: str, kind: str, rest: str, defaults: PlayerLimits | None) -> Player:
    """A program as a player, from its text. The command may contain commas: only the words after
    the last one that is not an option are the player's options."""
    known: dict[str, Callable[[str], object]] = {
        "seconds": float,
        "clock": _clock,
        "timeout": float,
        "name": str,
    }
    if kind != "gtp":
        known |= {"depth": int, "nodes": int, "ponder": _switch}
    command, *words = rest.split(",")
    while words and not _is_option(words[0], known, kind):
        command += f",{words.pop(0)}"
    own = [word for word in words if word.strip().startswith(OPTION)]
    given = _read(spec, [word for word in words if word not in own], known)
    command, name, timeout = command.strip(), given.get("name", ""), given.get("timeout")
    if kind == "gtp":
        told = replace(defaults, depth=None, nodes=None) if defaults else None
        return GtpPlayer(command, _limits(given, told), timeout, name)
    limits, ponder = _limits(given, defaults), given.get("ponder", False)
    if kind == "xboard":
        return XBoardPlayer(command, limits, name, ponder)
    options = dict(word.strip().removeprefix(OPTION).partition("=")[::2] for word in own)
    if ponder:
        options.setdefault("Ponder", "true")
    player = UgiPlayer(kind, command, limits, options, timeout, name)
    player.ponders = ponder
    return player


def _is_option(word: str, known: Mapping[str, object], kind: str) -> bool:
    own = word.strip().startswith(OPTION) and kind in DIALECTS
    return own or word.partition("=")[0].strip() in known


def _limits(given: Keywords, defaults: PlayerLimits | None) -> PlayerLimits:
    own: Keywords = {name: given[name] for name in LIMITS if name in given}
    clock = given.get("clock")
    if clock == EQUAL:
        return PlayerLimits(**own, equal=True)
    if clock is not None:
        own |= vars(clock)
    return PlayerLimits(**own) if own else defaults or PlayerLimits()


def _read(spec: str, words: list[str], known: Mapping[str, Callable[[str], object]]) -> Keywords:
    """The values of `name=value` texts."""
    found = {}
    texts = read_settings(words, dict.fromkeys(known, "..."), f"player {spec!r}", MatchError)
    for name, text in texts.items():
        try:
            found[name] = known[name](text)
        except ValueError:
            raise MatchError(f"player {spec!r}: {text!r} is not a value for {name}") from None
    return found


def _switch(text: str) -> bool:
    return bool(["false", "true"].index(text.lower()))


def _clock(text: str) -> TimeControl | str:
    return EQUAL if text == EQUAL else read_control(text)


def _backend(text: str) -> bool | None:
    if text not in COMPILE:
        raise ValueError(text)
    return COMPILE[text]


READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "depth": int,
    "nodes": int,
    "seconds": float,
    "clock": _clock,
}
