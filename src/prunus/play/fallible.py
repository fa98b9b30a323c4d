"""Opponents that err, as models and as players, and a player who sets traps for them.

A value of minimax supposes a perfect opponent. Against one that is known to err, another move may
be worth more: one after which the errors cost most. The expected value over a model of the opponent
says which (expectimax; Michie 1966).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from prunus.algorithms.repetition import allowed_actions
from prunus.core.game import Game
from prunus.core.position import Position
from prunus.play.players import Choice, MatchError, Player, Turn

OPPONENTS: Final = ("random", "greedy", "shallow")
"""The kinds of opponents: how many plies each looks ahead is in `Model.plies`."""

MOST: Final = 1_000_000
"""The most values that a player keeps from one move to the next."""

CLOSE: Final = 1e-9
"""Expected values that differ by less are equal: they are sums of fractions."""


@dataclass(frozen=True)
class Model:
    """A fallible opponent. With probability `p` it draws among all its actions. Otherwise it makes
    one that looks best `plies` plies ahead, each of these equally often; with 0 plies the one that
    is worst for the other player, as far as that one looks itself."""

    plies: int = 0
    p: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise MatchError(f"p is {self.p}; it is a probability, 0 to 1")
        if self.plies < 0:
            raise MatchError(f"the opponent looks {self.plies} plies ahead; it is 0 or more")


def model_of(opponent: str, p: float | None = None, plies: int | None = None) -> Model:
    """The model of a kind of opponent: `random` (by default all its actions are drawn), `greedy`
    (looks a ply ahead) or `shallow` (`plies` plies, by default 2). Raises MatchError."""
    if opponent not in OPPONENTS:
        raise MatchError(f"the opponents are {', '.join(OPPONENTS)}, not {opponent!r}")
    if plies is not None and (opponent != "shallow" or plies < 1):
        raise MatchError(f"plies={plies}: only opponent=shallow has plies, at least 1")
    if opponent == "random":
        return Model(0, 1.0 if p is None else p)
    return Model(1 if opponent == "greedy" else plies or 2, p or 0.0)


class Lookahead:
    """Values of one game for the player to move, a number of plies ahead: the utility of finished
    games, the game's estimate at the limit. Positions that come again are not noticed."""

    def __init__(self, game: Game, model: Model) -> None:
        self.game, self.model = game, model
        self.worsts: dict[tuple[object, int], int] = {}
        self.hopes: dict[tuple[object, int, bool], float] = {}

    def make_room(self) -> None:
        """Forget all values if they are very many. They are the same whenever they are computed."""
        if len(self.worsts) + len(self.hopes) > MOST:
            self.worsts.clear()
            self.hopes.clear()

    def worst(self, state: object, depth: int) -> int:
        """The minimax value: what the player to move has against any opponent."""
        if self.game.is_terminal(state) or depth <= 0:
            return self._leaf(state)
        key = (state, depth)
        if key not in self.worsts:
            self.worsts[key] = max(self.after(state, depth).values())
        return self.worsts[key]

    def after(self, state: object, depth: int) -> dict[int, int]:
        """The minimax value of each action, for the player who makes it."""
        found = {}
        for action in map(int, self.game.actions(state)):
            child = self.game.result(state, action)
            value = self.worst(child, depth - 1)
            found[action] = value if self.game.keeps_turn(state, child) else -value
        return found

    def expected(self, state: object, depth: int, ours: bool) -> float:
        """The expected value for the player to move (`ours`: that is us, not the opponent), if we
        choose what has the highest expectation and the opponent acts as its model does."""
        if self.game.is_terminal(state) or depth <= 0:
            return float(self._leaf(state))
        key = (state, depth, ours)
        if key not in self.hopes:
            values = {
                action: self.expected_after(state, action, depth, ours)
                for action in map(int, self.game.actions(state))
            }
            self.hopes[key] = (
                max(values.values()) if ours else self._of_opponent(state, depth, values)
            )
        return self.hopes[key]

    def expected_after(self, state: object, action: int, depth: int, ours: bool) -> float:
        """The expected value of an action, for the player who makes it."""
        child = self.game.result(state, action)
        keeps = self.game.keeps_turn(state, child)
        value = self.expected(child, depth - 1, ours if keeps else not ours)
        return value if keeps else -value

    def _of_opponent(self, state: object, depth: int, values: dict[int, float]) -> float:
        """The mean of the values of the opponent's actions, weighted by its model."""
        model = self.model
        drawn = sum(values.values()) / len(values)
        if model.p == 1:
            return drawn
        if model.plies == 0:
            chosen = max(values.values())
        else:
            liked = self.liked(state)
            chosen = sum(values[action] for action in liked) / len(liked)
        return model.p * drawn + (1 - model.p) * chosen

    def liked(self, state: object) -> list[int]:
        """The actions that look best as many plies ahead as the model looks."""
        found = self.after(state, self.model.plies)
        best = max(found.values())
        return [action for action, value in found.items() if value == best]

    def _leaf(self, state: object) -> int:
        game = self.game
        return int(game.utility(state) if game.is_terminal(state) else game.evaluate(state))


class FalliblePlayer(Player):
    """Plays as a model does. With 0 plies, the best action is minimax's, `depth` plies ahead; each
    of several that are as good is drawn equally often."""

    def __init__(self, model: Model, depth: int = 4, seed: int = 0, name: str = "fallible") -> None:
        self.model, self.depth, self.name = model, depth, name
        self.random = random.Random(seed)  # noqa: S311 - a game, not a secret
        self.ahead: Lookahead | None = None

    def warm_up(self, game: Game) -> None:
        if game.players != 2:
            raise MatchError(f"{game.title()} has {game.players} players; a match is for two")
        if self.depth < 1:
            raise MatchError(f"{self.name} looks {self.depth} plies ahead; it is at least 1")

    def begin(self, game: Game, seat: int, state: object = None) -> None:
        self.warm_up(game)
        if self.ahead is None or self.ahead.game is not game:
            self.ahead = Lookahead(game, self.model)
        self.game = game

    def choose(self, position: Position, turn: Turn) -> Choice:
        assert self.ahead is not None
        allowed = list(allowed_actions(self.game, position.path))
        if self.random.random() < self.model.p:
            return Choice(self.random.choice(allowed))
        self.ahead.make_room()
        depth = self.model.plies or self.depth
        values = self.ahead.after(position.state, depth)
        best = max(values[action] for action in allowed)
        liked = [action for action in allowed if values[action] == best]
        return Choice(self.random.choice(liked), depth, value=best)


class TrapPlayer(FalliblePlayer):
    """Makes the action with the highest expected value against a model, among those whose minimax
    value, the same `depth` plies ahead, is at most `risk` below the best. Equal expectations: the
    higher minimax value, then the first. With `risk` 0 it gives up nothing that minimax sees, and
    chooses among equals the one with the best trap. What it reports is an expectation, rounded, and
    never proved."""

    def __init__(
        self, model: Model, depth: int = 4, risk: int = 0, seed: int = 0, name: str = "trap"
    ) -> None:
        super().__init__(model, depth, seed, name)
        self.risk = risk

    def choose(self, position: Position, turn: Turn) -> Choice:
        assert self.ahead is not None
        self.ahead.make_room()
        state = position.state
        values = self.ahead.after(state, self.depth)
        allowed = list(allowed_actions(self.game, position.path))
        least = max(values[action] for action in allowed) - self.risk
        chosen, best = allowed[0], None
        for action in allowed:
            if values[action] < least:
                continue
            hope = self.ahead.expected_after(state, action, self.depth, ours=True)
            if best is None or hope > best + CLOSE:
                chosen, best = action, hope
            elif hope > best - CLOSE and values[action] > values[chosen]:
                chosen = action
        return Choice(chosen, self.depth, value=round(best or 0.0))
