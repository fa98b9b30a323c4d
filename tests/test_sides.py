"""Results of games are those of whoever is to move, also where a player may move twice."""

from __future__ import annotations

from prunus.games import make_game
from prunus.learn.results import side


def test_a_player_who_moves_again_keeps_the_side():
    game = make_game("dots:width=1,height=1")
    path = [game.initial()]
    for action in (0, 1, 2, 3):
        path.append(game.result(path[-1], action))
    assert [side(game, path, place) for place in range(5)] == [1, -1, 1, -1, -1]


def test_players_who_take_turns():
    game = make_game("tic-tac-toe")
    path = [game.initial(), game.play(["a1"]), game.play(["a1", "b1"])]
    assert [side(game, path, place) for place in range(3)] == [1, -1, 1]
