"""The commands `match` and `tournament`: players from their texts, progress, the result of a
match."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import typer

from prunus.adapters import open_any
from prunus.cli.status import Status
from prunus.core.generic import Keywords
from prunus.play.match import Result
from prunus.play.players import MatchError
from prunus.play.ratings.score import Estimate, Score
from prunus.play.ratings.sprt import Sprt, normalised_elo, read_sprt
from prunus.play.timing import read_control
from prunus.play.tournament.event import Event
from prunus.play.tournament.pgn import pgn_of
from prunus.play.tournament.workers import Terms

OPENING = 8
"""The random plies of an opening, unless something else is asked for."""


def command(given: Keywords) -> None:
    """Play the match that the command's options describe and print the result; after Ctrl-C the
    result so far, with status 130."""
    if given["games"] % 2:
        raise MatchError(
            f"{given['games']} games: they are played in pairs, with the sides swapped, so their "
            f"number must be even"
        )
    sprt = read_sprt(given["sprt"]) if given["sprt"] else None
    terms = terms_of(given, (given["first"], given["second"]))
    event = Event(terms, given["games"] // 2, False, given["concurrency"], given["out"], sprt)
    line = _Line(event)
    interrupted = played(event, given["pgn"], line.show, line.end)
    result = event.result()
    as_json = given["json"]
    typer.echo(json.dumps(as_data(event, result)) if as_json else text(result, terms, sprt))
    leave_if(interrupted, given["out"])


def terms_of(given: Keywords, specs: tuple[str, ...]) -> Terms:
    """The terms of the games from the options that both commands have."""
    defaults = {name: given[name] for name in ("depth", "nodes", "seconds") if given[name]}
    if given["clock"]:
        defaults |= vars(read_control(given["clock"]))
    file: Path | None = given["openings"]
    plies = given["opening"] if given["opening"] is not None else 0 if file else OPENING
    return Terms(
        given["game"],
        specs,
        defaults,
        plies,
        given["seed"],
        "" if file is None else str(file),
        given["adjudicate"],
        given["margin"],
        given["database"],
    )


def played(
    event: Event, pgn: Path | None, show: Callable[[], None], end: Callable[[], None]
) -> bool:
    """Play an event; `show` is called after each game, `end` at last. Whether Ctrl-C has ended
    it."""
    try:
        event.play(show)
    except KeyboardInterrupt:
        return True
    finally:
        end()
        if pgn is not None and event.names:
            write_pgn(event, pgn)
    return False


def write_pgn(event: Event, path: Path) -> None:
    """Write all games of an event into a PGN file, in place of what is there."""
    game, _ = open_any(event.terms.game)
    title, limits = f"Prunus, {game.title()}", event.limits
    games = [
        pgn_of(game, each, event.names, title, limits)
        for each in event.played
        if each.slot.round >= 0
    ]
    path.write_text("".join(games), encoding="utf-8")


def leave_if(interrupted: bool, out: Path | None) -> None:
    """After Ctrl-C say how to go on, and leave with its status."""
    if interrupted:
        if out is not None:
            typer.echo(
                f"prunus: interrupted; the same command continues where {out} ends", err=True
            )
        raise typer.Exit(130)


class _Line:
    """Progress: on a terminal one line that is overwritten, elsewhere one line for each tenth of
    the match."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.status = Status()
        self.tenths = 0

    def show(self) -> None:
        """Called after each game."""
        result, total = self.event.result(), self.event.total
        score = result.score()
        done = sum(each.slot.round >= 0 for each in self.event.played)
        tenths = 10 * done // total
        if score is None or done % 2 or not (self.status.is_terminal or tenths > self.tenths):
            return
        self.tenths = tenths
        said = f"{done} of {total} games: {percent(score.score)}"
        sprt = self.event.sprt
        if sprt is not None:
            low, high = sprt.limits
            said += f", LLR {sprt.ratio(score.pairs):.2f} ({low:.2f} to {high:.2f})"
        self.status.show(said, at_once=True)

    def end(self) -> None:
        """Nothing more is written to the line."""
        self.status.keep()


def percent(estimate: Estimate) -> str:
    """A share in percent, with its standard error and its interval."""
    mean, error, low, high = (
        100 * value for value in (estimate.mean, estimate.error, estimate.low, estimate.high)
    )
    return f"{mean:.1f} % +- {error:.1f} (95 %: {low:.1f} to {high:.1f})"


def text(result: Result, terms: Terms, sprt: Sprt | None = None) -> str:
    """The result as a table for people."""
    score = result.score()
    rows = [("first", result.names[0]), ("second", result.names[1])]
    rows += [("openings", openings_text(terms))]
    if score is None:
        rows += [("games", "no pair of games is complete yet")]
    else:
        rows += _score_rows(score) + _test_rows(score, sprt)
        rows += [
            (f"time, {side}", _used(result.usage(number)))
            for number, side in enumerate(("first", "second"))
        ]
    failures = result.failures()
    rows += [("failures", f"{len(failures)} games")] if failures else []
    for record in failures[:10]:
        where = (
            f"pair {record.pair + 1}, the {'first' if record.first_begins else 'second'} "
            f"player began"
        )
        rows.append(
            ("", f"{where}: {result.names[record.failed or 0]}: {record.end}: {record.note}")
        )
    return "\n".join(f"{name:<13} {value}" for name, value in rows)


def openings_text(terms: Terms) -> str:
    """Where the openings come from, in words."""
    source = f"{terms.openings}" if terms.openings else ""
    plies = f"{terms.plies} random plies" if terms.plies or not source else ""
    where = ", then ".join(filter(None, (source, plies)))
    return f"{where}, seed {terms.seed}, each played with both sides"


def _test_rows(score: Score, sprt: Sprt | None) -> list[tuple[str, str]]:
    """The sequential test: its ratio, limits and verdict."""
    if sprt is None:
        return []
    low, high = sprt.limits
    said = {
        "low": f"the difference is {sprt.low:g} Elo rather than {sprt.high:g}",
        "high": f"the difference is {sprt.high:g} Elo rather than {sprt.low:g}",
        None: "no verdict yet",
    }[sprt.verdict(score.pairs)]
    ratio = f"LLR {sprt.ratio(score.pairs):.2f} ({low:.2f} to {high:.2f}), {sprt.scale}: {said}"
    return [("test", ratio)]


def _score_rows(score: Score) -> list[tuple[str, str]]:
    zero, half, one, more, two = score.pairs
    rows = [
        (
            "games",
            f"{score.games}: the first player won {score.wins}, drew {score.draws}, lost "
            f"{score.losses}",
        ),
        (
            "pairs",
            f"{two} with 2 points, {more} with 1.5, {one} with 1, {half} with 0.5, {zero} with 0",
        ),
        ("score", percent(score.score)),
        ("Elo", f"{score.elo.mean:+.0f} (95 %: {score.elo.low:+.0f} to {score.elo.high:+.0f})"),
    ]
    if score.elo.low > -math.inf and score.elo.high < math.inf:
        n = normalised_elo(score.pairs)
        rows.append(("normalised", f"{n.mean:+.0f} (95 %: {n.low:+.0f} to {n.high:+.0f})"))
    if score.utility is not None:
        u = score.utility
        rows.append(
            (
                "utility",
                f"{u.mean:+.2f} a game +- {u.error:.2f} (95 %: {u.low:+.2f} to {u.high:+.2f})",
            )
        )
    return rows


def _used(usage: dict[str, float | None]) -> str:
    times = (
        usage["seconds_a_game"] or 0.0,
        1000 * (usage["seconds_a_move"] or 0.0),
        1000 * (usage["slowest_move"] or 0.0),
    )
    found = f"{times[0]:.3f} s a game, {times[1]:.1f} ms a move, slowest {times[2]:.0f} ms"
    if usage["depth"] is not None:
        found += f", mean depth {usage['depth']:.1f}"
    if usage["searching_a_move"] is not None:
        found += f", the searches alone {1000 * usage['searching_a_move']:.1f} ms a move"
    return (
        f"{found}, time overstepped {usage['overstepped']:.0f} times"
        if usage["overstepped"]
        else found
    )


def as_data(event: Event, result: Result) -> dict[str, object]:
    """The result for JSON; infinite numbers become null."""
    score = result.score()
    data: dict[str, object] = {
        "game": event.terms.game,
        "first": result.names[0],
        "second": result.names[1],
    }
    data |= {
        "opening": event.terms.plies,
        "seed": event.terms.seed,
        "games": score.games if score else 0,
    }
    if score is not None:
        data |= {
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pairs": score.pairs,
        }
        data |= {"score": _numbers(score.score), "elo": _numbers(score.elo)}
        data |= {"utility": _numbers(score.utility) if score.utility else None}
        data["normalised_elo"] = _numbers(normalised_elo(score.pairs))
        if event.sprt is not None:
            sprt, pairs = event.sprt, score.pairs
            data["sprt"] = {
                "llr": sprt.ratio(pairs),
                "verdict": sprt.verdict(pairs),
                "limits": sprt.limits,
                "scale": sprt.scale,
            }
    data["time"] = [result.usage(0), result.usage(1)]
    data["failures"] = [record.to_dict() for record in result.failures()]
    return data


def _numbers(estimate: Estimate) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in vars(estimate).items()}
