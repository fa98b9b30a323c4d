"""The Universal Game Interface: UCI for any game, with queries about it.

Source: ugi.md of kz04px/cutegames. The first player is called p1; `position startpos` is the start
of the game, `position fen` is followed by a POSITION as its game writes it. Actions have the names
that the game gives them in protocols. Nothing heavy is imported before `ugiok` has been said.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prunus.core.errors import PrunusError
from prunus.core.game import Game, PositionError
from prunus.core.position import Position, Walk
from prunus.play.protocols.orders import Lag, Orders, read_orders
from prunus.play.protocols.server import GOODBYE, Server
from prunus.play.turns import player_to_move

if TYPE_CHECKING:
    from prunus.play.protocols.brain import Brain
    from prunus.play.protocols.settings import Settings
    from prunus.play.protocols.thinking import Line, Search

HANDED_ON: Final = "0000"
"""In place of an action if there is none."""

PULSE: Final = 0.05
LAST_WORD: Final = 1.0
"""The seconds after which work is looked after, and that it is given when the input has ended."""


class UgiServer(Server):
    """An engine for one game."""

    name = "ugi"

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.commands = {
            self.name: self.introduce,
            "isready": self.ready,
            f"{self.name}newgame": self.new_game,
            "setoption": self.set_option,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
            "query": self.query,
            "d": self.show,
            "debug": self.ignore,
            "quit": self.ignore,
            "register": self.ignore,
        }
        self.brain: Brain | None = None
        self.is_changed, self.is_stale = True, False
        """Whether the brain has still to be told what was set, and to empty its table."""
        self.error: Exception | None = None
        self.loader: threading.Thread | None = None
        self.search: Search | None = None
        self.lag = Lag()
        self.position: Position | None = None
        self.placed: tuple[str, list[str]] = ("", [])
        self.is_lost = False
        """Whether the last position was not understood, so that nothing is to be searched."""

    # The beginning.

    def handle(self, line: str) -> None:
        words = line.split()
        while words and words[0] not in self.commands:
            words = words[1:]
        if not words:
            self.say(f"info string unknown command: {line[:80]}")
            return
        self.commands[words[0]](words[1:])

    def complain(self, error: Exception) -> None:
        said = " ".join(str(error).split()) or type(error).__name__
        self.say(f"info string error: {said[:300]}")

    def introduce(self, words: list[str]) -> None:
        """Say who this is and what can be set."""
        options = [f"option {text}" for text in self.settings.described()]
        self.say(f"id name {self.settings.title}", "id author the Prunus contributors", *options)
        self.say(f"{self.name}ok")
        self.load()

    def load(self) -> None:
        """Begin to load the game and its machine code, in the background."""
        if self.loader is None:
            self.loader = threading.Thread(target=self._load, name="prunus-loading", daemon=True)
            self.loader.start()

    def _load(self) -> None:
        try:
            import prunus.play.protocols.thinking  # noqa: F401 - the first move is not to wait for it

            self.brain = self.settings.brain()
            self.brain.warm_up()
            self.settle()
        except Exception as error:  # told to whoever needs the brain
            self.error = error

    def thinker(self) -> Brain:
        """The brain with all that has been set, as soon as it is there. Raises the error that keeps
        it from being there, or, once, that of a setting that does not suit the game."""
        self.load()
        assert self.loader is not None
        self._wait_for(self.loader)
        if self.error is not None or self.brain is None or self.loader.is_alive():
            raise self.error or PrunusError("the game could not be loaded")
        if self.is_changed:
            self.is_changed = False
            self._apply(self.brain)
        return self.brain

    def _apply(self, brain: Brain) -> None:
        """Let the brain think by what has been set."""
        if self.is_stale:
            brain.forget()
        self.is_stale = False
        needs_code = self.settings.apply(brain)
        if needs_code:
            self._unless_over(brain.warm_up)
            self.settle()

    @property
    def game(self) -> Game:
        """The game."""
        return self.thinker().game

    def ready(self, words: list[str]) -> None:
        """Say that everything is loaded and all that came before has been carried out."""
        try:
            self.thinker()
        except Exception as error:  # told, as for any other line
            self.complain(error)
        self.say("readyok")

    def ignore(self, words: list[str]) -> None:
        """Do nothing."""

    # Positions and settings.

    def new_game(self, words: list[str]) -> None:
        """Forget what was learnt from the last game."""
        self._end_search()
        self.position, self.placed, self.is_lost = None, ("", []), False
        self.lag.forget()
        if self.brain is not None:
            self.brain.forget()

    def set_option(self, words: list[str]) -> None:
        """`setoption name NAME value VALUE`; both may have several words."""
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._end_search()
        self.is_stale |= self.settings.set(name.strip(), value.strip())
        self.is_changed = True
        if self.settings.is_other_game:
            self.settings.is_other_game = False
            self.brain, self.error, self.loader, self.position = None, None, None, None
            self.placed = ("", [])
            self.load()

    def set_position(self, words: list[str]) -> None:
        """`position startpos` or `position fen POSITION`, then perhaps `moves` and moves. If it
        continues the position before, only the new moves are read."""
        self._end_search()
        self.is_lost = True
        count = words.index("moves") if "moves" in words else len(words)
        start, names = " ".join(words[:count]), words[count + 1 :]
        before, made = self.placed
        if self.position is None or before != start or names[: len(made)] != made:
            self.position, made = None, []
            self.position = Position(self._start(start))
        position, game = self.position, self.game
        self.placed = (start, made)
        for number, name in enumerate(names[len(made) :], len(made) + 1):
            position = position.after(game, game.action_named(position.state, name, number))
            self.position, self.placed = position, (start, names[:number])
        self.is_lost = False

    def _start(self, text: str) -> object:
        kind, _, rest = text.partition(" ")
        if kind == "startpos":
            return self.game.initial()
        if kind != "fen" or not rest.strip():
            raise PositionError(f"position {text[:80]!r}: write startpos, or fen and a position")
        return self.game.parse(rest.strip())

    def at(self) -> Position:
        """The position on the board."""
        if self.position is None:
            self.position, self.placed = Position(self.game.initial()), ("startpos", [])
        return self.position

    def show(self, words: list[str]) -> None:
        """Show the position to a person."""
        self.say(*self.game.format(self.at().state).splitlines())

    # Who moves, and who has won.

    def query(self, words: list[str]) -> None:
        """`gameover`, `p1turn` and `result`."""
        from prunus.algorithms.repetition import final_value, is_over

        position, question = self.at(), " ".join(words)
        over = is_over(self.game, position.path)
        if question == "gameover":
            answer = "true" if over else "false"
        elif question == "p1turn":
            answer = "true" if player_to_move(self.game, position) == 0 else "false"
        elif question == "result" and not over:
            answer = "none"
        elif question == "result":
            value = final_value(self.game, position.path)
            value = value if player_to_move(self.game, position) == 0 else -value
            answer = "p1win" if value > 0 else "p2win" if value < 0 else "draw"
        else:
            self.say(f"info string unknown query: {question[:80]}")
            return
        self.say(f"response {answer}")

    # Searching.

    def go(self, words: list[str]) -> None:
        """Begin a search."""
        self._end_search()
        if self.is_lost:
            self.say(f"bestmove {HANDED_ON}")
            raise PositionError("the last position was not understood: send another")
        position, game = self.at(), self.game
        known = self._names(position) if "searchmoves" in words else []
        orders = read_orders(words, known)
        if orders.perft is not None:
            self._unless_over(lambda: self._perft(position, orders.perft or 0))
            return
        if not (orders.has_limit() or orders.ponder):
            orders.infinite = True
        self.search = self._search(game, position, orders)
        self.search.start()

    def _search(self, game: Game, position: Position, orders: Orders) -> Search:
        from prunus.play.protocols.thinking import Search

        def done(best: int | None, reply: int | None) -> None:
            if self.search is not None and not orders.ponder:
                self.lag.searched(orders, seat, self.search.used())
            said = f"bestmove {self._name(position, best)}"
            if best is not None and reply is not None and self.settings.ponders:
                said += f" ponder {self._name(position.after(game, best), reply)}"
            self.say(said)

        def tell(line: Line) -> None:
            if line.source:
                self.say(f"info string {line.source}")
            self.say(self._info(line, walk))

        seat, walk = player_to_move(self.game, position), Walk(game, position.state)
        self.lag.note(orders, seat)
        overhead = max(self.settings.overhead / 1000, self.lag.expected())
        return Search(self.thinker(), position, orders, seat, overhead, tell, done, self.complain)

    def _names(self, position: Position) -> list[str]:
        game, state = self.game, position.state
        if game.is_terminal(state):
            return []
        return [game.protocol_name(state, action) for action in game.actions(state)]

    def _name(self, position: Position, action: int | None) -> str:
        return HANDED_ON if action is None else self.game.protocol_name(position.state, action)

    def _info(self, line: Line, walk: Walk) -> str:
        states = walk.along(line.pv)
        names = map(walk.game.protocol_name, states, line.pv)
        score = self.score(line)
        bound = {"lower": " lowerbound", "upper": " upperbound"}.get(line.bound, "")
        speed = round(line.nodes / line.seconds) if line.seconds > 0 else 0
        table = self.thinker().table
        full = 0 if table is None else round(1000 * table.fill())
        return (
            f"info depth {line.depth} multipv {line.rank} score {score}{bound} nodes {line.nodes} "
            f"nps {speed} hashfull {full} time {round(1000 * line.seconds)} pv {' '.join(names)}"
        )

    def score(self, line: Line) -> str:
        """The value of a line as the protocol writes it."""
        return f"cp {line.value}"

    def _unless_over(self, work: Callable[[], None]) -> None:
        """Do what may take for ever, and give it up when the conversation ends."""

        def guarded() -> None:
            try:
                work()
            except Exception as error:  # told, as for any other line
                self.complain(error)

        worker = threading.Thread(target=guarded, name="prunus-counting", daemon=True)
        worker.start()
        self._wait_for(worker)

    def _wait_for(self, worker: threading.Thread) -> None:
        """Wait for the end of a thread, but not long once the conversation is ending."""
        while worker.is_alive() and not self.ending.is_set():
            worker.join(PULSE)
        worker.join(LAST_WORD)

    def _perft(self, position: Position, depth: int) -> None:
        """Count the lines of a number of plies, for each action and in all."""
        from prunus.algorithms.perft import count_lines

        game, total = self.game, 0
        if depth == 0 or game.is_terminal(position.state):
            self.say(f"Nodes searched: {1 - min(depth, 1)}")
            return
        for action in game.actions(position.state):
            child = game.result(position.state, action)
            count = count_lines(game, child, depth - 1, self.settings.threads)
            self.say(f"{self._name(position, int(action))}: {count}")
            total += count
        self.say("", f"Nodes searched: {total}", "")

    def stop(self, words: list[str]) -> None:
        """End the search; it says its best move."""
        if self.search is not None:
            self.search.stop()

    def ponderhit(self, words: list[str]) -> None:
        """The expected reply has been made."""
        if self.search is not None:
            self.search.hit()

    def _end_search(self) -> None:
        """End a search that is still running, and wait for its last word."""
        if self.search is not None and self.search.is_running():
            self.search.stop()
            self.search.join()
        self.search = None

    def hurry(self) -> None:
        if self.search is not None:
            self.search.stop()

    def farewell(self) -> None:
        if self.search is not None:
            self.search.stop()
            self.search.join(GOODBYE)
