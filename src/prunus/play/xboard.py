"""Chess programs that speak the protocol of XBoard (CECP), through python-chess."""

from __future__ import annotations

import functools
import logging
import shlex
from typing import TYPE_CHECKING, Final

from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, PlayerFailure, PlayerLimits, Turn
from prunus.play.program import PATIENCE, TIMEOUT, environment
from prunus.play.turns import player_to_move

if TYPE_CHECKING:
    import chess.engine

    import chess

TAKES_POSITIONS: Final = "setboard"
"""The feature of a program that can be given a position."""


@functools.cache
def _protocol() -> type[chess.engine.XBoardProtocol]:
    """The protocol of python-chess, but for programs that cannot be given a position too (such as
    Fairy-Max), which python-chess does not talk to: they play every game whose moves they are told
    from the start."""
    import chess.engine

    class Features(dict[str, int | str]):
        """What a program says that it can. python-chess asks for `TAKES_POSITIONS` before
        anything else."""

        def __init__(self) -> None:
            super().__init__({TAKES_POSITIONS: 1})
            self.takes_positions = False

        def __setitem__(self, name: str, value: int | str) -> None:
            if name == TAKES_POSITIONS:
                self.takes_positions, value = bool(value), 1
            super().__setitem__(name, value)

    class Protocol(chess.engine.XBoardProtocol):
        def __init__(self) -> None:
            super().__init__()
            self.features: Features = Features()

        def send_line(self, line: str) -> None:
            if line.startswith(TAKES_POSITIONS) and not self.features.takes_positions:
                raise chess.engine.EngineError(
                    f"the program takes no positions (its {TAKES_POSITIONS} is 0), only games from "
                    f"the start: let the openings be moves"
                )
            super().send_line(line)

    return Protocol


class XBoardPlayer(Player):
    """A program for chess; after a failure it is restarted for the next game. Raises MatchError if
    python-chess is missing."""

    clocked = True

    def __init__(
        self,
        command: str,
        limits: PlayerLimits | None = None,
        name: str = "",
        ponder: bool = False,
    ) -> None:
        try:
            import chess.engine
        except ImportError:
            raise MatchError("xboard: needs python-chess: pip install 'prunus[chess]'") from None
        # Programs say many things that the protocol does not know; none of them is an error.
        logging.getLogger("chess.engine").setLevel(logging.CRITICAL)
        self.library, self.command, self.name = chess, command, name
        self.ponders = ponder
        self.limits = limits or PlayerLimits()
        if not command.strip():
            raise MatchError("xboard: needs a command, as in xboard:PROGRAM")
        self.timeout = max(TIMEOUT, PATIENCE * (self.limits.seconds or 0), self.limits.clock or 0)
        self.engine: chess.engine.SimpleEngine | None = None
        self.game: Game | None = None
        self.board: chess.Board | None = None
        self.number = 0

    def warm_up(self, game: Game) -> None:
        """Start the program. Raises MatchError if that is not possible."""
        try:
            self.begin(game, 0)
        except PlayerFailure as failure:
            raise MatchError(f"{self.command}: {failure}") from None

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.game, self.number = game, self.number + 1
        start = game.initial() if state is None else state
        try:
            self.board = self.library.Board(game.format(start))
        except ValueError:
            raise PlayerFailure("cannot begin", f"{game.title()} is not chess") from None
        if self.engine is None:
            self._launch()

    def _launch(self) -> None:
        chess = self.library
        try:
            self.engine = chess.engine.SimpleEngine.popen(
                _protocol(),
                shlex.split(self.command),
                timeout=self.timeout,
                env=environment(),
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as error:
            raise MatchError(f"cannot start {self.command!r}: {error}") from None
        except (TimeoutError, chess.engine.EngineError) as error:
            raise PlayerFailure("protocol", str(error) or "no answer") from None
        self.name = self.name or self.engine.id.get("name", self.command)

    def observe(self, state: object, action: int, seat: int) -> None:
        assert self.game is not None
        assert self.board is not None
        self.board.push_uci(self.game.protocol_name(state, action))

    def choose(self, position: Position, turn: Turn) -> Choice:
        chess, game, board = self.library, self.game, self.board
        assert game is not None
        assert board is not None
        assert self.engine is not None
        try:
            found = self.engine.play(
                board,
                self._limit(game, position, turn),
                game=self.number,
                info=chess.engine.INFO_SCORE,
                ponder=self.ponders,
            )
        except chess.engine.EngineTerminatedError as error:
            self.close()
            raise PlayerFailure("died", str(error)) from None
        except TimeoutError:
            self.close()
            raise PlayerFailure("no answer", f"no move within {self.timeout:g} s") from None
        except chess.engine.EngineError as error:
            self.close()
            kind = "illegal move" if "illegal" in str(error).lower() else "protocol"
            raise PlayerFailure(kind, str(error)) from None
        if found.resigned or found.move is None:
            raise PlayerFailure("resigned", "the program resigned")
        action = game.action_named(position.state, found.move.uci())
        board.push(found.move)
        score = found.info.get("score")
        value = None if score is None else score.relative.score(mate_score=32_000)
        return Choice(action, found.info.get("depth"), value=value)

    def _limit(self, game: Game, position: Position, turn: Turn) -> chess.engine.Limit:
        limits = self.limits
        made = self.library.engine.Limit(
            time=None if turn.left is not None else limits.seconds,
            depth=limits.depth,
            nodes=limits.nodes,
        )
        if turn.left is not None:
            theirs = turn.left if turn.theirs is None else turn.theirs
            white = player_to_move(game, position) == 0
            made.white_clock, made.black_clock = (
                (turn.left, theirs) if white else (theirs, turn.left)
            )
            made.white_inc = made.black_inc = turn.increment
            made.remaining_moves = turn.to_go
        return made

    def close(self) -> None:
        if self.engine is not None:
            engine, self.engine = self.engine, None
            try:
                engine.quit()
            except (TimeoutError, self.library.engine.EngineError):
                engine.close()
