"""Chess by python-chess, interpreted: legal moves, FEN and SAN are its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from prunus.adapters.values import Described, Foreign, key_of, library
from prunus.core.bits import u64
from prunus.core.game import Game, PositionError
from prunus.games.errors import GameError

MATE: Final = 10_000
"""The value of a win; evaluations lie strictly between -MATE and MATE."""

MATERIAL: Final = (0, 100, 320, 330, 500, 900, 0)
"""Centipawns by python-chess's number of the piece: pawn 1, knight 2, bishop 3, rook 4, queen 5,
king 6."""


class BoardPosition(Described):
    """A board, never changed. Positions differ by pieces, side to move, castling rights, en passant
    squares where a capture is possible, and the plies towards the 75-move rule, but not by the
    number of the move."""

    __slots__ = ("board",)

    def __init__(self, board: Foreign) -> None:
        self.board = board

    def describe(self) -> str:
        """The first five fields of the FEN, with an en passant square only where a capture is
        possible."""
        return f"{self.board.epd()} {self.board.halfmove_clock}"

    def __deepcopy__(self, memo: dict[int, object]) -> BoardPosition:
        return BoardPosition(self.board.copy(stack=False))


class ChessBoardGame(Game):
    """Orthodox chess on boards of python-chess, from the position of a FEN (by default the usual
    start). Raises GameError for a FEN that is not a legal position, or if python-chess is missing.

    The game ends as python-chess ends it without a claim: checkmate, stalemate, insufficient
    material, 75 moves by each player without a capture or a pawn move. A board is copied without
    the moves before it, so repetitions are never seen. Utility: -10000 when mated, 0 for draws;
    evaluation: material in centipawns, at most 9999. Actions are from_square + 64 to_square + 4096
    promotion (python-chess's numbers), captures first; names are SAN. Positions: a FEN, a FEN or
    `start` followed by `moves` and moves, or moves alone, in SAN or UCI notation.
    """

    name = "chess (python-chess)"
    interpreted_only: ClassVar[bool] = True

    class State(NamedTuple):
        """One position."""

        position: BoardPosition

    def __init__(self, fen: str = "") -> None:
        try:
            self.fen = self._read(fen or self._chess.STARTING_FEN).fen()
        except PositionError as error:
            raise GameError(str(error)) from None

    @property
    def _chess(self) -> Foreign:
        return library("chess", "python-chess", "chess")

    def initial(self) -> State:
        return self.State(BoardPosition(self._chess.Board(self.fen)))

    def actions(self, state: State) -> Iterator[int]:
        board = state.position.board
        for move in board.generate_legal_captures():
            yield _number(move)
        for move in board.generate_legal_moves():
            if not board.is_capture(move):
                yield _number(move)

    def result(self, state: State, action: int) -> State:
        board = state.position.board.copy(stack=False)
        board.push(self.move(action))
        # The position does not include the move just made either.
        board.clear_stack()
        return self.State(BoardPosition(board))

    def is_terminal(self, state: State) -> bool:
        board = state.position.board
        if board.halfmove_clock >= 150 or board.is_insufficient_material():
            return True
        return not any(board.generate_legal_moves())

    def utility(self, state: State) -> int:
        return -MATE if state.position.board.is_checkmate() else 0

    def to_move(self, state: State) -> int:
        """0 for White, 1 for Black."""
        return 0 if state.position.board.turn else 1

    def keeps_turn(self, state: State, child: State) -> bool:
        return False

    def evaluate(self, state: State) -> int:
        board = state.position.board
        mine, theirs = board.occupied_co[board.turn], board.occupied_co[not board.turn]
        value = 0
        for worth, pieces in zip(
            MATERIAL[1:6],
            (board.pawns, board.knights, board.bishops, board.rooks, board.queens),
            strict=True,
        ):
            value += worth * ((pieces & mine).bit_count() - (pieces & theirs).bit_count())
        return max(1 - MATE, min(MATE - 1, value))

    def bounds(self, state: State) -> tuple[int, int]:
        return (-MATE, MATE)

    def key(self, state: State) -> u64:
        return key_of(state.position)

    def noisy_actions(self, state: State) -> Iterator[int]:
        """The captures and the promotions."""
        board = state.position.board
        for action in self.actions(state):
            move = self.move(action)
            if move.promotion or board.is_capture(move):
                yield action

    def in_check(self, state: State) -> bool:
        """Whether the side to move is in check."""
        return bool(state.position.board.is_check())

    def move(self, action: int) -> Foreign:
        """The `chess.Move` of an action."""
        number = int(action)
        return self._chess.Move(number & 63, number >> 6 & 63, number >> 12 or None)

    # Texts.

    def parse(self, text: str) -> State:
        before, found, moves = text.partition("moves")
        if not found and "/" not in before:
            before, moves = "", before
        place = before.strip()
        state = (
            self.State(BoardPosition(self._read(place)))
            if place.lower() not in ("", "start")
            else self.initial()
        )
        return self.play(
            [word for word in moves.replace(",", " ").split() if word.lower() != "start"], state
        )

    def _read(self, fen: str) -> Foreign:
        chess = self._chess
        try:
            board = chess.Board(fen)
        except ValueError as error:
            raise PositionError(f"this is not a FEN: {error}") from None
        if not board.is_valid():
            faults = (
                flag.name.replace("_", " ").lower()
                for flag in chess.Status
                if flag and flag in board.status()
            )
            raise PositionError(f"{fen!r} is not a legal position: {', '.join(faults)}")
        return board

    def action_named(self, state: State, name: str, number: int = 1, /) -> int:
        """The action with a name in SAN or UCI notation. Raises PositionError if it is illegal
        or ambiguous."""
        if self.is_terminal(state):
            raise PositionError(f"move {number} ({name}): the game is already over")
        board = state.position.board
        for read in (board.parse_san, board.parse_uci):
            try:
                move = read(name)
            except ValueError:
                continue
            if move:
                return _number(move)
        legal = " ".join(self.action_name(state, action) for action in self.actions(state))
        raise PositionError(f"move {number} ({name}) is illegal here, or ambiguous; legal: {legal}")

    def format(self, state: State) -> str:
        return str(state.position.board.fen())

    def action_name(self, state: State, action: int) -> str:
        return str(state.position.board.san(self.move(action)))


def _number(move: Foreign) -> int:
    return int(move.from_square | move.to_square << 6 | (move.promotion or 0) << 12)


def open_chess(fen: str) -> ChessBoardGame:
    """The game from a FEN, or from the usual start for an empty text. Raises GameError."""
    return ChessBoardGame(fen.strip())
