"""Making certificates: the least proofs of a value, as files that `checking` checks."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from prunus.certificates.checking import Moves, check
from prunus.certificates.least import NONE, Least
from prunus.core.game import Game, S
from prunus.core.generic import Generic
from prunus.core.position import Asked, position_of
from prunus.databases.numbering import Watch

Node = tuple[S, bool, int]
"""A statement about a State, as `fewest` takes it."""

Told = Callable[[int], None]
"""Is told, now and then, how many positions there are so far."""


class Certificate(Generic[S]):
    """The least proofs of the value of a position, from `certify`.

    `value` is for the player to move, MAX. `at_least` and `at_most` are the nodes of the strategies
    of MAX and of MIN that prove it, each the actions to consider with the numbers of the nodes that
    they lead to; a position that several lines reach is one node. `leaves` are those of the two
    proofs as one tree: the least critical tree. `positions` are those of the whole game below the
    position, up to symmetry.
    """

    def __init__(
        self, game: Game[S], root: S, compile: bool | None = None, watch: Watch | None = None
    ) -> None:
        tell = watch or (lambda doing, number: None)
        self.least = Least(game, root, compile, watch)
        self.value, self.positions = self.least.value, self.least.positions
        # Played against each other, the two strategies give one line, so they share one leaf.
        self.leaves = self.least.leaves_at_least + self.least.leaves_at_most - 1
        self.at_least = self._nodes(root, True, lambda n: tell("writing out MAX's strategy", n))
        self.at_most = self._nodes(root, False, lambda n: tell("writing out MIN's strategy", n))

    def _nodes(self, root: S, is_own: bool, told: Told) -> list[Moves]:
        """The nodes of a strategy, every one before those that it leads to."""
        found: dict[Node[S], list[tuple[int, Node[S]]]] = {}
        order: list[Node[S]] = []
        open_nodes: list[tuple[Node[S], Iterator[tuple[int, Node[S]]]]] = []

        def enter(node: Node[S]) -> None:
            moves = found[node] = self._moves(node, found)
            open_nodes.append((node, iter(moves)))
            if len(found) % 1000 == 0:
                told(len(found))

        enter((root, is_own, self.value))
        while open_nodes:
            node, left = open_nodes[-1]
            following = next(left, None)
            if following is None:
                order.append(node)
                open_nodes.pop()
            elif following[1] not in found:
                enter(following[1])
        numbers = {node: len(order) - 1 - place for place, node in enumerate(order)}
        return [
            {str(int(action)): numbers[child] for action, child in found[node]}
            for node in reversed(order)
        ]

    def _moves(self, node: Node[S], known: Container[Node[S]]) -> list[tuple[int, Node[S]]]:
        """The actions that a proof has to consider at a node: all that the opponent of its player
        has, and of the player's own the one with the least proof, of several the first that leads
        to a node known already."""
        (state, is_own, bound), game = node, self.least.game
        if game.is_terminal(state):
            return []
        moves: list[tuple[int, Node[S]]] = []
        for action in game.actions(state):
            child = game.result(state, action)
            keeps = game.keeps_turn(state, child)
            moves.append((action, (child, is_own == keeps, bound if keeps else -bound)))
        if not is_own:
            return moves
        proofs = [
            (leaves, move[1] not in known, place)
            for place, move in enumerate(moves)
            if (leaves := self.least.leaves(*move[1])) > NONE
        ]
        return [moves[min(proofs)[2]]]

    def sizes(self) -> dict[str, int]:
        """The positions in both strategies, and the ends of games among them; the leaves of the
        least critical tree; the positions of the whole game below the root."""
        ends = sum(not moves for nodes in (self.at_least, self.at_most) for moves in nodes)
        return {
            "at least": len(self.at_least),
            "at most": len(self.at_most),
            "ends": ends,
            "least critical tree": self.leaves,
            "whole game": self.positions,
        }

    def write(self, path: Path, spec: str, position: str) -> None:
        """Write the certificate, a JSON file with a node on each line; `spec` and `position` are
        the texts from which the checker makes the game and the position again. The file appears
        only once it is complete and checked: raises CertificateError otherwise."""
        part = path.with_name(f".{path.name}.part")
        head = {"game": spec, "position": position, "value": self.value}
        try:
            with part.open("w", encoding="utf-8") as file:
                file.write(json.dumps(head)[:-1])
                for name, nodes in (("at least", self.at_least), ("at most", self.at_most)):
                    lines = ",\n".join(map(json.dumps, nodes))
                    file.write(f',\n"{name}": [\n{lines}\n]')
                file.write("}\n")
            check(part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def certify(
    game: Game[S],
    position: Asked[S] = None,
    *,
    compile: bool | None = None,
    watch: Watch | None = None,
) -> Certificate[S]:
    """The least proof that a position is worth what it is. All positions below it are enumerated
    and held in memory, at 40 bytes each and the State. Raises SearchError for a game with cycles,
    with a rule of repetition, or of more than two players; KeyboardInterrupt on Ctrl-C. `watch` is
    told what is being done, and a number of positions."""
    return Certificate(game, position_of(game, position).state, compile, watch)
