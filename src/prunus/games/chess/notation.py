"""Moves of chess as text, in SAN and as in UCI, and positions with the moves that lead to them."""

from __future__ import annotations

import re
from typing import Final

from prunus.core.bits import u64
from prunus.core.rules import PositionError
from prunus.games.chess.fen import ChessFen, name_of, square_named
from prunus.games.chess.moves import CASTLING, QUEENS, Board

SAN: Final = re.compile(r"([NBRQK]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?\(?([NBRQ])\)?)?")
CASTLES: Final = {"O-O": True, "O-O-O": False}
UCI: Final = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
DECORATION: Final = re.compile(r"[+#!?]+$|\s*e\.p\.$")
NUMBER: Final = re.compile(r"^\d+(\.+|…)")
STARTS: Final = ("", "start", "startpos")
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
PROMOTED: Final = " NBRQ"


class ChessNotation(ChessFen):
    """Reading and writing moves; `prunus.games.Chess` describes the notation."""

    drawn_as = "chess"
    clear_lead = 400

    def split_moves(self, text: str) -> tuple[str, list[str]]:
        words = text.replace(",", " ").split()
        if words[:1] == ["fen"]:
            words = words[1:]
        if "moves" in words:
            count = words.index("moves")
        elif words and "/" in words[0] and words[0] not in RESULTS:
            count = len(words)
        else:
            count = 1 if words and words[0].lower() in STARTS else 0
        before = " ".join(words[:count])
        names = [NUMBER.sub("", name) for name in words[count:] if name != "moves"]
        return (
            "" if before.lower() in STARTS else before,
            [name for name in names if name and name not in RESULTS],
        )

    def parse(self, text: str) -> Board:
        before, names = self.split_moves(text)
        return self.play(names, self.read_fen(before) if before else self.initial())

    def action_named(self, state: Board, name: str, number: int = 1, /) -> int:
        """The action with a name in SAN (also with more than it needs, as in `Ng1f3`, or without
        its signs for captures and checks) or in UCI's notation. Raises PositionError if there is
        none, or several."""
        if self.is_terminal(state):
            raise PositionError(f"move {number} ({name}): the game is already over")
        sent = self._sent(state, name.lower())
        if sent is not None:
            return sent
        legal = [int(action) for action in self.actions(state)]
        found = self._meant(state, DECORATION.sub("", name), legal)
        if len(found) == 1:
            return found[0]
        names = " ".join(self.action_name(state, action) for action in found or legal)
        raise PositionError(
            f"move {number} ({name}) is ambiguous; it may be {names}"
            if found
            else f"move {number} ({name}) is illegal here; legal: {names}"
        )

    def _sent(self, state: Board, name: str) -> int | None:
        """The action with a name in UCI's notation; None if there is none."""
        if UCI.fullmatch(name) is None:
            return None
        source = u64(1) << self.square(state, square_named(name[:2]))
        every = ~u64(0)
        for action in self.moves_to(state, source, every, every):
            if self.protocol_name(state, action) == name:
                return int(action)
        return None

    def _meant(self, state: Board, name: str, legal: list[int]) -> list[int]:
        """The legal actions that a move in SAN may mean."""
        castle = CASTLES.get(name.replace("0", "O"))
        if castle is not None:
            return [
                action
                for action in legal
                if action >> 12 == CASTLING and (action >> 6 & 63 > action & 63) == castle
            ]
        parts = SAN.fullmatch(name)
        if parts is None:
            return []
        piece, file, rank, target, promotion = parts.groups()
        return [
            action
            for action in legal
            if action >> 12 != CASTLING
            and self._piece(state, action) == (piece or "P")
            and name_of(self.square(state, action >> 6 & 63)) == target
            and (not file or self._from(state, action)[0] == file)
            and (not rank or self._from(state, action)[1] == rank)
            and self._promoted(action) == (promotion or "")
        ]

    def action_name(self, state: Board, action: int) -> str:
        action = int(action)
        child = self.result(state, action)
        check = ("+" if self.can_move(child) else "#") if self.in_check(child) else ""
        source, target = action & 63, action >> 6 & 63
        if action >> 12 == CASTLING:
            return ("O-O" if target > source else "O-O-O") + check
        piece, to = self._piece(state, action), name_of(self.square(state, target))
        takes = self.quiet_plies(child) == 0 and (piece != "P" or source % 8 != target % 8)
        promotion = self._promoted(action)
        if piece == "P":
            piece, which = "", self._from(state, action)[0] if takes else ""
        else:
            which = self._which(state, action)
        return f"{piece}{which}{'x' if takes else ''}{to}{promotion and '=' + promotion}{check}"

    def _which(self, state: Board, action: int) -> str:
        """What tells a piece apart from others of its kind that may move to the same square: the
        file, the rank, or both."""
        own, source = self._from(state, action), action & 63
        now, others = self.survey(state), []
        for other in range(64):
            if (
                other != source
                and self.same_piece(state, source, other)
                and (self.targets(state, now, other) >> (action >> 6 & 63) & 1)
            ):
                others.append(name_of(self.square(state, other)))
        if not others:
            return ""
        if all(other[0] != own[0] for other in others):
            return own[0]
        return own[1] if all(other[1] != own[1] for other in others) else own

    def protocol_name(self, state: Board, action: int) -> str:
        """The name of an action as in UCI: `e2e4`, `e7e8q`; castling is `e1g1`, in Chess960 the
        king takes the rook, `e1h1`."""
        source, target = action & 63, action >> 6 & 63
        if action >> 12 == CASTLING and not self.chess960:
            target = 6 if target > source else 2
        to = name_of(self.square(state, target))
        return self._from(state, action) + to + self._promoted(action).lower()

    def same_piece(self, state: Board, square: int, other: int) -> bool:
        """Whether pieces of one kind and side stand on two squares."""
        boards = (state.mine, state.pawns, state.knights, state.diagonals, state.straights)
        return (self.occupied(state) >> other & 1) != 0 and all(
            board >> square & 1 == board >> other & 1 for board in boards
        )

    def _from(self, state: Board, action: int) -> str:
        return name_of(self.square(state, action & 63))

    def _piece(self, state: Board, action: int) -> str:
        return self.piece_at(state, self.square(state, action & 63)).upper()

    def _promoted(self, action: int) -> str:
        kind = action >> 12
        return PROMOTED[kind].strip() if kind <= QUEENS else ""
