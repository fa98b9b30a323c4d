"""The command `match`: players from their texts, progress, the table of the result."""

from __future__ import annotations

import json
import math
from pathlib import Path

import typer

from prunus.adapters import open_any
from prunus.cli.status import Status
from prunus.core.generic import Keywords
from prunus.play.match import Match, Result
from prunus.play.players import MatchError, PlayerLimits
from prunus.play.ratings.score import Estimate, Score
from prunus.play.specs import player_of


def command(given: dict[str, object]) -> None:
    """Play the match that the command's options describe and print the result; after Ctrl-C the
    result so far, with status 130."""
    match = _match(given)
    as_json = given["json"]
    interrupted = False
    progress = _Line(2 * match.pairs)
    try:
        result = match.play(progress.show)
    except KeyboardInterrupt:
        interrupted, result = True, match.result()
    finally:
        progress.end()
    typer.echo(json.dumps(as_data(match, result)) if as_json else text(match, result))
    if interrupted:
        if match.out is not None:
            typer.echo(
                f"prunus: interrupted; the same command continues where {match.out} ends", err=True
            )
        raise typer.Exit(130)


def _match(given: Keywords) -> Match:
    if given["games"] % 2:
        raise MatchError(
            f"{given['games']} games: they are played in pairs, with the sides swapped, so their "
            f"number must be even"
        )
    game, _ = open_any(given["game"])
    defaults = PlayerLimits(given["depth"], given["nodes"], given["seconds"], given["clock"])
    players = (player_of(given["first"], defaults), player_of(given["second"], defaults))
    specs = (_described(given["first"], defaults), _described(given["second"], defaults))
    out: Path | None = given["out"]
    return Match(
        game,
        players,
        given["games"] // 2,
        given["opening"],
        given["seed"],
        out,
        given["game"],
        specs,
    )


def _described(spec: str, defaults: PlayerLimits) -> str:
    """A player's text with the limits that the command sets for all players."""
    common = {name: getattr(defaults, name) for name in ("depth", "nodes", "seconds", "clock")}
    return ",".join(
        [spec, *(f"{name}={value:g}" for name, value in common.items() if value is not None)]
    )


class _Line:
    """Progress: on a terminal one line that is overwritten, elsewhere one line for each tenth of
    the match."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.status = Status()
        self.tenths = 0

    def show(self, result: Result) -> None:
        """Called after each game."""
        score = result.score()
        done = sum(record.pair >= 0 for record in result.records)
        tenths = 10 * done // self.total
        if score is None or done % 2 or not (self.status.is_terminal or tenths > self.tenths):
            return
        self.tenths = tenths
        self.status.show(f"{done} of {self.total} games: {percent(score.score)}", at_once=True)

    def end(self) -> None:
        """Nothing more is written to the line."""
        self.status.keep()


def percent(estimate: Estimate) -> str:
    """A share in percent, with its standard error and its interval."""
    mean, error, low, high = (
        100 * value for value in (estimate.mean, estimate.error, estimate.low, estimate.high)
    )
    return f"{mean:.1f} % +- {error:.1f} (95 %: {low:.1f} to {high:.1f})"


def text(match: Match, result: Result) -> str:
    """The result as a table for people."""
    score = result.score()
    rows = [("first", result.names[0]), ("second", result.names[1])]
    rows += [
        (
            "openings",
            f"{match.opening} random plies, seed {match.seed}, each played with both sides",
        )
    ]
    if score is None:
        rows += [("games", "no pair of games is complete yet")]
    else:
        rows += _score_rows(score) + [
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


def as_data(match: Match, result: Result) -> dict[str, object]:
    """The result for JSON; infinite numbers become null."""
    score = result.score()
    data: dict[str, object] = {
        "game": match.game_spec,
        "first": result.names[0],
        "second": result.names[1],
    }
    data |= {"opening": match.opening, "seed": match.seed, "games": score.games if score else 0}
    if score is not None:
        data |= {
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pairs": score.pairs,
        }
        data |= {"score": _numbers(score.score), "elo": _numbers(score.elo)}
        data |= {"utility": _numbers(score.utility) if score.utility else None}
    data["time"] = [result.usage(0), result.usage(1)]
    data["failures"] = [record.to_dict() for record in result.failures()]
    return data


def _numbers(estimate: Estimate) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in vars(estimate).items()}
