"""The parts that `analyze` and `solve` share: one position or many, progress, printing."""

from __future__ import annotations

import json
import operator
import sys
from dataclasses import replace
from typing import Any, Final

import typer

from prunus.adapters import open_any
from prunus.cli.status import Status
from prunus.core.analysis import Analysis, speed_text
from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Keywords
from prunus.core.position import Position, read_position
from prunus.engine.options import Options, read_options
from prunus.games.evaluations import with_evaluation
from prunus.kernel.backends import COMPILE
from prunus.run.driver import analyze, solve
from prunus.run.progress import Progress
from prunus.run.registry import algorithm_named
from prunus.run.request import limit_asked, usual_limit

NO_CODE: Final = (
    "this was searched interpreted, because compiling takes longer than --seconds allows. A run "
    "that has time for it (without --seconds, or with --backend compiled) keeps the machine code, "
    "and later runs start with it"
)


def command(given: Keywords) -> None:
    """Search one position, or every line of standard input, and print what was found; `given` holds
    the command's options by name."""
    game, position, as_json = given["game"], given["position"], given["json"]
    options = _options(given)
    if position == "-":
        _many(game, options, given["evaluation"])
        return
    with Line() as line:
        made, at = open_any(game, position)
        made = with_evaluation(made, given["evaluation"])
        line.game, line.state = made, at.state
        asked = _opened(options, made)
        found = _searched(made, at, asked, position=position or None, watch=line.show)
    typer.echo(_as_json(found, game) if as_json else str(found))
    if given["database"] and found.algorithm != "database":
        typer.echo(f"prunus: note: {given['database']} does not answer this; searched", err=True)
    if _had_no_code(found, options):
        typer.echo(f"prunus: note: {NO_CODE}", err=True)
    if found.interrupted and options["nodes"] is None and options["seconds"] is None:
        raise typer.Exit(130)


def _had_no_code(found: Analysis, options: dict[str, object]) -> bool:
    """Whether a search that ran out of time would have been compiled if it had had more."""
    limited = found.interrupted and options["seconds"] is not None and options["compile"] is None
    return limited and found.backend == "interpreted" and not found.game.interpreted_only


def _options(given: Keywords) -> dict[str, object]:
    """The arguments of `analyze` that a command's options stand for."""
    wanted = algorithm_named(given["algorithm"])
    engine = Options.among({**given, "fit": given.get("probcut_fit")})
    engine |= read_options(given.get("options") or "")
    if given.get("adaptive") and given["seconds"] is None:
        raise SearchError("--adaptive divides the time of --seconds, which is missing")
    if given.get("adaptive") and not wanted.deepens:
        raise SearchError(
            f"--adaptive divides the time between iterations, but {wanted.name} searches only "
            f"once; use engine"
        )
    same = (
        "algorithm",
        "depth",
        "all_moves",
        "multi_pv",
        "prefer_faster",
        "nodes",
        "seconds",
        "table",
        "threads",
    )
    ours = {
        "adaptive": given.get("adaptive", False),
        "compile": COMPILE[given["backend"]],
        "options": engine,
    }
    ours["book"] = False if given["no_book"] else None
    ours["database"] = given["database"]
    return {name: given[name] for name in same} | ours


def _opened(options: Keywords, game: Game) -> Keywords:
    """The same arguments, with the database open if there is one."""
    rest = dict(options)
    folder = rest.pop("database")
    if not folder:
        return rest
    from prunus.databases.folder import Database

    return {**rest, "book": Database(folder, game)}


def _searched(game: Game, at: Position, options: Keywords, **more: Any) -> Analysis:
    rest = dict(options)
    depth, adaptive = rest.pop("depth"), rest.pop("adaptive")
    if depth is None:
        return solve(game, at, **rest, **more)
    if adaptive:
        nodes, seconds = rest.pop("nodes"), rest.pop("seconds")
        passes = rest["all_moves"] or rest["multi_pv"] > 1 or Options.wants_second(rest["options"])
        asked = limit_asked(None, depth, nodes, seconds) or usual_limit(
            game, rest["algorithm"], nodes, seconds, passes
        )
        return analyze(game, at, limit=replace(asked, adaptive=True), **rest, **more)
    return analyze(game, at, depth=depth, **rest, **more)


def _as_json(found: Analysis, spec: str) -> str:
    return json.dumps({**found.to_dict(), "game": spec}, default=operator.index)


def _many(spec: str, options: dict[str, object], evaluation: str) -> None:
    """Print one JSON object a line, in order, each as soon as it is done; a line that is not a
    position gives an object with `error`."""
    failed = False
    game = None
    for text in map(str.strip, sys.stdin):
        if not text:
            continue
        try:
            if game is None or spec.partition(":")[0] == "tree":
                made, at = open_any(spec, text)
                made = with_evaluation(made, evaluation)
                asked = _opened(options, made)
                game = made
            else:
                at = read_position(game, text)
        except ValueError as error:
            failed = True
            typer.echo(
                json.dumps({"game": spec, "position": text, "error": " ".join(str(error).split())})
            )
            continue
        found = _searched(game, at, asked, position=text)
        typer.echo(_as_json(found, spec))
        sys.stdout.flush()
        if found.interrupted and options["nodes"] is None and options["seconds"] is None:
            raise typer.Exit(130)
    if failed:
        raise typer.Exit(2)


class Line:
    """One line of progress on a terminal, erased at the end; a search, or the compiling before it,
    appears there once it takes longer than two seconds."""

    def __init__(self) -> None:
        self.status = Status(patience=0, seldom=None)
        self.game: Game | None = None
        self.state: object = None

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *exception: object) -> None:
        self.status.clear()

    def show(self, progress: Progress) -> None:
        """Called several times a second while the search runs."""
        if progress.compiling >= 2:
            self.status.show(
                f"compiling, {progress.compiling:.0f} s; the result is kept for next time"
            )
        elif progress.seconds >= 2:
            self.status.show(self.text(progress))

    def text(self, progress: Progress) -> str:
        """The status line: depth, value and line of the last iteration, the work done, the table's
        fill."""
        known = ""
        if progress.low is not None and progress.high is not None:
            limits = (
                str(progress.low)
                if progress.low == progress.high
                else f"{progress.low} to {progress.high}"
            )
            known = f"to the end of the game, value {limits}; "
        elif progress.depth:
            known = (
                f"depth {progress.depth}, value {progress.value}, line {self.line(progress.line)}; "
            )
        speed = speed_text(progress.nodes / progress.seconds)
        table = f", table {progress.fill:.0%} full" if progress.fill else ""
        return (
            f"{known}{progress.nodes:,} nodes, {speed}{table}, "
            f"{progress.seconds:.0f} s; Ctrl-C stops with the best so far"
        )

    def line(self, actions: tuple[int, ...], most: int = 8) -> str:
        """The names of the first actions of a line."""
        assert self.game is not None
        names, state = [], self.state
        for action in actions[:most]:
            names.append(self.game.action_name(state, action))
            state = self.game.result(state, action)
        return " ".join(names) + (" ..." if len(actions) > most else "")
