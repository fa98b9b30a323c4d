"""Games played at random, for openings, samples and tests of fit."""

from __future__ import annotations

import random
from typing import NamedTuple

from prunus.algorithms.repetition import allowed_actions, is_over
from prunus.core.game import Game


class RandomGamePlayed(NamedTuple):
    """The actions and the States of a game, from its start on, and whether the game is over."""

    actions: list[int]
    states: list[object]
    is_over: bool


def play_at_random(game: Game, plies: int, rng: random.Random) -> RandomGamePlayed:
    """`plies` random plies from the start, by the rules of repetition; fewer if the game is over
    sooner."""
    actions: list[int] = []
    states = [game.initial()]
    while not is_over(game, states):
        if len(actions) == plies:
            return RandomGamePlayed(actions, states, False)
        actions.append(rng.choice(list(allowed_actions(game, states))))
        states.append(game.result(states[-1], actions[-1]))
    return RandomGamePlayed(actions, states, True)
