"""A process that plays games of a tournament (`workers.py`): run as a module."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from prunus.adapters import open_any
from prunus.core.errors import PrunusError
from prunus.core.generic import Json
from prunus.games.files import place_in_file
from prunus.play.adjudication import read_adjudication
from prunus.play.openings import Openings, read_openings
from prunus.play.players import PlayerLimits
from prunus.play.referee import Manners
from prunus.play.specs import player_of
from prunus.play.tournament.here import Here
from prunus.play.tournament.schedule import Slot
from prunus.play.tournament.workers import Terms


def prepared(terms: Terms) -> Here:
    """A runner for these terms. Raises the errors of games, players and files."""
    game, _ = open_any(terms.game)
    defaults = PlayerLimits(**terms.defaults)
    players = [player_of(spec, defaults, terms.database) for spec in terms.specs]
    given = read_openings(game, Path(terms.openings)) if terms.openings else []
    database = None
    if terms.database:
        from prunus.databases.folder import Database

        database = Database(terms.database, game)
    manners = Manners(read_adjudication(terms.adjudication), terms.margin, database)
    return Here(game, players, Openings(game, terms.plies, terms.seed, given), manners)


def serve(lines: queue.SimpleQueue[str], answer: Callable[[Json], None]) -> None:
    """Play the games that the lines ask for."""
    runner = None
    while True:
        said = json.loads(lines.get())
        try:
            if runner is None:
                terms = {**said, "specs": tuple(said["specs"])}
                runner = prepared(Terms(**terms))
                continue
            slot = Slot(**said["slot"])
            played = runner.game_of(slot, tuple(said["clocks"]))
            names = [runner.players[number].name for number in (slot.first, slot.second)]
            answer({"record": played.record.to_dict(), "names": names})
        except (PrunusError, OSError) as error:
            answer({"error": str(error)})
            return
        except Exception as error:  # in the rules, or in a player
            said = traceback.format_exception_only(error)[0].strip()
            place = place_in_file(error)
            answer({"error": said if place is None else f"{said} ({place})"})
            return


def main() -> None:
    """Read games from standard input and write records to standard output, until the input ends:
    then everything ends at once, a game in progress too."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what rules print must not be taken for an answer
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def answer(message: Json) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    def listen() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    serve(lines, answer)


if __name__ == "__main__":
    main()
