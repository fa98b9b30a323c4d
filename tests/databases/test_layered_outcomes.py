"""Wins, draws and losses solved layer by layer, against all positions at once and a naive solver."""

from __future__ import annotations

import random

import numpy as np

import prunus
from prunus.databases import listing
from prunus.databases.backward import solve_positions
from prunus.databases.errors import DatabaseError
from prunus.databases.labels import value_of
from prunus.databases.limit import MemoryLimitError
from prunus.databases.numbering import LISTING, number_positions
from prunus.databases.waves import Begun
from tests.amount import amount
from tests.databases import naive
from tests.databases.test_layers import Heights, heights

PLAIN = {name: getattr(prunus.Game, name) for name in ("settled", "unsettled")}
"""What a game has in which nothing is settled before the end."""


Layered = type("Layered", (Heights,), PLAIN)


def layered(seed, **methods):
    """A random graph with cycles and extra turns, whose edges never lead up."""
    game = heights(seed, type("Changed", (Layered,), methods) if methods else Layered)
    game.gain[:] = 0
    # Ends far from most positions: long ways, on which several layers follow each other.
    draw = random.Random(seed)
    game.worth[:] = [draw.choice([-1, 1, 0]) for _ in game.worth]
    return game


def solved(game, **options):
    return solve_positions(
        number_positions(game, compile=False), outcomes=True, compile=False, **options
    )


def test_layers_change_neither_outcomes_nor_distances():
    longest, drawn = 0, 0
    for seed in range(amount(80, 800)):
        game = layered(seed)
        found = solved(game)
        without = solved(layered(seed, layer=prunus.Game.layer))
        wanted = naive.outcomes(game, game.initial())
        for place in range(len(found.positions)):
            label = int(found.labels[place])
            value = value_of(label, False)
            assert value == wanted[found.positions.state(place)], seed
            assert value == value_of(int(without.labels[place]), False), seed
            longest = max(longest, value.plies or 0)
            drawn += value.value == 0
    assert longest > 6 and drawn > 100


def test_compiled_in_two_threads():
    for seed in range(amount(3, 100)):
        positions = number_positions(layered(seed), threads=2)
        found = solve_positions(positions, outcomes=True, threads=2)
        again = solved(layered(seed))
        assert found.labels.array.tobytes() == again.labels.array.tobytes(), seed


def test_a_build_goes_on_after_any_layer():
    """Whatever labels the next layers had been given."""
    for seed in range(amount(5, 40)):
        kept = []
        whole = solved(layered(seed), keep=lambda begun, kept=kept: kept.append(begun.told))
        nodes = [whole.positions.state(place).node for place in range(len(whole.positions))]
        heights_of = np.array(whole.positions.game.height)[nodes]
        assert kept
        for told in kept:
            labels = whole.labels.array.copy()
            labels[heights_of > told] ^= 5
            again = solved(layered(seed), begun=Begun(labels, told))
            assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, told)


def test_moves_that_have_no_room_in_a_list_are_made_again(monkeypatch):
    """Draws of lower layers have the label of what is undecided; they are no part of a layer."""

    def limited(doing, number):
        if doing == LISTING:
            raise MemoryLimitError("enough")

    for seed in range(amount(8, 80)):
        whole = solved(layered(seed))
        # Parts of one and two positions: some are all over, or have no moves.
        monkeypatch.setattr(listing, "FEW", 1)
        monkeypatch.setattr(listing, "MANY", 2)
        for more, watch in ((2.0, None), (0.5, None), (0.0, None), (listing.MORE, limited)):
            monkeypatch.setattr(listing, "MORE", more)
            again = solved(layered(seed), watch=watch)
            assert again.labels.array.tobytes() == whole.labels.array.tobytes(), (seed, more)
        monkeypatch.undo()


def test_edges_to_a_higher_layer_are_found():
    refused = 0
    for seed in range(8):
        game = layered(seed, layer=lambda self, state: 20 - int(self.height[state.node]))
        try:
            solved(game)
        except DatabaseError as error:
            assert "raises the layer of node=" in str(error)
            refused += 1
    assert refused > 3
