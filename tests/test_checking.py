"""`check` finds each kind of mistake; that it finds nothing in correct games is tested in the
conformance suite."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from prunus.checking import check, survey
from prunus.checking.report import Report
from prunus.core.bits import u8, u64
from prunus.core.game import Game
from prunus.games import make_game
from tests.amount import few


class Race(Game):
    """Correct: from 0, add 1 to 3; whoever reaches `goal` or more wins. The State records whose
    turn it is and how much each player has added."""

    class State(NamedTuple):
        first: u8
        second: u8
        turn: u8

    def __init__(self, goal: int = 6) -> None:
        self.goal = goal
        self.log: list[int] = []

    def initial(self) -> Any:
        return self.State(0, 0, 0)

    def actions(self, state: Any) -> Any:
        for step in range(1, 4):
            yield step

    def result(self, state: Any, action: int) -> Any:
        if state.turn == 0:
            return state._replace(first=state.first + action, turn=1)
        return state._replace(second=state.second + action, turn=0)

    def is_terminal(self, state: Any) -> bool:
        return state.first >= self.goal or state.second >= self.goal

    def utility(self, state: Any) -> int:
        first_won = state.first >= self.goal
        return 10 if first_won == (state.turn == 0) else -10

    def evaluate(self, state: Any) -> int:
        return state.first - state.second if state.turn == 0 else state.second - state.first


class Mistake(NamedTuple):
    kind: str
    methods: dict[str, Any]
    says: str = ""


def grumble(self: Any, state: Any) -> bool:
    self.log.append(1)
    return Race.is_terminal(self, state)


def once_more(self: Any, state: Any) -> Any:
    return [1, 2, 2]


def ranks(**changed: Any) -> dict[str, Any]:
    """The numbers of the positions of a race, with a mistake."""
    right = {
        "rank_count": lambda self: 1800,
        "rank": lambda self, s: s.first + 30 * s.second + 900 * s.turn,
        "unrank": lambda self, n: self.State(n % 30, n // 30 % 30, n // 900),
    }
    return {**right, **changed}


class Loose(NamedTuple):
    board: list[int]


MISTAKES = [
    Mistake(
        "sign",
        {"utility": lambda self, s: 10 if s.first >= self.goal else -10},
        "whoever made the last move",
    ),
    Mistake("evaluation", {"evaluate": lambda self, s: s.first - s.second}, "not antisymmetric"),
    Mistake("changed attribute", {"is_terminal": grumble}, "self.log"),
    Mistake(
        "exception", {"is_terminal": lambda self, s: setattr(self, "goal", 3)}, "cannot change"
    ),
    Mistake("exception", {"utility": lambda self, s: 1 // 0}, "ZeroDivisionError"),
    Mistake("no actions", {"actions": lambda self, s: []}, "no actions"),
    Mistake("actions", {"actions": once_more}, "occurs 2 times"),
    Mistake("actions", {"actions": lambda self, s: [1.5]}, "not an integer"),
    Mistake("actions", {"actions": lambda self, s: [1 << 63]}, "64-bit"),
    Mistake("result", {"result": lambda self, s, a: (1, 2, 3)}, "is no"),
    Mistake("result", {"result": lambda self, s, a: s}, "same State"),
    Mistake("is_terminal", {"is_terminal": lambda self, s: "no"}, "instead of True or False"),
    Mistake("utility", {"utility": lambda self, s: 0.5}, "scale it"),
    Mistake("utility", {"utility": lambda self, s: 1 << 62}, "2**62"),
    Mistake("bounds", {"bounds": lambda self, s: (-5, 5)}, "outside bounds"),
    Mistake(
        "bounds",
        {
            "bounds": lambda self, s: (
                (-20, 0) if s.turn == 0 and s.first < self.goal else (-20, 20)
            ),
            "evaluate": lambda self, s: -1,
        },
        "bounds",
    ),
    Mistake(
        "bounds",
        {
            "bounds": lambda self, s: (
                (-10, -10) if (s.first, s.second, s.turn) == (5, 5, 0) else (-11, 11)
            ),
        },
        "the value is",
    ),
    Mistake(
        "plies_left",
        {"plies_left": lambda self, s: max(0, (2 * self.goal - s.first - s.second) // 3 + 1)},
        "can go on for",
    ),
    Mistake(
        "last_value",
        {
            "plies_left": lambda self, s: 2 * self.goal - s.first - s.second,
            "last_plies": 12,
            "last_value": lambda self, s, alpha: (
                10 if s.first == 4 else alpha + 1 if small(self, s) > alpha else alpha
            ),
        },
        "last_value gives",
    ),
    Mistake(
        "worthwhile",
        {"worthwhile": lambda self, s: [1] if s.first == s.second == 3 else [1, 2, 3]},
        "at best",
    ),
    Mistake(
        "canonical",
        {"canonical": lambda self, s: s._replace(first=2) if s == (5, 5, 0) else s},
        "canonical(state)",
    ),
    Mistake("action_count", {"action_count": lambda self, s: 2 + (s.first == 3)}, "there are"),
    Mistake(
        "timeless", {"timeless": lambda self, s: s._replace(first=s.first ^ 1)}, "is not its own"
    ),
    Mistake(
        "remembered",
        {"remembered": lambda self, s, plies: s._replace(first=s.second, second=s.first)},
        "is not its own",
    ),
    Mistake("rank", {"rank_count": lambda self: 9}, "but no rank and no unrank"),
    Mistake("rank", {"rank_count": lambda self: 1 << 41}, "are possible"),
    Mistake("rank", ranks(rank=lambda self, s: s.first + s.second / 2), "not an integer"),
    Mistake("rank", ranks(rank=lambda self, s: s.first + 30 * s.second + s.turn), "number of its"),
    Mistake("rank", ranks(rank_count=lambda self: 99), "outside 0 ... 98"),
    Mistake("rank", ranks(unrank=lambda self, n: self.initial()), "leads back to it"),
    Mistake("exception", ranks(unrank=lambda self, n: 1 // 0), "unrank raises ZeroDivisionError"),
    Mistake("order", {"order": lambda self, s, a: a / 3}, "not an integer; scale it"),
    Mistake("secured", {"secured": lambda self, s, alpha: (-0.5, 20)}, "not an integer"),
    Mistake(
        "evaluate",
        {
            "bounds": lambda self, s: (-10, 10),
            "evaluate": lambda self, s: 10 if s.turn == 0 else -10,
        },
        "only finished games may reach",
    ),
    Mistake(
        "key", {"key": lambda self, s: u64(s.first | s.turn << 8), "exact_key": True}, "second ("
    ),
    Mistake("secured", {"secured": lambda self, s, alpha: (-20, alpha)}, "outside what is secured"),
    Mistake(
        "secured", {"secured": lambda self, s, alpha: (alpha + 1, 20)}, "outside what is secured"
    ),
    Mistake("worthwhile", {"worthwhile": lambda self, s: []}, "at least one"),
    Mistake(
        "gives_check",
        {"in_check": lambda self, s: s.first == 3, "gives_check": lambda self, s, a: False},
        "but in_check is True after it",
    ),
    Mistake("is_action", {"is_action": lambda self, s, n: n < 4}, "is_action is True for 0"),
    Mistake("worthwhile", {"worthwhile": lambda self, s: [4]}, "no others"),
    Mistake("worthwhile", {"worthwhile": lambda self, s: [1]}, "at best"),
    Mistake("key", {"key": lambda self, s: u64(s.first | s.second << 8)}, "same key"),
    Mistake(
        "canonical",
        {"canonical": lambda self, s: s._replace(first=s.second, second=s.first)},
        "canonical",
    ),
    Mistake(
        "canonical",
        {
            "canonical": lambda self, s: s._replace(
                first=min(s.first, s.second), second=max(s.first, s.second)
            )
        },
        "value",
    ),
    Mistake("to_move", {"to_move": lambda self, s: 2}, "the players are 0 and 1"),
    Mistake(
        "to_move", {"result": lambda self, s, a: s._replace(first=s.first + a)}, "without to_move"
    ),
    Mistake(
        "text",
        {"format": lambda self, s: "?", "parse": lambda self, t: self.initial()},
        "another State",
    ),
    Mistake("evaluate", {"evaluate": lambda self, s: 0.25}, "scale it"),
    Mistake(
        "solving_game",
        {"solving_game": lambda self: Race(self.goal + 1)},
        "where the game itself has",
    ),
    Mistake(
        "canonical",
        {
            "solving_game": lambda self: broken(
                {"canonical": lambda self, s: s._replace(first=s.second)}
            )
        },
        "value",
    ),
    Mistake(
        "solving_game",
        {"solving_game": lambda self: broken({"actions": lambda self, s: 1 // 0})},
        "ZeroDivisionError",
    ),
]


def small(self: Any, state: Any) -> int:
    """The value of a race, by plain minimax."""
    if Race.is_terminal(self, state):
        return Race.utility(self, state)
    return max(-small(self, Race.result(self, state, step)) for step in (1, 2, 3))


def broken(methods: dict[str, Any]) -> Game:
    kind = type("Broken", (Race,), methods)
    game: Game = kind()
    return game


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m.kind}-{'-'.join(m.methods)}")
def test_each_mistake_is_found(mistake: Mistake) -> None:
    report = check(broken(mistake.methods), compile=False)
    assert not report.ok and mistake.kind in report.kinds(), str(report)
    finding = next(finding for finding in report.findings if finding.kind == mistake.kind)
    assert mistake.says in finding.message
    assert finding.kind in str(report) and "WRONG" in str(report)


def test_positions_may_have_numbers() -> None:
    assert check(broken(ranks())).ok
    assert check(broken({"rank": lambda self, card, colour: 1 // 0}), compile=False).ok


def test_a_changed_state() -> None:
    class Listed(Game):
        State = Loose

        def initial(self) -> Any:
            return Loose([3])

        def actions(self, state: Any) -> Any:
            return [1]

        def result(self, state: Any, action: int) -> Any:
            state.board[0] -= action
            return Loose(list(state.board))

        def is_terminal(self, state: Any) -> bool:
            return bool(state.board[0] <= 0)

        def utility(self, state: Any) -> int:
            return -1

        def key(self, state: Any) -> u64:
            return u64(state.board[0])

    assert "changed state" in check(Listed(), compile=False).kinds()


def test_an_endless_game_is_a_note() -> None:
    going_on = {
        "is_terminal": lambda self, s: False,
        "result": lambda self, s, a: s._replace(turn=1 - s.turn),
    }
    report = check(broken(going_on), games=1, compile=False)
    assert report.ok and report.kinds("note") == ["long game"]


@pytest.mark.parametrize("large", [10, 11, 1000])
def test_an_evaluation_beyond_the_utilities_is_doubted(large: int) -> None:
    """If all wins and losses are 10, an evaluation of 10 is already too much."""
    report = check(
        broken({"evaluate": lambda self, s: large if s.turn == 0 else -large}), compile=False
    )
    assert report.ok and "evaluate" in report.kinds("doubt") and "strictly between" in str(report)
    assert not check(
        broken({"evaluate": lambda self, s: 9 if s.turn == 0 else -9}), compile=False
    ).kinds("doubt")


class Extra(Game):
    """Correct: take 1 or 2 of 7, each worth a point; after taking 2 the same player moves again."""

    class State(NamedTuple):
        left: u8
        player: u8
        a: u8
        b: u8

    def initial(self) -> Any:
        return self.State(7, 0, 0, 0)

    def actions(self, state: Any) -> Any:
        return [1, 2] if state.left > 1 else [1]

    def result(self, state: Any, n: int) -> Any:
        a, b = (state.a + n, state.b) if state.player == 0 else (state.a, state.b + n)
        return self.State(state.left - n, state.player if n == 2 else 1 - state.player, a, b)

    def to_move(self, state: Any) -> int:
        return int(state.player)

    def is_terminal(self, state: Any) -> bool:
        return bool(state.left == 0)

    def utility(self, state: Any) -> int:
        return int(state.a - state.b if state.player == 0 else state.b - state.a)


def test_a_utility_that_is_always_the_first_players_is_doubted_where_both_win() -> None:
    """It may be right if the State is seen from the side of the player to move; the message
    mentions both."""
    careless = type("Absolute", (Extra,), {"utility": lambda self, s: s.a - s.b})
    report = check(careless(), compile=False)
    assert "sign" in report.kinds("doubt") and "does not look at whose turn it is" in str(report)
    assert not check(Extra(), compile=False).findings
    assert (
        "to_move"
        in check(type("Forgotten", (Extra,), {"to_move": Game.to_move})(), compile=False).kinds()
    )


def test_limits_wrong_in_few_positions_are_found() -> None:
    """Small positions below those met are solved by plain minimax, in whatever order games met
    them."""

    class Take(Game):
        class State(NamedTuple):
            left: u8

        def initial(self) -> Any:
            return self.State(21)

        def actions(self, state: Any) -> Any:
            return [n for n in (1, 2, 3) if n <= state.left]

        def result(self, state: Any, n: int) -> Any:
            return self.State(state.left - n)

        def is_terminal(self, state: Any) -> bool:
            return bool(state.left == 0)

        def utility(self, state: Any) -> int:
            return -1

    wrong = type(
        "Wrong",
        (Take,),
        {"bounds": lambda self, s: (1, 1) if s.left % 4 != 1 and s.left > 0 else (-1, 1)},
    )
    far = type("Far", (Take,), {"bounds": lambda self, s: (-1, -1) if s.left == 18 else (-1, 1)})
    for seed in range(5):
        for kind in (wrong, far):
            assert "bounds" in check(kind(), seed=seed, compile=False).kinds(), (kind, seed)
    assert check(Take(), compile=False).ok


def test_correct_games_pass() -> None:
    report = check(Race(), compile=False)
    assert report.ok and not report.findings, str(report)
    assert "nothing wrong" in str(report) and report.positions > 50


def test_a_misere_game_is_only_doubted() -> None:
    report = check(make_game("mnk:m=3,n=4,k=3,misere=true"), games=30, compile=False)
    assert report.ok and "sign" in report.kinds("doubt")


class Turns(Game):
    """Whoever takes the last one wins; there are few ends, one for each player."""

    class State(NamedTuple):
        left: u8
        turn: u8

    def initial(self) -> Any:
        return self.State(9, 0)

    def actions(self, state: Any) -> Any:
        return range(1, min(3, state.left) + 1)

    def result(self, state: Any, action: int) -> Any:
        return self.State(state.left - action, 1 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return state.left == 0

    def utility(self, state: Any) -> int:
        return -1


def test_signs_are_doubted_by_games_where_there_are_few_ends() -> None:
    assert not check(Turns(), compile=False).findings
    first = type("First", (Turns,), {"utility": lambda self, s: 1 if s.turn == 1 else -1})
    assert "player 1 wins every decided game" in str(check(first(), compile=False))
    last = type("Last", (Turns,), {"utility": lambda self, s: 1})
    assert "the last move always loses" in str(check(last(), compile=False))


class Unnamed(Turns):
    """The same, and no field is called as a turn usually is."""

    class State(NamedTuple):
        left: int
        sign: int = 1

    def initial(self) -> Any:
        return self.State(9)

    def result(self, state: Any, action: int) -> Any:
        return self.State(state.left - action, -state.sign)

    def is_terminal(self, state: Any) -> bool:
        return bool(state.left == 0)


class Unturned(Unnamed):
    """The turn follows from the State."""

    def to_move(self, state: Any) -> int:
        return 0 if state.sign == 1 else 1


@pytest.mark.parametrize("game", [Unnamed, Unturned])
def test_signs_are_doubted_where_no_field_is_the_turn(game: Any) -> None:
    assert not check(game(), compile=False).findings
    first = type("First", (game,), {"utility": lambda self, s: -s.sign})
    assert "player 1 wins every decided game" in str(check(first(), compile=False))


class Marked(Turns):
    """The players are 1 and 2, and the rules know no others."""

    class State(NamedTuple):
        taken: tuple[u8, u8]
        turn: u8

    def initial(self) -> Any:
        return self.State((0, 0), 1)

    def actions(self, state: Any) -> Any:
        return range(1, min(3, 12 - sum(state.taken)) + 1)

    def result(self, state: Any, action: int) -> Any:
        one, two = state.taken
        taken = (one + action, two) if state.turn == 1 else (one, two + action)
        return self.State(taken, 3 - state.turn)

    def is_terminal(self, state: Any) -> bool:
        return sum(state.taken) == 12

    def utility(self, state: Any) -> int:
        score = {1: state.taken[0], 2: state.taken[1]}
        return score[state.turn] - score[3 - state.turn]


def test_players_may_have_other_numbers() -> None:
    assert not check(Marked(), compile=False).findings
    first = type("First", (Marked,), {"utility": lambda self, s: s.taken[0] - s.taken[1]})
    found = str(check(first(), compile=False))
    assert "utility does not look at whose turn it is" in found


class Partial(Turns):
    """Its rules fail for a position that does not occur, with the other player to move."""

    class State(NamedTuple):
        left: int
        turn: int
        moves: int

    def initial(self) -> Any:
        return self.State(8, 0, 0)

    def result(self, state: Any, action: int) -> Any:
        return self.State(state.left - action, 1 - state.turn, state.moves + 1)

    def utility(self, state: Any) -> int:
        return {0: -1}[(state.turn + state.moves) % 2]


def test_rules_may_fail_for_a_position_with_the_other_player_to_move() -> None:
    assert not check(Partial(), compile=False).findings


class Differs(Game):
    """Its evaluation needs 65 bits on the way, which Python has and the machine does not."""

    class State(NamedTuple):
        left: u8

    def initial(self) -> Any:
        return self.State(4)

    def actions(self, state: Any) -> Any:
        yield 1

    def result(self, state: Any, action: int) -> Any:
        return self.State(state.left - action)

    def is_terminal(self, state: Any) -> bool:
        return state.left == 0

    def utility(self, state: Any) -> int:
        return -1

    def evaluate(self, state: Any) -> int:
        return state.left << 62 >> 62


def test_interpreted_and_compiled_results_that_differ() -> None:
    pytest.importorskip("numba")
    report = check(Differs(), games=3, compile=True)
    assert "backends" in report.kinds(), str(report)


class Odd(Differs):
    """Correct, with every optional method; then one of them is wrong on the machine only."""

    last_plies = 3

    def evaluate(self, state: Any) -> int:
        return 0

    def plies_left(self, state: Any) -> int:
        return int(state.left)

    def secured(self, state: Any, alpha: int) -> tuple[int, int]:
        return (-1, 1)

    def worthwhile(self, state: Any) -> Any:
        yield 1

    def order(self, state: Any, action: int) -> int:
        return 3

    def last_value(self, state: Any, alpha: int) -> int:
        return -1 if state.left % 2 == 0 else 1

    def rank_count(self) -> int:
        return 5

    def rank(self, state: Any) -> int:
        return int(state.left)

    def unrank(self, number: int) -> Any:
        return self.State(number)


WIDE = 1 << 61


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("plies_left", lambda self, s: s.left * WIDE * 8 >> 62 >> 2),
        ("order", lambda self, s, a: s.left * WIDE * 8 >> 62 >> 2),
        ("secured", lambda self, s, alpha: (-1 - s.left * WIDE * 8 >> 62 >> 2, 1)),
        ("rank", lambda self, s: s.left * WIDE * 8 >> 62 >> 2),
        ("unrank", lambda self, n: self.State(n * WIDE * 8 >> 62 >> 2)),
    ],
    ids=["plies_left", "order", "secured", "rank", "unrank"],
)
def test_every_method_is_compared_compiled(method: str, wrong: Any) -> None:
    """Intermediate numbers beyond 64 bits, which the machine does not have."""
    pytest.importorskip("numba")
    report = check(type("Wider", (Odd,), {method: wrong})(), games=2)
    assert "backends" in report.kinds(), str(report)


def test_a_game_with_every_method_is_compared_and_right() -> None:
    pytest.importorskip("numba")
    report = check(Odd(), games=2, compile=True)
    assert report.ok and report.compiled, str(report)


@pytest.mark.parametrize(
    "spec",
    few(
        ["tic-tac-toe", "nim", "figure", "random-game", "connect-four", "uniform:order=dependent"],
        4,
    ),
)
def test_interpreted_and_compiled_rules_agree(spec: str) -> None:
    pytest.importorskip("numba")
    report = check(make_game(spec), games=8, compile=True)
    assert report.ok and report.compiled, str(report)


def test_survey_is_plain() -> None:
    from prunus.checking.survey import _memory

    game = make_game("nim:piles=1-2")
    memory = _memory(game.initial())
    assert survey(game, game.initial(), memory) == 3
    assert [memory.actions[i] for i in range(3)] == [1, 257, 258] and memory.children[2].piles == (
        1,
        0,
    )


def test_report_keeps_the_first_of_each_kind() -> None:
    report = Report("x")
    report.add("doubt", "sign", "one")
    report.add("doubt", "sign", "two")
    assert [finding.message for finding in report.findings] == ["one"] and report.ok


@pytest.mark.parametrize(
    "spec",
    [
        "three-mens-morris",
        "even-wins",
        "othello:size=4",
        "connect-four:width=4,height=4",
        "random-game",
    ],
)
def test_right_games_are_not_doubted(spec: str) -> None:
    """Some record the turn, some end with a win for the last mover, some have evaluations."""
    assert check(make_game(spec), games=10, compile=False).kinds("doubt") == []
