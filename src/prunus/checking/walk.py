"""Random games in which every position is examined."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from prunus.checking.changes import is_fixed, same, snapshot
from prunus.checking.hints import check_hints
from prunus.checking.layers import check_settled
from prunus.checking.predecessors import check_predecessors
from prunus.checking.ranks import check_rank
from prunus.checking.report import FaultFoundError, Report, Visit
from prunus.core.game import INFINITY, Game, furthest
from prunus.core.values import ResultError

LONGEST_GAME = 1000
"""The plies after which a random game counts as endless."""


class Walker:
    """Plays random games and examines every position."""

    def __init__(self, game: Game, report: Report, chance: random.Random) -> None:
        self.game, self.report, self.chance = game, report, chance
        self.visits: dict[object, Visit] = {}
        self.line: list[str] = []
        self.state: object = None

    def fault(self, kind: str, message: str) -> FaultFoundError:
        shown = _attempt(lambda: str(self.game.format(self.state)), repr(self.state))
        self.report.add("fault", kind, message, shown, " ".join(self.line) or "the start")
        return FaultFoundError()

    def guarded(self, method: str, *arguments: object) -> Any:
        """Call a method; it must neither raise nor change a State or an attribute."""
        game = self.game
        can_change = not all(map(is_fixed, arguments))
        states = copy.deepcopy(arguments) if can_change else ()
        attributes = snapshot(game, arrays=False)
        try:
            answer = getattr(game, method)(*arguments)
            if method in ("actions", "predecessors"):
                answer = list(answer)
        except ResultError as error:
            raise self.fault(method, str(error)) from error
        except Exception as error:
            raise self.fault(
                "exception", f"{method} raises {type(error).__name__}: {error}"
            ) from error
        if can_change and not same(arguments, states):
            raise self.fault(
                "changed state",
                f"{method} changes the State it is given; build a new one instead",
            )
        self._expect_attributes(attributes, method)
        return answer

    def _expect_attributes(self, before: dict[str, object], method: str) -> None:
        now = snapshot(self.game, arrays=any(isinstance(value, bytes) for value in before.values()))
        changed = [name for name, value in before.items() if not same(value, now.get(name))]
        if changed:
            raise self.fault(
                "changed attribute",
                f"{method} changes self.{', self.'.join(changed)}; methods must not change "
                f"anything",
            )

    def walk(self) -> None:
        """Play one random game."""
        attributes = snapshot(self.game, arrays=True)
        self.line, self.state = [], None
        self.state = self.guarded("initial")
        self.expect_state(self.state, "initial")
        met: dict[object, int] = {}
        for ply in range(LONGEST_GAME):
            self._note_cycle(met.setdefault(name_of(self.state), ply), ply)
            if self._look():
                check_settled(self, [])
                self._expect_attributes(attributes, "a method")
                return
            actions = self._actions()
            self._check_numbers(actions)
            check_hints(self, actions)
            self._check_rows(actions)
            self._check_form(actions)
            self._check_count(actions)
            check_settled(self, actions)
            check_predecessors(self, actions)
            action = self.chance.choice(actions)
            self.line.append(self._action_name(action))
            left = self.guarded("plies_left", self.state)
            self.state = self._result(action)
            if self.guarded("plies_left", self.state) > left:
                raise self.fault(
                    "plies_left",
                    f"plies_left is larger after the action than before it, when it was {left}",
                )
        self.report.add(
            "note",
            "long game",
            f"a random game did not end in {LONGEST_GAME} plies: the game may have cycles",
        )

    def _note_cycle(self, before: int, ply: int) -> None:
        """Doubt a game without a rule of repetition in which a position, first met after `before`
        plies, comes again. (If the other player is to move there, the same actions lead back.)"""
        if self.game.repetition == "none" and before < ply and not self.game.has_timeless:
            self.report.add(
                "doubt",
                "cycle",
                f"play has come back to this position after {ply - before} plies, and the game "
                f"says nothing about it: a game that need not end gives its positions no value. "
                f'Let repetition be "draw", "loss" or "forbidden" (docs/cycles.md)',
                str(self.game.format(self.state)),
                " ".join(self.line),
            )

    def _action_name(self, action: int) -> str:
        return _attempt(lambda: str(self.game.action_name(self.state, action)), str(action))

    def _look(self) -> bool:
        """Check the position itself; whether the game is over."""
        over = self.guarded("is_terminal", self.state)
        if not (
            isinstance(over, bool)
            or type(over).__name__ == "bool"
            or (isinstance(over, int) and over in (0, 1))
        ):
            raise self.fault("is_terminal", f"is_terminal gives {over!r} instead of True or False")
        mover = self.guarded("to_move", self.state)
        if mover not in range(self.game.players):
            raise self.fault(
                "to_move",
                f"to_move gives {mover!r}; the players are "
                f"{' and '.join(map(str, range(self.game.players)))}",
            )
        bounds = self._bounds()
        if over:
            self._value("utility", *bounds)
        else:
            self._check_estimate()
        self._check_key_repeats()
        self._check_canonical()
        check_rank(self)
        self._check_text()
        name = name_of(self.state)
        if name not in self.visits:
            self.visits[name] = Visit(
                self.state,
                bool(over),
                int(mover),
                " ".join(self.line) or "the start",
                len(self.line),
            )
        else:
            self.visits[name].times += 1
        return bool(over)

    def _check_estimate(self) -> None:
        """Compare an estimate with the bounds of the whole game: it need not respect the bounds of
        its position. A search would take an estimate equal to such a bound for the value of a
        finished game."""
        most = furthest(self.game)
        low, high = -most, most
        value = self._value("evaluate", low, high)
        if value in (low, high) and self.game.has_evaluate:
            raise self.fault(
                "evaluate",
                f"evaluate gives {value}, one of the bounds of the whole game, {low} to {high}, "
                f"which only finished games may reach",
            )

    def _check_numbers(self, actions: list[int]) -> None:
        """The results of optional methods must be integers: they are compared and added up."""
        if self.game.has_order:
            for action in actions:
                self.expect_integer(
                    f"order for action {action}", self.guarded("order", self.state, action)
                )
        self.expect_integer("plies_left", self.guarded("plies_left", self.state))
        for alpha in (-1, 0) if self.game.has_secured else ():
            found = self.guarded("secured", self.state, alpha)
            if not (isinstance(found, tuple) and len(found) == 2):
                raise self.fault("secured", f"secured gives {found!r} instead of (lowest, highest)")
            for bound in found:
                self.expect_integer("secured", bound)

    def expect_integer(self, what: str, value: object) -> None:
        """What a method gives must be an integer."""
        if isinstance(value, bool) or not isinstance(value, int):
            hint = "; scale it, for example by 1000" if isinstance(value, float) else ""
            raise self.fault(
                what.split(maxsplit=1)[0], f"{what} gives {value!r}, which is not an integer{hint}"
            )

    def _check_rows(self, actions: list[int]) -> None:
        """A row that is carried forward is the one computed from scratch."""
        if not self.game.has_evaluate_row:
            return
        row = self.guarded("row", self.state)
        by_row = self._value("evaluate_row", -INFINITY, INFINITY, row)
        whole = self._value("evaluate", -INFINITY, INFINITY)
        if by_row != whole:
            raise self.fault(
                "evaluate_row",
                f"evaluate_row gives {by_row} with the row of the State, but evaluate {whole}",
            )
        for action in actions:
            child = self._result(action)
            carried = self.guarded("next_row", row, self.state, action, child)
            fresh = self.guarded("row", child)
            if carried != fresh:
                raise self.fault(
                    "next_row",
                    f"next_row for action {action} gives {carried!r}, but row computes {fresh!r} "
                    f"for the State that it leads to",
                )

    def _check_form(self, actions: list[int]) -> None:
        """The form of the game for searches to the end must play the same game."""
        form = self.guarded("solving_game")
        if form is self.game:
            return
        try:
            self._compare_form(form, self.guarded("solving_state", self.state), actions)
        except FaultFoundError:
            raise
        except Exception as error:
            raise self.fault(
                "solving_game", f"solving_game() raises {type(error).__name__}: {error}"
            ) from error

    def _compare_form(self, form: Game, own: object, actions: list[int]) -> None:
        for method in ("plies_left", "key", "bounds"):
            self._expect_same(method, getattr(form, method)(own), self.guarded(method, self.state))
        self._expect_same("actions", list(form.actions(own)), actions)
        self._expect_same(
            "worthwhile", list(form.worthwhile(own)), list(self.guarded("worthwhile", self.state))
        )
        if self.game.has_canonical:
            self._expect_same(
                "canonical",
                form.canonical(own),
                self.game.solving_state(self.game.canonical(self.state)),
            )
        for action in actions:
            child, later = self.game.result(self.state, action), form.result(own, action)
            self._expect_same("result", later, self.game.solving_state(child))
            over = self.game.is_terminal(child)
            self._expect_same("is_terminal", form.is_terminal(later), over)
            self._expect_same("to_move", form.to_move(later), self.game.to_move(child))
            self._expect_same("order", form.order(own, action), self.game.order(self.state, action))
            if over:
                self._expect_same("utility", form.utility(later), self.game.utility(child))

    def _check_count(self, actions: list[int]) -> None:
        """The number of actions, and the States that count no plies, agree with the actions."""
        if self.game.has_action_count:
            count = self.guarded("action_count", self.state)
            if count != len(actions):
                raise self.fault(
                    "action_count",
                    f"action_count gives {count!r}; there are {len(actions)} actions",
                )
        for method, plies in (("timeless", ()), ("remembered", (1,)), ("remembered", (1 << 30,))):
            like = self.guarded(method, self.state, *plies)
            self.expect_state(like, method)
            if (
                self.guarded(method, like, *plies) != like
                or self.guarded("actions", like) != actions
            ):
                raise self.fault(
                    method, f"{method} gives {like!r}, which has other actions or is not its own"
                )

    def _expect_same(self, method: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise self.fault(
                "solving_game",
                f"solving_game().{method} gives {found!r} where the game itself has {wanted!r}",
            )

    def _bounds(self) -> tuple[int, int]:
        found = self.guarded("bounds", self.state)
        if not (
            isinstance(found, tuple)
            and len(found) == 2
            and all(isinstance(bound, int) for bound in found)
            and found[0] <= found[1]
        ):
            raise self.fault("bounds", f"bounds gives {found!r} instead of (lowest, highest)")
        return found

    def _value(self, method: str, low: int, high: int, *more: object) -> int:
        value = self.guarded(method, self.state, *more)
        self.expect_integer(method, value)
        if abs(value) >= INFINITY:
            raise self.fault(
                method, f"{method} gives {value}; values lie strictly between -2**62 and 2**62"
            )
        if not low <= value <= high:
            raise self.fault("bounds", f"{method} gives {value}, outside bounds, {low} to {high}")
        return int(value)

    def _actions(self) -> list[int]:
        actions: list[int] = self.guarded("actions", self.state)
        if not actions:
            raise self.fault(
                "no actions",
                "the position is not terminal, but there are no actions (a pass is an action too)",
            )
        for action in actions:
            if isinstance(action, bool) or not isinstance(action, int):
                raise self.fault("actions", f"the action {action!r} is not an integer")
            if not -(1 << 63) <= action < 1 << 63:
                raise self.fault(
                    "actions", f"the action {action} does not fit a signed 64-bit integer"
                )
        repeated = [action for action in actions if actions.count(action) > 1]
        if repeated:
            raise self.fault(
                "actions", f"the action {repeated[0]} occurs {actions.count(repeated[0])} times"
            )
        return actions

    def _result(self, action: int) -> object:
        child = self.guarded("result", self.state, action)
        self.expect_state(child, f"result({action})")
        if child == self.state:
            raise self.fault("result", f"action {action} leads to the same State")
        if child != self.guarded("result", self.state, action):
            raise self.fault("result", f"action {action} leads to different States when made twice")
        return child

    def expect_state(self, state: object, method: str) -> None:
        wanted = getattr(self.game, "State", None)
        if isinstance(wanted, type) and not isinstance(state, wanted):
            raise self.fault(
                "result",
                f"{method} gives {state!r}, which is not a {type(self.game).__name__}.State",
            )

    def _check_key_repeats(self) -> None:
        again = copy.deepcopy(self.state)
        if self.guarded("key", self.state) != self.guarded("key", again):
            raise self.fault("key", "equal States have different keys")

    def _check_canonical(self) -> None:
        image = self.guarded("canonical", self.state)
        self.expect_state(image, "canonical")
        if self.guarded("canonical", image) != image:
            raise self.fault("canonical", "canonical(canonical(state)) is not canonical(state)")

    def _check_text(self) -> None:
        kind = type(self.game)
        if kind.parse is Game.parse or kind.format is Game.format:
            return
        text = self.guarded("format", self.state)
        try:
            back = self.game.parse(text)
        except Exception as error:
            raise self.fault(
                "text",
                f"parse({text!r}), the format of a State, raises {type(error).__name__}: {error}",
            ) from error
        if back != self.state:
            raise self.fault(
                "text",
                f"parse({text!r}), the format of this State, gives another State: {back!r}",
            )


def _attempt(make: Callable[[], str], otherwise: str) -> str:
    try:
        return make()
    except Exception:
        return otherwise


def name_of(state: object) -> object:
    """A dictionary key for a State: the State itself, or its text if it contains something
    unhashable."""
    try:
        hash(state)
    except TypeError:
        return repr(state)
    return state
