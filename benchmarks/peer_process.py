"""The other side of `peers.py`: runs in the peers' environment and knows nothing of Prunus. One line of JSON in, one out."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Searcher = Callable[[list[int], int, bool], dict[str, Any]]


def openspiel() -> tuple[Searcher, str]:
    """Alpha-beta of open_spiel.python over the C++ states of pyspiel, the evaluation 0 at the horizon."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game("connect_four")

    def search(columns: list[int], depth: int, count: bool) -> dict[str, Any]:
        state = game.new_initial_state()
        for column in columns:
            state.apply_action(column)
        valued = [0]

        def counting(_: Any) -> int:
            valued[0] += 1
            return 0

        evaluate = counting if count else lambda _: 0
        began = time.thread_time()
        value, _ = alpha_beta_search(game, state=state, value_function=evaluate, maximum_depth=depth)
        return {"seconds": time.thread_time() - began, "value": value, "valued": valued[0]}

    return search, version("open_spiel")


def easyai() -> tuple[Searcher, str]:
    """Negamax of easyAI on the Connect Four among its own examples, without a transposition table."""
    from easyAI import Human_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    def search(columns: list[int], depth: int, count: bool) -> dict[str, Any]:
        game = ConnectFour([Human_Player(), Human_Player()])
        for column in columns:
            game.make_move(column)
            game.switch_player()
        valued = [0]

        def counting(position: Any) -> Any:
            valued[0] += 1
            return position.scoring()

        negamax = Negamax(depth, counting if count else None)
        began = time.thread_time()
        negamax(game)
        return {"seconds": time.thread_time() - began, "value": float(negamax.alpha), "valued": valued[0]}

    return search, version("easyAI")


def main() -> None:
    """Answer requests until the input ends."""
    try:
        search, name = {"openspiel": openspiel, "easyai": easyai}[sys.argv[1]]()
    except ImportError as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
        return
    print(json.dumps({"version": name}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(search(request["columns"], request["depth"], request["count"])), flush=True)


if __name__ == "__main__":
    main()
