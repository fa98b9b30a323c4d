"""The adapters. What an adapter says where its library is missing is tested everywhere, what it does where the library is installed."""

from __future__ import annotations

import importlib.util
import random


def needs(module):
    """A test that is there only where the library is installed."""
    return lambda test: test if importlib.util.find_spec(module) else None


def walk(game, seed, longest=400):
    """The States of a random game."""
    chance, states = random.Random(seed), [game.initial()]
    while not game.is_terminal(states[-1]) and len(states) <= longest:
        states.append(game.result(states[-1], chance.choice(list(game.actions(states[-1])))))
    return states
