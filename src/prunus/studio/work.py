"""The searches that a browser may ask for, each as a plain function that runs in a thread of its
own. `tell` hands on what is known so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter
from typing import Final

from prunus.core.errors import SearchError
from prunus.core.game import Game
from prunus.core.generic import Json
from prunus.core.position import Position
from prunus.kernel.code.hand import is_at_hand, is_loaded
from prunus.play.levels import level_of
from prunus.play.person import Computer, Table
from prunus.run.algorithm import Algorithm
from prunus.run.clock import TimeLeft, allotted
from prunus.run.driver import iterations
from prunus.run.limits import Limit, Stop
from prunus.run.progress import Progress
from prunus.run.progress import Watch as Shown
from prunus.run.recording import TraceTooLarge
from prunus.run.registry import algorithm_named
from prunus.run.soon import is_hurried
from prunus.run.tracing import trace
from prunus.run.watchable import watched_named
from prunus.studio import maxima
from prunus.studio.boards import mover_of
from prunus.studio.laboratory import measured
from prunus.studio.lines import Lines
from prunus.studio.messages import (
    Analyse,
    Experiment,
    Find,
    Move,
    Review,
    Search,
    Tally,
    Values,
    Watch,
)
from prunus.studio.offer import AskedTooMuch, Offer
from prunus.studio.review import Review as GameReview
from prunus.studio.trees import tree_of
from prunus.studio.values import LEAST, MEGABYTES, SHARE, values_of
from prunus.studio.variants import options_of
from prunus.theory import critical
from prunus.view.modules import without_words

Tell = Callable[[str, Json], None]

EVERY: Final = 0.2
"""The shortest time between two tellings of a search's progress, in seconds."""

EARLY: Final = 3.0
"""The longest that the interpreter searches in an analysis whose game has no code in this process,
in seconds; and at most the part `SHARE` of the time."""

WAY: Final = 0.1
"""What passes between a page and a search, in seconds, while the computer's clock runs."""

FEW_NODES: Final = 800
FEW_SECONDS: Final = 3.0
MORE_SECONDS: Final = 15.0
"""The longest wait for a move of up to `FEW_NODES` nodes, and for one of more. While the game has
no code, the interpreter's answer is the move when the time is over."""


def work(request: Search, offer: Offer, stop: Stop, tell: Tell) -> Json:
    """Do what the request asks for; the answer as plain data. Raises what `prunus.analyze` and
    `prunus.trace` raise, and ValueError."""
    if isinstance(request, Move):
        return move(request, offer, stop)
    if isinstance(request, Values):
        return values(request, offer, stop)
    if isinstance(request, Tally | Find):
        return offer.databases.work(request, stop)
    if isinstance(request, Experiment):
        return measured(request, offer.tables, stop, tell)
    if isinstance(request, Review):
        return review(request, offer, stop, tell)
    if isinstance(request, Analyse):
        return analyse(request, offer, stop, tell)
    return watch(request, offer, stop)


def move(request: Move, offer: Offer, stop: Stop) -> Json:
    """The computer's move."""
    game, position = offer.last(request.place)
    if game.players != 2:
        raise SearchError(f"{game.title()} has {game.players} players; the computer plays for two")
    level, seed = level_of(request.level), len(request.place.moves)
    computer = Computer(level=level, seed=seed, patience=patience(request), megabytes=MEGABYTES)
    action = Table(game, position, computer).choose(stop)
    return {"action": game.action_name(position.state, action)}


def patience(request: Move) -> float:
    """The longest that a move may take, in seconds."""
    most = FEW_SECONDS if level_of(request.level).nodes <= FEW_NODES else MORE_SECONDS
    if request.clock is None:
        return most
    clock = request.clock
    given = allotted(TimeLeft(clock.left, clock.increment), overhead=WAY)
    return most if given.hard is None else min(most, given.hard)


def values(request: Values, offer: Offer, stop: Stop) -> Json:
    """The values of all actions, as well as they are known after so many seconds, and the player to
    move."""
    game, positions, _ = offer.position(request.place)
    found = values_of(game, positions[-1], request.seconds, stop)
    return {**found, "mover": mover_of(game, positions)}


def review(request: Review, offer: Offer, stop: Stop, tell: Tell) -> Json:
    """The review of a game, of which each position is told."""
    game, positions, actions = offer.position(request.place)
    return GameReview(game, positions, actions, stop, tell).run(request.seconds)


def analyse(request: Analyse, offer: Offer, stop: Stop, tell: Tell) -> Json:
    """A search, of which each iteration is told that goes further than those before, and in between
    how far it has come. Its seconds contain compiling: if they are over before there is code, the
    interpreter's answer is what is known, and compiling goes on for the next search. The answer
    also says how many of them were waited for code (`compiling`), and whether it is there by now
    (`ready`)."""
    game, position = offer.last(request.place)
    chosen = algorithm_named(request.algorithm)
    if not chosen.deepens and request.depth is None:
        raise SearchError(f"{chosen.name} searches once and needs a depth")
    began, watch = perf_counter(), _Watching(tell)
    known: Json = {}
    told: Json = {}
    for is_early in (True, False) if _begins_early(request, chosen, game) else (False,):
        left = request.seconds - (perf_counter() - began)
        now = _lasting(request, min(EARLY, SHARE * left) if is_early else left)
        for told in _iterations(now, game, position, chosen, stop, watch.heard, is_early):
            if _goes_further(told, known):
                known = told
                if told["value"] is not None:
                    tell("iteration", told)
        if stop.requested or known.get("proved") or _is_deep_enough(known, request):
            break
    ready = is_at_hand(chosen.compiled, game)
    return {**(known or told), "compiling": watch.waited, "ready": ready}


class _Watching:
    """Tells the progress of an analysis now and then. `waited`: how many seconds it has waited for
    its code so far."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self.waited = tell, 0.0
        self._before, self._last, self._told = 0.0, 0.0, perf_counter()

    def heard(self, now: Progress) -> None:
        """Called by the searches of the analysis. Each of them counts its own waiting."""
        if now.compiling < self._last:
            self._before += self._last
        self._last = now.compiling
        self.waited = self._before + now.compiling
        if perf_counter() - self._told >= EVERY:
            self._told = perf_counter()
            self.tell("progress", _progress(now))


def _lasting(request: Analyse, seconds: float) -> Analyse:
    """The same request for so many seconds."""
    return request.model_copy(update={"seconds": max(LEAST, seconds)})


def _begins_early(request: Analyse, chosen: Algorithm, game: Game) -> bool:
    """Whether the interpreter searches first, because code may have to be compiled, or read from
    disk, which takes longer than many a small game."""
    return (
        chosen.deepens
        and is_hurried(game, chosen.name, None)
        and not is_loaded(chosen.compiled, game)
    )


def _goes_further(told: Json, known: Json) -> bool:
    """Whether an iteration tells more than the last one that was told. The compiled search begins
    at the first depth again."""
    if known.get("value") is None or told["proved"]:
        return True
    if told["value"] is None:
        return False
    more = told["interrupted"] and told["nodes"] > known["nodes"]
    return _deep(told) > _deep(known) or (more and _deep(told) == _deep(known))


def _is_deep_enough(known: Json, request: Analyse) -> bool:
    """Whether all that was asked for is known."""
    if request.depth is None or known.get("value") is None:
        return False
    return not known["interrupted"] and _deep(known) >= request.depth


def _deep(told: Json) -> float:
    """The depth of an iteration; infinite for a search to the end of the game."""
    return inf if told["depth"] is None else float(told["depth"])


def _iterations(
    request: Analyse,
    game: Game,
    position: Position,
    chosen: Algorithm,
    stop: Stop,
    progress: Shown,
    is_early: bool,
) -> Iterator[Json]:
    """The iterations of an analysis, as data; `is_early`: interpreted."""
    options = options_of(request.options, chosen, game)
    compile = False if is_early else None
    if request.lines > 1:
        asked = request.lines, request.depth, request.seconds
        yield from Lines(game, position, chosen, *asked, stop, progress, options, compile).found()
        return
    # What searches once knows little before it is done, but holds its slot no longer than others.
    for found in iterations(
        game,
        position,
        chosen.name,
        Limit(request.depth, seconds=request.seconds if chosen.deepens else maxima.SECONDS),
        compile=compile,
        options=options,
        stop=stop,
        watch=progress,
    ):
        yield found.to_dict()


def _progress(now: Progress) -> Json:
    return {
        "nodes": now.nodes,
        "seconds": now.seconds,
        "done": now.done,
        "total": now.total,
        "fill": now.fill,
        "compiling": now.compiling,
    }


def watch(request: Watch, offer: Offer, stop: Stop) -> Json:
    """A watched search as data: the events in order, and what a node is besides them."""
    game: Game
    if request.tree is not None:
        game = tree_of(request.tree)
        position = Position(game.initial())
    elif request.place is not None:
        game, position = offer.last(request.place)
    else:
        raise ValueError("there is nothing to search: send a tree or a position")
    chosen = watched_named(request.algorithm)
    try:
        found = trace(
            game, position, chosen.name, request.depth, limit=maxima.TRACED, stop=stop, lines=True
        )
    except TraceTooLarge:
        raise AskedTooMuch(
            f"the search visits more than {maxima.TRACED:,} nodes: search fewer plies, or begin "
            f"nearer to the end of the game"
        ) from None
    data = without_words(found)
    data["fewest"] = None
    if not stop.requested:
        data["fewest"] = critical.fewest_if(game, position.state, request.depth, maxima.WRITTEN)
    return data
