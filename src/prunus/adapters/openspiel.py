"""Games of OpenSpiel in Prunus, interpreted, and games of Prunus for OpenSpiel's algorithms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final, NamedTuple

from prunus.adapters.replayed import Extended, ReplayedGame
from prunus.adapters.values import Foreign, library, one_word, scaled, suggestion
from prunus.games.errors import GameError

BY_TEXT: Final = frozenset(
    [
        "breakthrough",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "gomoku",
        "hex",
        "mancala",
        "mnk",
        "nim",
        "othello",
        "pentago",
        "tic_tac_toe",
        "y",
    ]
)
"""Games whose text and player to move determine everything about how they go on. Positions of any
other game are told apart by the moves that led to them: their texts leave something out
(repetitions, move counters) or were not examined."""

FINE: Final = 1000
"""The default scale of a game whose least or greatest outcome is not a whole number."""


class SpielPosition(Extended):
    """A state of OpenSpiel, never changed, and the player to move (at the end: the one who did not
    move last)."""

    __slots__ = ("by_text", "player", "spiel")

    def __init__(self, spiel: Foreign, player: int, by_text: bool) -> None:
        self.spiel, self.player, self.by_text = spiel, player, by_text

    def describe(self) -> str:
        """The player to move, with OpenSpiel's text or, if that does not tell everything, with the
        moves played."""
        return f"{self.player} {self.spiel if self.by_text else self.spiel.history_str()}"

    def after(self, action: int) -> SpielPosition:
        """The position that an action leads to."""
        child = self.spiel.child(action)
        player = child.current_player()
        return SpielPosition(child, player if player >= 0 else 1 - self.player, self.by_text)

    def __deepcopy__(self, memo: dict[int, object]) -> SpielPosition:
        return SpielPosition(self.spiel.clone(), self.player, self.by_text)


class OpenSpielGame(ReplayedGame):
    """A game of OpenSpiel for two players, sequential, deterministic, zero-sum and with perfect
    information.

    game: a game string, `breakthrough(rows=6,columns=6)`, or a `pyspiel.Game`. by_text: whether
    equal texts mean equal positions; by default only for the games in `BY_TEXT`. scale: outcomes
    are OpenSpiel's returns times `scale`, for the player to move; by default 1, or 1000 if the
    least or greatest return is not a whole number. Raises GameError.

    Actions have OpenSpiel's numbers, and OpenSpiel's names without spaces. A position is written as
    the names of the moves played, separated by spaces. At the end OpenSpiel has nobody to move;
    here it is the opponent of whoever moved last.
    """

    interpreted_only: ClassVar[bool] = True

    class State(NamedTuple):
        """One position."""

        position: SpielPosition

    def __init__(
        self, game: Foreign, by_text: bool | None = None, scale: int | None = None
    ) -> None:
        self._spiel = _loaded(game) if isinstance(game, str) else game
        _expect_suitable(self._spiel)
        self.spec = str(self._spiel).removesuffix("()")
        self.by_text = self._spiel.get_type().short_name in BY_TEXT if by_text is None else by_text
        limits = (self._spiel.min_utility(), self._spiel.max_utility())
        self.scale = scale or (1 if all(float(limit).is_integer() for limit in limits) else FINE)
        self.limits = (
            scaled(limits[0], self.scale, "the least return"),
            scaled(limits[1], self.scale, "the greatest return"),
        )

    def title(self) -> str:
        return f"{self.spec} (OpenSpiel)"

    def initial(self) -> State:
        spiel = self._spiel.new_initial_state()
        return self.State(SpielPosition(spiel, max(spiel.current_player(), 0), self.by_text))

    def actions(self, state: State) -> Iterable[int]:
        legal: list[int] = state.position.spiel.legal_actions()
        return legal

    def is_terminal(self, state: State) -> bool:
        return bool(state.position.spiel.is_terminal())

    def utility(self, state: State) -> int:
        position = state.position
        return scaled(position.spiel.returns()[position.player], self.scale, "a return")

    def to_move(self, state: State) -> int:
        return int(state.position.player)

    def bounds(self, state: State) -> tuple[int, int]:
        return self.limits

    # Texts.

    def format(self, state: State) -> str:
        """OpenSpiel's drawing, and below it the moves played from the start."""
        names, now = [], self._spiel.new_initial_state()
        for action in state.position.spiel.history():
            names.append(one_word(now.action_to_string(now.current_player(), action)))
            now.apply_action(action)
        return self.written(str(state.position.spiel), names)

    def action_name(self, state: State, action: int) -> str:
        return one_word(state.position.spiel.action_to_string(state.position.player, int(action)))


def _loaded(spec: str) -> Foreign:
    """The `pyspiel.Game` of a game string. Raises GameError."""
    pyspiel = library("pyspiel", "OpenSpiel", "peers")
    name, bracket, parameters = spec.strip().partition("(")
    if name.startswith("python_"):
        # Importing these games registers them.
        library("open_spiel.python.games", "OpenSpiel", "peers")
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if name not in kinds:
        suitable = sorted(known for known, kind in kinds.items() if not _unsuitable(pyspiel, kind))
        raise GameError(
            f"OpenSpiel has no game {name!r}; "
            f"{suggestion(name, suitable, 'games that can be searched here')}"
        )
    if bracket and not parameters.endswith(")"):
        raise GameError(f"openspiel:{spec}: a closing bracket is missing")
    # OpenSpiel prints its errors as it raises them, so a wrong kind of game is refused before it is
    # loaded.
    if kinds[name].is_concrete:
        _expect_kind(pyspiel, name, kinds[name])
    known = kinds[name].parameter_specification
    for part in filter(None, parameters[:-1].split(",")) if "(" not in parameters else ():
        parameter = part.partition("=")[0].strip()
        if parameter not in known:
            raise GameError(
                f"openspiel:{name} has no parameter {parameter!r}; "
                f"{suggestion(parameter, known, 'parameters')}"
            )
    try:
        return pyspiel.load_game(spec.strip())
    except Exception as error:
        raise GameError(f"openspiel:{spec}: {str(error).strip().splitlines()[0]}") from None


def _expect_kind(pyspiel: Foreign, name: str, kind: Foreign) -> None:
    """Raise GameError unless games of this type are sequential, deterministic, zero-sum and with
    perfect information."""
    wrong = _unsuitable(pyspiel, kind)
    if wrong:
        raise GameError(f"openspiel:{name} cannot be searched here: {', '.join(wrong)}")


def _unsuitable(pyspiel: Foreign, kind: Foreign) -> list[str]:
    return [
        reason
        for reason, is_so in (
            (
                "its players move at the same time",
                kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL,
            ),
            ("it has chance", kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC),
            (
                "its information is not perfect",
                kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION,
            ),
            ("it is not zero-sum", kind.utility != pyspiel.GameType.Utility.ZERO_SUM),
            (
                f"it is for {kind.max_num_players} "
                f"{'player' if kind.max_num_players == 1 else 'players'} at most",
                kind.max_num_players < 2,
            ),
            (f"it is for {kind.min_num_players} players at least", kind.min_num_players > 2),
        )
        if is_so
    ]


def _expect_suitable(spiel: Foreign) -> None:
    pyspiel = library("pyspiel", "OpenSpiel", "peers")
    _expect_kind(pyspiel, spiel.get_type().short_name, spiel.get_type())
    if spiel.num_players() != 2:
        raise GameError(
            f"openspiel:{spiel} cannot be searched here: it is for {spiel.num_players()} players, "
            f"not two"
        )
