"""The other side of `peers.py`: runs in the peers' environment and knows nothing of Prunus. One
line of JSON in, one out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Searcher = Callable[[dict[str, Any]], dict[str, Any]]
"""A function that answers a request."""


def openspiel() -> tuple[Searcher, str]:
    """Alpha-beta of open_spiel.python on the C++ states of pyspiel, with the evaluation 0 at the
    horizon."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    games = {name: pyspiel.load_game(name) for name in ("connect_four", "othello")}

    def search(request: dict[str, Any]) -> dict[str, Any]:
        game = games[request["game"]]
        state = game.new_initial_state()
        for action in request["actions"]:
            state.apply_action(action)
        valued = [0]

        def counting(_: Any) -> int:
            valued[0] += 1
            return 0

        evaluate = counting if request["count"] else lambda _: 0
        began = time.thread_time()
        value, _ = alpha_beta_search(
            game, state=state, value_function=evaluate, maximum_depth=request["depth"]
        )
        return {"seconds": time.thread_time() - began, "value": value, "valued": valued[0]}

    return search, version("open_spiel")


def easyai() -> tuple[Searcher, str]:
    """Negamax of easyAI on the Connect Four and the Reversi among its own examples, without a
    transposition table."""
    from easyAI import Human_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour
    from easyAI.games.Reversi import Reversi, to_string

    def search(request: dict[str, Any]) -> dict[str, Any]:
        is_othello = request["game"] == "othello"
        game = (Reversi if is_othello else ConnectFour)([Human_Player(), Human_Player()])
        for action in request["actions"]:
            game.make_move(to_string(divmod(action, 8)) if is_othello else action)
            game.switch_player()
        valued = [0]

        def counting(position: Any) -> Any:
            valued[0] += 1
            return position.scoring()

        negamax = Negamax(request["depth"], counting if request["count"] else None)
        began = time.thread_time()
        negamax(game)
        return {
            "seconds": time.thread_time() - began,
            "value": float(negamax.alpha),
            "valued": valued[0],
        }

    return search, version("easyAI")


def bitbully() -> tuple[Searcher, str]:
    """BitBully's MTD(f) to the end of Connect Four, without its opening book, with an empty table
    for each position."""
    from bitbully.bitbully_core import BitBullyCore, BoardCore

    solver = BitBullyCore()

    def search(request: dict[str, Any]) -> dict[str, Any]:
        board = BoardCore()
        for column in request["actions"]:
            assert board.play(column)
        solver.resetTranspositionTable()
        solver.resetNodeCounter()
        began = time.process_time()
        value = solver.mtdf(board, 0)
        return {
            "seconds": time.process_time() - began,
            "value": value,
            "nodes": solver.getNodeCounter(),
        }

    return search, version("bitbully")


def main() -> None:
    """Answer requests until the input ends."""
    try:
        search, name = {"openspiel": openspiel, "easyai": easyai, "bitbully": bitbully}[
            sys.argv[1]
        ]()
    except ImportError as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
        return
    print(json.dumps({"version": name}), flush=True)
    for line in sys.stdin:
        print(json.dumps(search(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
