"""Tournaments: schedules, workers, files that survive being killed, ratings, adjudication."""

from __future__ import annotations

import io
import json
import signal
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from prunus.games import ConnectFour, Othello, TicTacToe
from prunus.play.adjudication import Adjudication, Adjudicator, read_adjudication
from prunus.play.match import Match
from prunus.play.openings import Openings, path_of, read_openings
from prunus.play.players import Choice, MatchError, PlayerLimits, RandomPlayer, SearchPlayer, Turn
from prunus.play.referee import Manners, Referee
from prunus.play.timing import GameClock, TimeControl, read_control
from prunus.play.tournament.contest import Contest
from prunus.play.tournament.event import Event
from prunus.play.tournament.pgn import pgn_of
from prunus.play.tournament.schedule import Played, Slot, complete, meetings, slots
from prunus.play.tournament.workers import Terms
from tests.amount import in_full
from tests.commands import prunus, started

FAST = "alphabeta,depth=1,backend=interpreted"
SLOW = "engine,seconds=0.02,backend=interpreted"


def rows(path, statement):
    with closing(sqlite3.connect(path)) as base:
        return base.execute(statement).fetchall()


def count(path):
    with suppress(sqlite3.OperationalError):
        return rows(path, "SELECT count(*) FROM games")[0][0]
    return 0


def test_everyone_meets_everyone_with_both_sides():
    assert meetings(4) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert meetings(4, gauntlet=True) == [(0, 1), (0, 2), (0, 3)]
    found = list(slots(meetings(3), range(2)))
    assert len(set(found)) == len(found) == 12
    assert [slot.round for slot in found] == [0] * 6 + [1] * 6


def terms(*specs, game="tic-tac-toe", plies=1, **more):
    return Terms(game, specs, {}, plies, 0, **more)


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_tournament_gives_ratings(concurrency, tmp_path):
    event = Event(
        terms("alphabeta,depth=9,backend=interpreted,name=perfect", FAST, "random"),
        3,
        concurrency=concurrency,
        out=tmp_path / "games.db",
    )
    seen = []
    event.play(lambda: seen.append(len(event.played)))
    assert seen == list(range(1, 19))
    assert len(complete(event.played)) == 9
    table = event.table()
    assert {each.name for each in table.ratings} == {"perfect", FAST, "random"}
    assert table.ratings[0].name == "perfect"
    assert sum(each.points for each in table.ratings) == 18
    # Both games of a pair begin alike, and so do those of all players in a round.
    for one, other in complete(event.played):
        assert one.record.opening == other.record.opening
    rounds = {each.slot.round: each.record.opening for each in event.played}
    assert all(rounds[each.slot.round] == each.record.opening for each in event.played)
    again = Event(event.terms, 3, concurrency=concurrency, out=event.out)
    again.play(lambda: seen.append(0))
    assert sorted(map(repr, again.played)) == sorted(map(repr, event.played))
    assert seen[-1] == 18  # nothing was played again


def children(pid):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found.append(int(path.parent.name))
    return found


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_killed_tournament_loses_only_the_games_in_progress(tmp_path):
    out = tmp_path / "games.db"
    words = [
        "tournament",
        "othello:size=4",
        "--opening",
        "2",
        "--concurrency",
        "2",
        "--out",
        str(out),
    ]
    for spec in (SLOW, f"{SLOW},name=other", "random"):
        words += ["--player", spec]
    with started(*words, "--rounds", "50") as process:
        end = time.perf_counter() + 100
        while time.perf_counter() < end and count(out) < 5:
            time.sleep(0.05)
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(workers) == 2
    while time.perf_counter() < end and any(map(is_running, workers)):
        time.sleep(0.05)
    assert not any(map(is_running, workers))
    kept = rows(out, "SELECT round, first, second, first_begins, moves FROM games ORDER BY id")
    assert len(kept) >= 5
    rounds = kept[-1][0] + 2
    data = json.loads(prunus(*words, "--rounds", str(rounds), "--json").stdout)
    after = rows(out, "SELECT round, first, second, first_begins, moves FROM games ORDER BY id")
    assert after[: len(kept)] == kept
    assert len(after) == data["games"] == 6 * rounds
    assert len({row[:4] for row in after}) == len(after)


def test_a_worker_that_dies_is_replaced(tmp_path):
    flag = tmp_path / "died"
    (tmp_path / "deadly.py").write_text(
        f"""
import os
from prunus.games import TicTacToe

class Deadly(TicTacToe):
    def utility(self, state):
        if not os.path.exists({str(flag)!r}):
            open({str(flag)!r}, "w").close()
            os._exit(3)
        return super().utility(state)
"""
    )
    event = Event(terms("random", "random", game=f"{tmp_path}/deadly.py:Deadly"), 2, concurrency=2)
    event.play()
    assert flag.exists()
    assert len(event.played) == 4
    assert event.names == ["random", "random #2"]


def test_a_worker_that_always_dies_ends_the_tournament(tmp_path):
    (tmp_path / "deadly.py").write_text(
        "import os\nfrom prunus.games import TicTacToe\nclass Deadly(TicTacToe):\n"
        "    def utility(self, state):\n        os._exit(3)\n"
    )
    event = Event(terms("random", "random", game=f"{tmp_path}/deadly.py:Deadly"), 1, concurrency=2)
    with pytest.raises(MatchError, match="ended 3 times without a result.*status 3"):
        event.play()


def test_an_error_of_the_rules_names_its_line(tmp_path):
    (tmp_path / "wrong.py").write_text(
        "from prunus.games import TicTacToe\nclass Wrong(TicTacToe):\n"
        "    def utility(self, state):\n        return state.nothing\n"
    )
    event = Event(terms("random", "random", game=f"{tmp_path}/wrong.py:Wrong"), 1, concurrency=2)
    with pytest.raises(MatchError, match="AttributeError.*wrong.py:4, in utility"):
        event.play()


WRONG = [
    (["--player", "random"], "two players or more"),
    (["--player", "random", "--player", "engine"], "no limit"),
    (["--player", "random", "--player", "random", "--anchor", "x"], "NAME=2800"),
    (["--player", "random", "--player", "random", "--anchor", "x=1"], "x: this player has played"),
    (["--player", "random", "--player", "random", "--clock", "1+x"], "not a time control"),
    (["--player", "random", "--player", "random", "--adjudicate", "draw=1"], "is not understood"),
    (["--player", "random", "--player", "random", "--openings", "no.epd"], "no.epd"),
    (["--player", "random", "--player", "gtp:no-such", "--concurrency", "2"], "no such program"),
    (["--player", "person", "--player", "random", "--concurrency", "2"], "one game at a time"),
    (["--player", "random", "--player", "random", "--pgn", "x.pgn"], "PGN is for chess"),
]


@pytest.mark.parametrize(("words", "says"), WRONG, ids=[says for _, says in WRONG])
def test_bad_input_gets_one_line(words, says, tmp_path):
    done = prunus("tournament", "tic-tac-toe", "--rounds", "1", *words, status=2)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("prunus: ")
    assert says in last


# Clocks.


def test_time_controls():
    assert read_control("10+0.1") == TimeControl(10, 0.1)
    assert read_control("40/60+0.5") == TimeControl(60, 0.5, 40)
    assert str(read_control("40/60+0.5")) == "40/60+0.5"
    for text in ("", "x", "0", "1+", "-3", "1.2.3", "nan"):
        with pytest.raises(MatchError):
            read_control(text)


def test_a_clock_counts_increments_and_periods():
    clock = GameClock(10.0, PlayerLimits(clock=10.0, increment=1.0, moves=2))
    assert clock.turn(5, 3.0) == Turn(10.0, 5, 1.0, 2, 3.0)
    clock.spend(4)
    assert clock.turn(5, None) == Turn(7.0, 5, 1.0, 1, None)
    clock.spend(6)
    assert clock.left == 12
    assert not clock.has_fallen
    clock.spend(12.5)
    assert clock.has_fallen
    equal = GameClock(1.0, PlayerLimits(equal=True))
    equal.spend(5)
    assert not equal.has_fallen


class Sleepy(RandomPlayer):
    def choose(self, position, turn):
        time.sleep(0.02)
        return super().choose(position, turn)


def test_a_player_without_time_loses():
    sleepy = Sleepy()
    sleepy.limits = PlayerLimits(clock=0.03)
    record = Referee(TicTacToe(), (RandomPlayer(), sleepy), True, (None, 0.03)).play(0, [])
    assert (record.score, record.end, record.failed, record.over) == (1.0, "time", 1, (0, 1))
    tolerant = Manners(margin=1.0)
    record = Referee(TicTacToe(), (RandomPlayer(), sleepy), True, (None, 0.03), manners=tolerant)
    assert record.play(0, []).end == "finished"


# Openings.


def test_openings_from_files(tmp_path):
    game = Othello(6)
    path = tmp_path / "lines.txt"
    lines = []
    for seed in range(3):
        opening = Openings(game, 4, seed)[0]
        names, state = [], game.initial()
        for action in opening.actions:
            names.append(game.action_name(state, action))
            state = game.result(state, action)
        lines.append(f"start moves {' '.join(names)}")
    path.write_text("# three lines\n\n" + "\n".join(lines) + "\n")
    found = read_openings(game, path)
    assert [len(opening.actions) for opening in found] == [4, 4, 4]
    drawn = Openings(game, 0, 5, found)
    used = [drawn[number] for number in range(6)]
    assert set(used[:3]) == set(used[3:]) == set(found)
    longer = Openings(game, 2, 5, found)[1]
    assert longer.actions[:4] == drawn[1].actions
    assert len(longer.actions) == 6
    path.write_text("start moves z9\n")
    with pytest.raises(MatchError, match=r"line 1: move 1 \(z9\)"):
        read_openings(game, path)
    path.write_text("\n")
    with pytest.raises(MatchError, match="no opening"):
        read_openings(game, path)


def test_openings_that_are_positions(tmp_path):
    game = ConnectFour(5, 4)
    path = tmp_path / "positions.txt"
    path.write_text("1122\n33\n")
    found = read_openings(game, path)
    assert [list(path_of(game, opening))[-1] for opening in found] == [
        game.parse("1122"),
        game.parse("33"),
    ]
    record = Referee(game, (RandomPlayer(), RandomPlayer(1)), True).play(
        0, found[0].actions, found[0].state
    )
    assert record.start == game.format(found[0].state)
    assert game.play(record.moves, found[0].state) is not None


def test_openings_of_chess(tmp_path):
    chess = pytest.importorskip("chess")
    from prunus.adapters import open_any

    game, _ = open_any("python-chess")
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"
    (tmp_path / "a.epd").write_text(f'{fen} id "one"; bm Bb5;\n{fen} 2 3 id "two";\n')
    found = read_openings(game, tmp_path / "a.epd")
    assert [game.format(each.state) for each in found] == [f"{fen} 0 1", f"{fen} 2 3"]
    (tmp_path / "b.pgn").write_text("1. e4 e5 2. Nf3 *\n\n1. d4 {a comment} (1. c4) d5 *\n")
    found = read_openings(game, tmp_path / "b.pgn", plies=2)
    boards = [game.format(list(path_of(game, each))[-1]) for each in found]
    assert boards[1] == chess.Board().variation_san([]) or boards[1].startswith("rnbqkbnr/ppp1pppp")
    out = tmp_path / "out.pgn"
    words = ["--opening", "2", "--rounds", "1", "--adjudicate", "length=12", "--pgn", str(out)]
    words += ["--player", "random", "--player", "random,seed=1"]
    prunus("tournament", "python-chess", *words)
    import chess.pgn

    with out.open() as file:
        games = [chess.pgn.read_game(file), chess.pgn.read_game(file)]
    assert not games[0].errors
    tags = games[0].headers
    assert tags["Date"] == time.strftime("%Y.%m.%d", time.gmtime())
    assert (tags["Round"], tags["TimeControl"], tags["Termination"]) == ("1.1", "-", "adjudication")
    assert games[1].headers["Round"] == "1.2"
    moves = list(games[0].mainline())
    assert [move.comment for move in moves[:2]] == ["book", "book"]
    assert all(move.emt() is not None and move.clock() is None for move in moves[2:])
    assert [each.headers["White"] for each in games] == ["random", "random #2"]
    assert all(len(list(each.mainline_moves())) == 12 and not each.errors for each in games)
    assert all(each.headers["Termination"] == "adjudication" for each in games)


@in_full
def test_values_and_clocks_in_pgn():
    reader = pytest.importorskip("chess.pgn")
    from prunus.games import Chess

    limits = [PlayerLimits(clock=10, increment=0.1), PlayerLimits(clock=60, moves=40)]
    players = (RandomPlayer(1), RandomPlayer(2))
    manners = Manners(read_adjudication("length=4"))
    record = Match(Chess(), players, 1, opening=0, manners=manners).play().records[1]
    assert [len(each) for each in record.thoughts] == [3, 3, 3, 3]
    thoughts = [[-35, 0.25, 9.85], [40, 1.5, 58.5], [None, 0.1, 9.85], [30_000, 0.1, -0.5]]
    record = replace(record, thoughts=thoughts, end="time", score=1.0)
    text = pgn_of(Chess(), Played(Slot(0, 0, 1, False), record), ["A", "B"], "E", limits)
    game = reader.read_game(io.StringIO(text))
    tags = game.headers
    assert not game.errors
    assert (tags["White"], tags["Black"], tags["Result"]) == ("B", "A", "0-1")
    assert (tags["WhiteTimeControl"], tags["BlackTimeControl"]) == ("40/60", "10+0.1")
    assert (tags["Termination"], tags["PlyCount"], tags["Event"]) == ("time forfeit", "4", "E")
    moves = list(game.mainline())
    assert [move.clock() for move in moves] == [9.85, 58.5, 9.85, 0.0]
    assert [move.emt() for move in moves] == [0.25, 1.5, 0.1, 0.1]
    said = [move.eval() and move.eval().relative.score() for move in moves]
    assert said == [35, -40, None, -30_000]  # `relative` is for the player to move next


def test_files_of_earlier_versions_are_continued(tmp_path):
    path = tmp_path / "games.db"
    words = ["nim", "--opening", "1", "--first", "random", "--second", "random", "--out", str(path)]
    prunus("match", *words, "--games", "2")
    with closing(sqlite3.connect(path)) as base:
        base.execute("DROP VIEW results")
        base.execute("ALTER TABLE games DROP COLUMN thoughts")
        base.execute("ALTER TABLE games DROP COLUMN begun")
        base.commit()
    prunus("match", *words, "--games", "4")
    found = rows(path, "SELECT begun != '', thoughts FROM games ORDER BY id")
    assert [row[0] for row in found] == [0, 0, 1, 1]
    assert found[0][1] == "[]"
    assert json.loads(found[2][1])


# Adjudication.


def judged(rules, *choices):
    """The verdicts after choices (mover, value, proved) made in turn."""
    game = TicTacToe()
    judge = Adjudicator(game, rules)
    drawn = Openings(game, 1, 0)[0]
    path = list(path_of(game, drawn))
    from prunus.core.position import Position

    after = Position(path[1], (path[0],))
    return [
        judge.judge(mover, Choice(0, value=value, proved=proved), after, number)
        for number, (mover, value, proved) in enumerate(choices, 1)
    ]


def test_scores_that_both_sides_agree_on_end_a_game():
    rules = read_adjudication("resign=500/2")
    agreed = [
        (0, -600, False),
        (1, 600, False),
        (0, -700, False),
        (1, 650, False),
        (0, -650, False),
    ]
    assert [each is not None for each in judged(rules, *agreed)] == [False] * 4 + [True]
    assert judged(rules, *agreed)[-1].sign == -1
    disputed = [(0, -600, False), (1, -20, False)] * 3
    assert not any(judged(rules, *disputed))
    silent = [(0, -600, False), (1, None, False), (0, -600, False)]
    assert judged(rules, *silent)[-1].sign == -1
    level = [(0, 5, False), (1, -5, False)] * 3
    verdicts = judged(read_adjudication("draw=10/2/5"), *level)
    assert [each is not None for each in verdicts] == [False] * 4 + [True, True]
    assert verdicts[-1].sign == 0


def test_a_proof_ends_a_game():
    assert judged(Adjudication(proof=True), (0, 3, False), (1, -2, True))[1].value == -2
    assert judged(Adjudication(), (0, 3, True)) == [None]
    player = SearchPlayer("engine", PlayerLimits(depth=9), compile=False)
    player.warm_up(TicTacToe())
    manners = Manners(read_adjudication("proof"))
    record = Referee(TicTacToe(), (player, RandomPlayer()), True, manners=manners).play(0, [])
    assert (record.end, record.score, record.utility) == ("adjudicated: proof", 0.5, 0)
    assert len(record.moves) == 1
    assert record.failed is None


def test_the_book_ends_a_game():
    game = ConnectFour()
    manners = Manners(read_adjudication("book"))
    record = Referee(game, (RandomPlayer(), RandomPlayer(1)), False, manners=manners).play(0, [])
    assert record.end == "adjudicated: book"
    from prunus.tables.book import installed_book

    state = game.play(record.moves)
    value = installed_book(game).find(state).value
    # One move has been made, by the second player; the first one is to move.
    assert record.utility == value


def test_long_games_are_drawn():
    manners = Manners(read_adjudication("length=5"))
    record = Referee(Othello(6), (RandomPlayer(), RandomPlayer(1)), True, manners=manners)
    found = record.play(0, [])
    assert (found.end, found.score, len(found.moves)) == ("drawn by length", 0.5, 5)
    text = "proof,book,resign=600/4,draw=10/8/40,length=300"
    assert str(read_adjudication(text)) == text


def test_a_contest_ends_with_its_test():
    from prunus.play.ratings.sprt import Sprt

    class Wins:
        def names(self):
            return ["a", "b"]

        def play(self, slots, clocks):
            for slot in slots:
                game = Referee(TicTacToe(), (RandomPlayer(), RandomPlayer()), slot.first_begins)
                record = game.play(slot.round, [])
                yield Played(slot, type(record).of({**record.to_dict(), "score": 1.0}))

    contest = Contest(list(slots([(0, 1)], range(500))), [PlayerLimits()] * 2, sprt=Sprt(0, 50))
    contest.run(Wins())
    assert contest.is_decided()
    assert len(contest.played) < 100
    assert len(contest.played) % 2 == 0
    assert Slot(0, 0, 1, True) == contest.played[0].slot
