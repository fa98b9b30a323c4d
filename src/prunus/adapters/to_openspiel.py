"""Games of Prunus as Python games of OpenSpiel."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from prunus.adapters.values import Foreign, library
from prunus.core.game import Game

ACTIONS: Final = 4096
LENGTH: Final = 1000


class _Held:
    """A State on its way through OpenSpiel, whose clones copy everything deeply. A State is a value
    and needs no copy."""

    __slots__ = ("state",)

    def __init__(self, state: object) -> None:
        self.state = state

    def __deepcopy__(self, memo: dict[int, object]) -> _Held:
        return self


def to_openspiel(game: Game, *, actions: int = ACTIONS, length: int = LENGTH) -> Foreign:
    """A `pyspiel.Game` with the rules of a game of Prunus, for OpenSpiel's algorithms: pass it to
    them, or call `new_initial_state()`.

    Player 0 starts (or the player that `to_move` names). Returns are the utility for the player to
    move at the end, and its negative for the other. Actions keep their numbers. actions: a number
    larger than any action; length: the most plies that a game may have; OpenSpiel's tabular
    algorithms size their tables by these. Raises GameError if OpenSpiel is missing. A State with an
    action outside 0 ... actions - 1 raises ValueError when its legal actions are asked for.
    """
    pyspiel = library("pyspiel", "OpenSpiel", "peers")
    game.freeze()
    kind = pyspiel.GameType(
        short_name="prunus_" + re.sub(r"\W+", "_", game.title().lower()).strip("_"),
        long_name=f"{game.title()} (Prunus)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    low, high = game.bounds(game.initial())
    most = float(max(-low, high))
    info = pyspiel.GameInfo(
        num_distinct_actions=actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0,
        max_game_length=length,
    )
    return _game_class(pyspiel, _state_class(pyspiel, game, actions))(kind, info, {})


def _game_class(pyspiel: Foreign, state_class: type) -> Foreign:
    class PrunusGame(pyspiel.Game):  # type: ignore[misc]
        """A game of Prunus."""

        def new_initial_state(self, state: object = None) -> Foreign:
            """The start."""
            return state_class(self)

    return PrunusGame


def _state_class(pyspiel: Foreign, game: Game, limit: int) -> Foreign:
    class PrunusState(_Rules, pyspiel.State):  # type: ignore[misc]
        """A State of Prunus as a state of OpenSpiel."""

        def __init__(self, spiel: Foreign) -> None:
            pyspiel.State.__init__(self, spiel)
            self._begin()

    # Attributes of the class: OpenSpiel clones a state's own attributes, and a game must not be
    # cloned.
    PrunusState.rules, PrunusState.limit, PrunusState.nobody = (
        game,
        limit,
        pyspiel.PlayerId.TERMINAL,
    )
    return PrunusState


class _Rules:
    """The methods that OpenSpiel calls on a state; their names and underscores are OpenSpiel's."""

    rules: ClassVar[Game]
    limit: ClassVar[int]
    nobody: ClassVar[Foreign]

    def _begin(self) -> None:
        start = self.rules.initial()
        self._held, self._player = _Held(start), int(self.rules.to_move(start))

    def current_player(self) -> Foreign:
        """The player to move, nobody at the end."""
        return self.nobody if self.is_terminal() else self._player

    def _legal_actions(self, player: int) -> list[int]:
        legal = sorted(map(int, self.rules.actions(self._held.state)))
        if legal and not 0 <= legal[0] <= legal[-1] < self.limit:
            outside = legal[0] if legal[0] < 0 else legal[-1]
            raise ValueError(
                f"{self.rules.title()} has action {outside}, outside 0 ... {self.limit - 1}: see "
                f"`actions` of to_openspiel"
            )
        return legal

    def _apply_action(self, action: int) -> None:
        child = self.rules.result(self._held.state, action)
        if not self.rules.keeps_turn(self._held.state, child):
            self._player = 1 - self._player
        self._held = _Held(child)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rules.action_name(self._held.state, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.rules.is_terminal(self._held.state))

    def returns(self) -> list[float]:
        """The outcome for player 0 and player 1; 0 for both before the end."""
        value = float(self.rules.utility(self._held.state)) if self.is_terminal() else 0.0
        return [value, 0.0 - value] if self._player == 0 else [0.0 - value, value]

    def __str__(self) -> str:
        return self.rules.format(self._held.state)
