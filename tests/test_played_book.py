"""Books of the positions that came up in games: exactly those, with the values of a naive
minimax; what no search has proved is left out."""

from __future__ import annotations

import json
import random
from collections import Counter

import numpy as np
import pytest

import prunus
from prunus.adapters import open_any
from prunus.books.costly import Costly
from prunus.books.costly_estimate import estimate_costly
from prunus.books.journal import PlayedJournal, Searched
from prunus.books.played import ELSEWHERE, PlayedPositions, _backed_up, build_played_book
from prunus.books.positions import Edge, enumerate_positions
from prunus.books.verifying import verify_book
from prunus.books.work import Resources
from prunus.games import Chess, ConnectFour, Nim, Othello, ThreeMensMorris, TicTacToe
from prunus.games.catalogue import make_game
from prunus.play.players import MatchError
from prunus.play.recorded import read_games
from prunus.play.referee import Record
from prunus.play.tournament.schedule import Played, Slot
from prunus.play.tournament.store import Store
from prunus.tables.book import Book, read_manifest
from prunus.tables.errors import BookError
from prunus.tables.stored import MANIFEST, checksum, seal_of
from tests.amount import in_full
from tests.commands import prunus as command

USING = Resources(megabytes=1, compile=True)
SLOWLY = Resources(megabytes=1, compile=False)

HALVING = '''
from typing import NamedTuple

import prunus
from prunus import u8


class Halving(prunus.Game):
    """Take one or half of the stones; whoever takes the last one wins as many points as rounds."""

    class State(NamedTuple):
        stones: u8
        rounds: u8

    def initial(self):
        return self.State(11, 1)

    def actions(self, state):
        yield 1
        if state.stones > 3:
            yield 2

    def result(self, state, action):
        left = state.stones - (1 if action == 1 else state.stones // 2)
        return self.State(left, state.rounds + 1)

    def is_terminal(self, state):
        return state.stones == 0

    def utility(self, state):
        return -int(state.rounds)
'''


pytestmark = pytest.mark.usefixtures("users_books")


def random_games(game, count, seed=0, most=99):
    """Games in which every move is drawn."""
    draw, games = random.Random(seed), []
    for _ in range(count):
        state, actions = game.initial(), []
        while not game.is_terminal(state) and len(actions) < most:
            actions.append(draw.choice(list(map(int, game.actions(state)))))
            state = game.result(state, actions[-1])
        games.append(actions)
    return games


def came_up(game, games, plies=99):
    """The positions of the games, each with the games it came up in and its first ply."""
    times, first = Counter(), {}
    for actions in games:
        state = game.initial()
        passed = {game.canonical(state): 0}
        for ply, action in enumerate(actions[:plies], 1):
            state = game.result(state, action)
            if not game.is_terminal(state):
                passed.setdefault(game.canonical(state), ply)
        times.update(passed.keys())
        for state, ply in passed.items():
            first[state] = min(ply, first.get(state, ply))
    return times, first


def remembered_value(game, state, known):
    """The value by minimax, each position up to symmetry once."""
    if game.is_terminal(state):
        return int(game.utility(state))
    state = game.canonical(state)
    if state not in known:
        children = [game.result(state, action) for action in game.actions(state)]
        known[state] = max(
            remembered_value(game, child, known) * (1 if game.keeps_turn(state, child) else -1)
            for child in children
        )
    return known[state]


def best_of(game, state, known):
    worths = {}
    for action in map(int, game.actions(state)):
        child = game.result(state, action)
        value = remembered_value(game, child, known)
        worths[action] = value if game.keeps_turn(state, child) else -value
    return {action for action in worths if worths[action] == max(worths.values())}


def expect(book, wanted, known):
    """The book has these positions and no others, with their values and best actions."""
    game = book.game
    assert len(book) == len(wanted) == sum(book.manifest["positions"])
    for state in wanted:
        found, best = book.find(state), best_of(game, state, known)
        assert found.value == remembered_value(game, state, known), game.format(state)
        assert found.best and set(found.best) <= best, game.format(state)
        inside = {a for a in best if book.value(game.result(state, a)) is not None}
        assert inside <= set(found.best)


@pytest.mark.parametrize(
    ("spec", "plies", "at_least"),
    [
        ("tic-tac-toe", 9, 1),
        ("tic-tac-toe", 4, 3),
        pytest.param("mnk:m=4,n=3,k=3", 9, 2, marks=in_full),
        pytest.param("othello:size=4", 8, 2, marks=in_full),
        pytest.param("connect-four:width=4,height=4", 7, 2, marks=in_full),
        pytest.param("nim:piles=1-2-3", 9, 1, marks=in_full),
        ("dots:width=2,height=1", 99, 1),
    ],
)
def test_the_positions_of_games_with_their_values(spec, plies, at_least, tmp_path):
    """Scores, passes, further turns, positions that keys do not tell apart."""
    game = make_game(spec)
    games = random_games(game, 25)
    which = PlayedPositions(plies, at_least)
    book = Book(build_played_book(game, which.of(games), tmp_path / "book", using=USING), game)
    times, first = came_up(game, games, plies)
    wanted = [state for state in times if times[state] >= at_least]
    known = {}
    expect(book, wanted, known)
    counts = Counter(first[state] for state in wanted)
    assert book.manifest["positions"] == [counts[ply] for ply in range(max(counts) + 1)]
    assert book.plies == max(counts)
    assert verify_book(book, 10, compile=True) == []
    # Half of the positions are seen as mirror images by the rules.
    for actions in games:
        state = game.initial()
        for action in actions[:plies]:
            if times[game.canonical(state)] >= at_least:
                found = prunus.analyze(game, state, "engine", book=book)
                assert (found.algorithm, found.proved) == ("book", True)
                assert found.best in best_of(game, state, known)
            state = game.result(state, action)


def test_a_game_of_a_user(tmp_path):
    (tmp_path / "halving.py").write_text(HALVING)
    (tmp_path / "games.txt").write_text("# one\nmoves 1 2 1 1\nmoves 2 1 1\n\nmoves 1 2 2 1 1 1\n")
    spec = f"{tmp_path / 'halving.py'}:Halving"
    game, _ = open_any(spec)
    said = command(
        "book", "build", spec, "--from-games", tmp_path / "games.txt", "--out", tmp_path / "book"
    ).stdout
    assert "3 games: the positions" in said
    games = [played.moves.actions for played in read_games(game, tmp_path / "games.txt")]
    expect(Book(tmp_path / "book", game), list(came_up(game, games)[0]), {})
    assert verify_book(Book(tmp_path / "book", game), 5, compile=False) == []


def test_keys_that_are_hashes(tmp_path):
    class Colliding(Nim):
        exact_key = False

        def key(self, state):
            return prunus.u64(7)

    game = Colliding((1, 2, 2))
    games = random_games(game, 3)
    book = Book(
        build_played_book(game, PlayedPositions(6).of(games), tmp_path / "b", using=SLOWLY), game
    )
    expect(book, list(came_up(game, games, 6)[0]), {})
    assert verify_book(book, 5, compile=False) == []


def cost_of(game, state):
    return prunus.solve(game, state, "engine", table=1, compile=True, book=False).statistics.nodes


def test_only_costly_ones_and_only_solved_ones(tmp_path):
    game, known = TicTacToe(), {}
    games = random_games(game, 20)
    costs = {state: cost_of(game, state) for state in came_up(game, games, 6)[0]}
    start = game.canonical(game.initial())
    which = PlayedPositions(6, cost=50)
    book = Book(build_played_book(game, which.of(games), tmp_path / "a", using=USING), game)
    wanted = [state for state, cost in costs.items() if cost > 50 or state == start]
    assert 5 < len(wanted) < len(costs)
    expect(book, wanted, known)
    assert verify_book(book, 10, compile=True) == []
    said, limit = [], 200
    which = PlayedPositions(6, cost=50, nodes=limit)
    folder = build_played_book(game, which.of(games), tmp_path / "b", using=USING, say=said.append)
    book = Book(folder, game)
    inside = [state for state, cost in costs.items() if 50 < cost <= limit]
    assert start not in inside
    # A position may also be proved by all those after it.
    backed = [state for state in costs if costs[state] > limit and book.find(state) is not None]
    expect(book, inside + backed, known)
    left_out = sum(cost > limit for cost in costs.values()) - len(backed)
    assert left_out > 0
    assert said[-1].startswith(
        f"{left_out} of {len(costs)} positions were not solved within 200 nodes and are not in"
    )
    assert book.manifest["games"]["unsolved"] == left_out
    assert verify_book(book, 10, compile=True) == []
    # With more nodes, only those are searched that were left out.
    again = build_played_book(
        game, PlayedPositions(6, cost=50).of(games), tmp_path / "b", using=USING, say=said.append
    )
    assert any("were searched earlier" in line for line in said)
    same_arrays(again, tmp_path / "a")
    assert not (tmp_path / "b.solving").exists()


def test_all_positions_after_it_prove_one_that_is_not_solved():
    """Of five positions, one leads elsewhere too, and so do those before it."""
    to = {0: [1, 2], 1: [2, 4], 2: [3, -1], 3: [], 4: [2, ELSEWHERE]}
    edges = [[Edge(0, -1, target, 7) for target in to[number]] for number in range(5)]
    assert _backed_up([None, None, None, 5, None], edges) == [None, None, -5, 5, None]
    assert _backed_up([None, None, None, 5, 2], edges) == [5, 5, -5, 5, 2]


def same_arrays(one, other):
    for name in ("keys", "values", "best", "states"):
        assert (one / f"{name}.npy").read_bytes() == (other / f"{name}.npy").read_bytes(), name


def test_an_interrupted_build_ends_with_the_same_bytes(tmp_path):
    game, said = Othello(4), []
    games = random_games(game, 10)

    def interrupt(progress):
        if progress.done >= 8:
            raise KeyboardInterrupt

    def built(name, games=games, **how):
        return build_played_book(
            game, PlayedPositions(6).of(games), tmp_path / name, say=said.append, **how
        )

    with pytest.raises(KeyboardInterrupt):
        built("one", watch=interrupt, using=USING)
    assert "solved and kept" in said[-1]
    journal = tmp_path / "one.solving"
    header, *lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) >= 8
    # A record that was changed does not count, nor does half a line.
    state, nodes, value, *rest = json.loads(lines[0])
    lines[0] = json.dumps([state, nodes, value + 2, *rest]) + "\n"
    journal.write_text(header + "".join(lines) + '["00",')
    one = built("one", using=Resources(threads=3, megabytes=1, compile=True))
    assert any(f"{len(lines) - 1} of them were searched earlier" in line for line in said)
    other = built("other", games=games[::-1], using=USING)
    same_arrays(one, other)
    assert not journal.exists()
    # The games of a match that went on: what was solved before stays solved.
    with pytest.raises(KeyboardInterrupt):
        built("one", watch=interrupt, using=USING)
    built("one", games=[*games, *random_games(game, 1, 9)], using=USING)
    assert "were searched earlier" in said[-1]


def test_a_journal_that_is_none_is_begun_anew(tmp_path):
    path, subject = tmp_path / "a.solving", {"game": "x"}
    journal = PlayedJournal(path, subject)
    journal.add("00", Searched(5, -2, 1))
    journal.add("01", Searched(9))
    journal.close()
    again = PlayedJournal(path, subject)
    assert again.results == {"00": Searched(5, -2, 1), "01": Searched(9)}
    again.close()
    path.write_text(path.read_text() + "7\n")
    third = PlayedJournal(path, subject)
    assert third.results == {}
    third.close()
    path.write_bytes(b"\xff\xfe damaged")
    fourth = PlayedJournal(path, subject)
    assert fourth.results == {}
    fourth.remove()


def test_short_games_and_too_few(tmp_path):
    game = TicTacToe()
    short = [[0, 1], [0, 1], [2], []]
    book = Book(
        build_played_book(game, PlayedPositions(7).of(short), tmp_path / "a", using=SLOWLY), game
    )
    assert (book.plies, book.manifest["positions"]) == (2, [1, 1, 1])  # two corners are alike
    book = Book(
        build_played_book(game, PlayedPositions(0).of(short), tmp_path / "a", using=SLOWLY), game
    )
    assert (book.plies, len(book)) == (0, 1)
    for games, which in ((short, PlayedPositions(7, 4)), ([], PlayedPositions()), ([[]], PlayedPositions()), (short, PlayedPositions(0, 5))):  # fmt: skip
        with pytest.raises(BookError, match="smaller --at-least"):
            build_played_book(game, which.of(games), tmp_path / "b")
    with pytest.raises(BookError, match="none of the 3 positions is solved within 1 nodes"):
        build_played_book(game, PlayedPositions(nodes=1).of(short), tmp_path / "b", using=SLOWLY)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    "numbers",
    [{"plies": -1}, {"at_least": 0}, {"cost": 0}, {"nodes": True}, {"cost": 9, "nodes": 9}],
)
def test_what_are_no_numbers(numbers):
    with pytest.raises(BookError):
        PlayedPositions(**numbers)


def test_games_that_have_no_books(tmp_path):
    for game in (ThreeMensMorris(), Chess()):
        with pytest.raises(BookError, match="has no books"):
            build_played_book(game, PlayedPositions().of([]), tmp_path / "book")


def match_file(path, spec, *games, start=""):
    """The file of a match."""
    blank = {"utility": None, "seconds": (0.0, 0.0), "slowest": (0.0, 0.0), "counts": (1, 1)}
    blank |= {"over": (0, 0), "depth": (None, None), "searching": (None, None)}
    store = Store(path, {"game": spec}, ["a", "b"])
    for number, (opening, moves) in enumerate(games):
        record = Record(number, True, opening, moves, 1.0, start=start, **blank)
        store.add(Played(Slot(number, 0, 1, True), record))
    store.close()


def test_other_games_and_starts_are_refused(tmp_path):
    game = ConnectFour(4, 4)
    match_file(tmp_path / "other.db", "connect-four", (["1"], ["2"]))
    with pytest.raises(MatchError, match=r"width=7, height=6\), not of ConnectFour\(width=4"):
        read_games(game, tmp_path / "other.db", from_start=True)
    match_file(tmp_path / "start.db", "connect-four:height=4,width=4", ([], ["2"]), start="12")
    with pytest.raises(MatchError, match="game 1: it begins with another position than the start"):
        read_games(game, tmp_path / "start.db", from_start=True)
    # A file that a match names is not run.
    ran = tmp_path / "ran"
    (tmp_path / "bad.py").write_text(f"open({str(ran)!r}, 'w')\n")
    match_file(tmp_path / "wrong.db", f"{tmp_path / 'bad.py'}:Bad", (["1"], ["7"]))
    with pytest.raises(MatchError, match="game 1: "):
        read_games(game, tmp_path / "wrong.db", from_start=True)
    assert not ran.exists()
    match_file(tmp_path / "right.db", "connect-four:height=4,width=4", (["1"], ["2"]))
    assert len(read_games(game, tmp_path / "right.db", from_start=True)) == 1
    match_file(tmp_path / "none.db", "connect-four:height=4,width=4")
    with pytest.raises(MatchError, match="no game in this file"):
        read_games(game, tmp_path / "none.db", from_start=True)
    for name in ("none.txt", "none.pgn"):
        (tmp_path / name).write_text("")
        with pytest.raises(MatchError, match="no game in this file"):
            read_games(game, tmp_path / name, from_start=True)


def changed(folder, name, change):
    """Change an array, with the checksums that belong to it."""
    path = folder / f"{name}.npy"
    array = np.load(path)
    np.save(path, change(array))
    manifest = read_manifest(folder)
    manifest["files"][path.name] |= {"sha256": checksum(path), "bytes": path.stat().st_size}
    (folder / MANIFEST).write_text(json.dumps({**manifest, "check": seal_of(manifest)}))


def test_wrong_values_are_found(tmp_path):
    game = TicTacToe()
    games = random_games(game, 6)

    def built():
        return build_played_book(game, PlayedPositions().of(games), tmp_path / "book", using=USING)

    def faults(name, change, samples=0):
        folder = built()
        changed(folder, name, change)
        return verify_book(Book(folder, game), samples, compile=True)

    assert verify_book(Book(built(), game), 99, compile=True) == []
    assert any("one ply later say" in line for line in faults("values", lambda a: a - 1))
    assert any("a search" in line for line in faults("values", lambda a: a + 1, 3))
    swap = [*range(len(Book(built(), game)))]
    swap[-2:] = swap[:-3:-1]
    assert any("not that of its key" in line for line in faults("states", lambda a: a[swap]))
    assert any("a position for each key" in line for line in faults("states", lambda a: a[:-1]))
    with pytest.raises(BookError, match="other rules"):
        faults("states", lambda a: a[:, 1:])
    assert any("differ" in line for line in faults("best", lambda a: a * 0 + 1))


def test_an_estimate_of_costly_positions():
    game = TicTacToe()
    positions = enumerate_positions(game, 3)
    costly = sum(cost_of(game, positions.states[number]) > 50 for number in positions.deepest())
    found = estimate_costly(game, Costly(50, 3), 1000, using=USING)
    assert (found.before, found.done, found.costly) == (
        positions.deepest().start,
        len(positions.deepest()),
        costly,
    )
    assert found.total == found.done and found.seconds(50, 1) > 0
    with pytest.raises(BookError, match="give --plies"):
        estimate_costly(game, Costly(50), 5)


def test_commands(tmp_path, users_books):
    spec, file = "othello:size=4", tmp_path / "a match.db"
    command("match", spec, "--first", "random", "--second", "random", "--games", "4", "--out", file)
    build = ("book", "build", spec, "--from-games", file, "--plies", "4", "--table", "1")
    shown = command(*build).stdout
    assert "4 games: the positions up to ply 4" in " ".join(shown.split())
    assert f"--from-games '{file}' --plies 4" in shown
    assert "4 games" in command("book", "show", spec).stdout
    assert "sampled positions right" in command("book", "verify", spec, "--sample", "2").stdout
    assert json.loads(command("solve", spec, "--json").stdout)["algorithm"] == "book"
    assert json.loads(command("analyze", spec, "--json").stdout)["algorithm"] == "book"
    build = ("book", "build", spec, "--from-games", file, "--table", "1")
    made = command(*build, "--nodes", "500")
    assert "not solved within 500 nodes and are not in the book" in made.stderr
    assert "left out" in made.stdout and "not in the book" in made.stdout
    assert json.loads(command("solve", spec, "--json").stdout)["algorithm"] == "engine"
    assert "smaller --at-least" in command(*build, "--at-least", "9", status=2).stderr
    assert "--sample" in command(*build, "--sample", "2", status=2).stderr
    other = command("book", "build", "othello:size=6", "--from-games", file, status=2)
    assert "size=4" in other.stderr and "size=6" in other.stderr
    alone = command("book", "build", spec, "--plies", "1", "--nodes", "5", status=2)
    assert "--from-games" in alone.stderr
    cheap = command(
        "book", "build", "tic-tac-toe", "--by-cost", "50", "--plies", "2", "--sample", "3"
    )
    assert "cost more than 50 nodes" in cheap.stdout
