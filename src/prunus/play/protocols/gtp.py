"""The Go Text Protocol, version 2 (Farneback 2002), as a program for any game for two.

Black makes the first move. The names of a game's actions are the vertices, without regard to case.
A game with an attribute `size` has that board size and no other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prunus.core.errors import PrunusError
from prunus.core.position import Position
from prunus.play.protocols.orders import Orders
from prunus.play.protocols.server import GOODBYE, Server
from prunus.play.protocols.settings import Settings

if TYPE_CHECKING:
    from prunus.play.protocols.brain import Brain
    from prunus.play.protocols.thinking import Line, Search

COLOURS: Final = {"b": 0, "black": 0, "w": 1, "white": 1}
SECONDS: Final = 5.0
"""The time of a move as long as none has been set."""


class GtpError(PrunusError, ValueError):
    """A command that cannot be carried out; the message is the protocol's."""


class GtpServer(Server):
    """A program for one game. `seconds` is what a move takes as long as no time has been set."""

    def __init__(self, settings: Settings, seconds: float | None = None) -> None:
        super().__init__()
        self.settings, self.seconds = settings, seconds or SECONDS
        self.brain: Brain = settings.brain()
        self.game = self.brain.game
        self.brain.warm_up()
        self.is_loaded = True
        self.history = [Position(self.game.initial())]
        self.search: Search | None = None
        self.number = ""
        self.main, self.period, self.stones = 0.0, 0.0, 0
        self.is_timed = False
        self.left: dict[int, tuple[float, int]] = {}
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Prunus",
            "version": lambda words: settings.title.split()[1],
            "known_command": self.known_command,
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": lambda words: "",
            "boardsize": self.board_size,
            "clear_board": self.clear_board,
            "komi": lambda words: "",
            "play": self.play,
            "genmove": self.genmove,
            "undo": self.undo,
            "showboard": self.show_board,
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "final_score": self.final_score,
        }

    def handle(self, line: str) -> None:
        """Answer a command, which may begin with a number; comments and control characters do not
        count."""
        text = "".join(c if c >= " " else " " for c in line.partition("#")[0])
        words = text.split()
        self.number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            return
        if words[0] not in self.commands:
            raise GtpError("unknown command")
        answer = self.commands[words[0]](words[1:])
        self.say(f"={self.number} {answer}".rstrip() if answer else f"={self.number}", "")

    def complain(self, error: Exception) -> None:
        said = " ".join(str(error).split()) or type(error).__name__
        self.say(f"?{self.number} {said}", "")

    # The board.

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.history[-1]

    def seat(self) -> int:
        """The colour to move: 0 for black."""
        game, path = self.game, self.position.path
        if not game.alternates:
            first = int(game.to_move(path[0]))
            return int(game.to_move(path[-1])) ^ first
        return (len(path) - 1) % 2

    def known_command(self, words: list[str]) -> str:
        """Whether there is a command."""
        return "true" if words and words[0] in self.commands else "false"

    def board_size(self, words: list[str]) -> str:
        """Accept the game's own size."""
        try:
            asked = int(words[0])
        except (IndexError, ValueError):
            raise GtpError("boardsize not an integer") from None
        if asked != getattr(self.game, "size", asked):
            raise GtpError("unacceptable size")
        return ""

    def clear_board(self, words: list[str]) -> str:
        """Begin a game."""
        self.history = [Position(self.game.initial())]
        self.left = {}
        self.brain.forget()
        return ""

    def play(self, words: list[str]) -> str:
        """Make a move of a colour. A player whose only move is a pass may be passed over."""
        if len(words) < 2 or words[0].lower() not in COLOURS:
            raise GtpError("invalid color or coordinate")
        self._expect_turn(COLOURS[words[0].lower()])
        self._make(self._action(words[1]))
        return ""

    def _expect_turn(self, colour: int) -> None:
        """Raise GtpError unless it is this colour's turn, perhaps after a pass that was not
        told."""
        if self.seat() != colour and self._legal().keys() == {"pass"}:
            self._make(self._legal()["pass"])
        if self.seat() != colour:
            raise GtpError("illegal move: it is the other color's turn")

    def _legal(self) -> dict[str, int]:
        from prunus.algorithms.repetition import allowed_actions, is_over

        state, path = self.position.state, self.position.path
        if is_over(self.game, path):
            return {}
        names = [
            (self.game.action_name(state, a).lower(), a) for a in allowed_actions(self.game, path)
        ]
        return {name: int(action) for name, action in names}

    def _action(self, name: str) -> int:
        legal = self._legal()
        if name.lower() not in legal:
            raise GtpError("illegal move")
        return legal[name.lower()]

    def _make(self, action: int) -> None:
        self.history.append(self.position.after(self.game, action))

    def undo(self, words: list[str]) -> str:
        """Take the last move back."""
        if len(self.history) == 1:
            raise GtpError("cannot undo")
        self.history.pop()
        return ""

    def show_board(self, words: list[str]) -> str:
        """The position as text."""
        return "\n" + self.game.format(self.position.state)

    def final_score(self, words: list[str]) -> str:
        """The result of a finished game."""
        from prunus.algorithms.repetition import final_value, is_over

        if not is_over(self.game, self.position.path):
            raise GtpError("cannot score: the game is not over")
        value = final_value(self.game, self.position.path)
        value = value if self.seat() == 0 else -value
        return "0" if value == 0 else f"{'B' if value > 0 else 'W'}+{abs(value)}"

    # Time and moves.

    def time_settings(self, words: list[str]) -> str:
        """Main time, the length of a period, and the stones in it; 0 1 0 means no limit."""
        try:
            main, period = (_seconds(word) for word in words[:2])
            stones = max(0, int(words[2]))
        except (IndexError, ValueError):
            raise GtpError("syntax error") from None
        self.main, self.period, self.stones = main, period, stones
        self.is_timed = not (period > 0 and stones == 0)
        self.left = {}
        return ""

    def time_left(self, words: list[str]) -> str:
        """The time of a colour: in the main time with 0 stones, otherwise in a period."""
        try:
            colour, seconds, stones = COLOURS[words[0].lower()], _seconds(words[1]), int(words[2])
        except (IndexError, KeyError, ValueError):
            raise GtpError("syntax error") from None
        self.left[colour] = (seconds, stones)
        return ""

    def genmove(self, words: list[str]) -> str:
        """Find a move for a colour and make it."""
        if not words or words[0].lower() not in COLOURS:
            raise GtpError("invalid color")
        from prunus.play.protocols.thinking import Search

        colour = COLOURS[words[0].lower()]
        self._expect_turn(colour)
        if not self._legal():
            return "pass"
        found: list[int | None] = []
        failed: list[Exception] = []

        def tell(line: Line) -> None:
            """Nobody listens."""

        orders, overhead = self._orders(colour), self.settings.overhead / 1000
        self.search = Search(
            self.brain,
            self.position,
            orders,
            colour,
            overhead,
            tell,
            lambda best, reply: found.append(best),
            failed.append,
        )
        if self.ending.is_set():
            self.search.stop()
        self.search.start()
        self.search.join()
        action = found[0] if found else None
        if action is None:
            raise failed[0] if failed else GtpError("no move found")
        name = self.game.action_name(self.position.state, action)
        self._make(action)
        return name

    def _orders(self, colour: int) -> Orders:
        """The time for a move, from what was set and what the controller says is left."""
        orders = Orders()
        if not self.is_timed:
            orders.move = round(1000 * self.seconds)
            return orders
        seconds, stones = self.left.get(colour, (self.main, 0))
        a_stone = self.period / self.stones if self.stones else 0.0
        if stones or seconds <= 0:
            # In a period: what is left of it, for the stones that are left.
            each = seconds / stones if stones else a_stone
            orders.move = round(1000 * max(0.01, each))
            return orders
        times = {"first": seconds, "second": seconds}
        for name, value in times.items():
            setattr(orders, name, round(1000 * value))
        orders.byoyomi = round(1000 * a_stone)
        return orders

    def hurry(self) -> None:
        if self.search is not None:
            self.search.stop()

    def farewell(self) -> None:
        if self.search is not None:
            self.search.join(GOODBYE)


def _seconds(text: str) -> float:
    """A time of the controller; less than nothing is nothing. Raises ValueError."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return max(0.0, value)
