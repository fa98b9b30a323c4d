"""Positions that a game numbers itself: the same databases as those of listed positions."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from prunus.core.arrays import View
from prunus.databases import marks
from prunus.databases.backward import solve_positions
from prunus.databases.building import Asked, Work, build_database
from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database
from prunus.databases.labels import value_of
from prunus.databases.numbering import number_positions
from prunus.databases.outcome import Outcome
from prunus.databases.querying import Query, find_positions
from prunus.databases.ranking import rank_positions
from prunus.databases.verifying import verify_database
from prunus.games import ConnectFour, make_game
from prunus.games.three_mens_morris import ThreeMensMorris
from prunus.kernel.memory import Memory
from tests.amount import amount, in_full
from tests.commands import prunus as command
from tests.databases import builder, naive


class RankedMorris(ThreeMensMorris):
    """Three men's morris with numbers: the board in base 3, and whose turn it is."""

    def rank_count(self):
        return 2 * 3**9

    def rank(self, state):
        number = 0
        for cell in range(9):
            number = 3 * number + (state.mine >> cell & 1) + 2 * (state.theirs >> cell & 1)
        return 2 * number + state.turn

    def unrank(self, number):
        left, mine, theirs = number // 2, 0, 0
        for _ in range(9):
            mine, theirs = 2 * mine + (left % 3 == 1), 2 * theirs + (left % 3 == 2)
            left //= 3
        return self.State(mine, theirs, number % 2)


def values_of(positions, threads=1, **options):
    """The value of each position by its State."""
    solved = solve_positions(positions, threads=threads, **options)
    return {
        positions.state(i): value_of(int(solved.labels[i]), solved.scored)
        for i in range(len(positions))
    }


@pytest.mark.parametrize("count", [1, 64, 65, 1000, 9000])
def test_marked_numbers_have_their_places(count, monkeypatch):
    monkeypatch.setattr(marks, "BLOCK", 3)
    draw = random.Random(count)
    for share in (0.001, 0.02, 0.5, 1):
        chosen = [number for number in range(count) if draw.random() < share] or [count - 1]
        memory = Memory({"marks": View(np.zeros(marks.marks_for(count), np.uint64))})
        assert all(marks.mark(number, memory) for number in chosen)
        assert not any(marks.mark(number, memory) for number in chosen)
        total, hints = marks.count_marks(memory.marks.array)
        assert total == len(chosen)
        assert hints.itemsize == 4  # files have eight bytes for each
        memory = Memory({"marks": memory.marks, "hints": View(hints)})
        places = dict(zip(chosen, range(total), strict=True))
        for number in range(count):
            assert marks.place_among(number, memory) == places.get(number, marks.ABSENT)
        assert [marks.number_at(place, memory) for place in range(total)] == chosen


@pytest.mark.parametrize("most", [1, 3])
def test_graphs_with_cycles(most):
    for seed in range(amount(40, 300)):
        game = naive.ranked(naive.random_graph(seed + 5000 * most, most))
        threads = 1 + seed % 2
        found = values_of(rank_positions(game, threads=threads), threads, outcomes=most == 1)
        listed = values_of(number_positions(game, compile=False), compile=False, outcomes=most == 1)
        assert found == listed, seed
        if most == 1:
            assert found == naive.outcomes(game, game.initial()), seed
        else:
            wanted = naive.scores(game, game.initial())
            assert {state: value.value for state, value in found.items()} == wanted, seed


def test_a_game_with_cycles_and_symmetry():
    game = RankedMorris()
    wanted = naive.outcomes(game, game.initial())
    found = values_of(rank_positions(game))
    assert found == {game.canonical(state): value for state, value in wanted.items()}
    assert found == values_of(number_positions(game))


@pytest.mark.parametrize("board", [(4, 3), pytest.param((3, 4), marks=in_full), (4, 4)])
def test_connect_four(board):
    game = ConnectFour(*board)
    ranked = rank_positions(game, threads=2)
    assert values_of(ranked, 2) == values_of(number_positions(game, threads=2), 2)
    assert [ranked.place(ranked.state(i)) for i in range(0, len(ranked), 7)] == list(
        range(0, len(ranked), 7)
    )
    assert all(game.key(ranked.state(i)) < game.rank_count() for i in range(0, len(ranked), 7))


def test_files_do_not_depend_on_how_hints_are_held():
    positions = rank_positions(make_game("connect-four:width=3,height=3"), compile=False)
    assert positions.hints.array.dtype == np.uint32
    assert positions.arrays()["hints"].dtype == np.int64


def test_large_boards_have_no_numbers():
    assert [ConnectFour(*board).rank_count() for board in [(6, 4), (5, 5), (7, 6), (9, 9)]] == [
        1 << 30,
        1 << 30,
        0,
        0,
    ]


def test_from_a_later_position_others_are_absent():
    game = ConnectFour(4, 4)
    late = game.play(["2", "2"])
    ranked, listed = rank_positions(game, late), number_positions(game, late)
    assert len(ranked) == len(listed)
    for text in ("", "1", "22", "221", "12", "2233"):
        state = game.parse(text)
        assert (ranked.place(state) >= 0) == (listed.place(state) >= 0), text


def test_a_state_with_the_number_of_another_is_absent():
    ranked = rank_positions(naive.ranked(naive.random_graph(228, 1)), compile=False)
    for place in range(len(ranked)):
        state = ranked.state(place)
        beyond = state._replace(node=state.node + 67)
        assert ranked.game.rank(beyond) == ranked.number(place)
        assert ranked.place(state) == place and ranked.place(beyond) == -1


def test_whatever_the_threads_the_marks_are_the_same():
    game = ConnectFour(4, 4)
    one, two = rank_positions(game, threads=1), rank_positions(game, threads=2)
    assert one.marks.array.tobytes() == two.marks.array.tobytes()
    assert one.fingerprint() == two.fingerprint()


def wrong(**methods):
    """A graph whose numbers are wrong."""
    like = naive.random_graph(228, 1)
    kind = type("Wrong", (naive.RankedGraph,), methods)
    return kind(like.targets, like.first, like.mover, like.worth)


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"rank": lambda self, s: s.node // 2}, "number of its own that leads back"),
        (
            {
                "rank": lambda self, s: 40 * s.node,
                "unrank": lambda self, n: self.State(n // 40),
            },
            r"outside 0 \.\.\. 334",
        ),
        ({"rank": lambda self, s: s.node - 1}, r"rank gives -1 for node=0, outside"),
        ({"rank": lambda self, s: s.node + (1 << 63)}, "outside"),
        ({"unrank": lambda self, n: self.State(0)}, r"but unrank\(\d+\) is node=0"),
        ({"rank_count": lambda self: 1 << 50}, "are possible"),
        ({"rank_count": lambda self: -1}, "are possible"),
        ({"rank_count": lambda self: 3.5}, "not an integer"),
    ],
)
@pytest.mark.parametrize("compiled", [False, None])
def test_wrong_numbers_are_refused(methods, message, compiled):
    with pytest.raises(DatabaseError, match=message):
        rank_positions(wrong(**methods), compile=compiled)


def test_two_positions_with_one_number_are_found_wherever_they_are():
    """Every pair of positions in turn shares a number."""
    plain = RankedMorris()
    reached = sorted({plain.canonical(s) for s in naive.reachable(plain, plain.initial())})
    draw = random.Random(3)
    for _ in range(amount(6, 60)):
        one, other = draw.sample(reached, 2)

        class Twins(RankedMorris):
            def rank(self, state, one=one, other=other):
                return RankedMorris.rank(self, one if state == other else state)

        with pytest.raises(DatabaseError, match="leads back"):
            rank_positions(Twins(), compile=False)


OWN = '''
import prunus
from prunus import u8
from typing import NamedTuple

class Take(prunus.Game):
    """Take one to three; whoever takes the last one wins."""

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(12)

    def actions(self, state):
        return range(1, min(3, state.left) + 1)

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1

    def rank_count(self):
        return 13

    def rank(self, state):
        return {rank}

    def unrank(self, number):
        return self.State(12 - number)
'''


def test_commands(tmp_path):
    file, folder = tmp_path / "take.py", tmp_path / "db"
    file.write_text(OWN.format(rank="12 - state.left"))
    said = command("db", "build", f"{file}:Take", "--out", str(folder)).stdout
    assert "13 positions" in said and "9 won, 0 drawn, 4 lost" in said
    assert sorted(path.name for path in folder.iterdir()) == [
        "hints.npy",
        "manifest.json",
        "marks.npy",
        "values.npy",
    ]
    assert command("db", "probe", str(folder)).stdout == "loss in 6 plies\n"
    assert "  3          loss in 6 plies\n" in command("db", "show", str(folder)).stdout
    assert "13 values follow" in command("db", "verify", str(folder)).stdout
    assert "ranks      13: the game" in command("db", "info", str(folder)).stdout
    longest = command("db", "query", str(folder), "--longest").stdout
    assert "left=12\nloss in 6 plies" in longest
    file.write_text(OWN.format(rank="state.left // 2"))
    assert "build it again" in command("db", "probe", str(folder), status=2).stderr
    other = command("db", "build", f"{file}:Take", "--out", str(tmp_path / "other"), status=2)
    assert "leads back to it" in other.stderr and other.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db", "take.py"]


def ranked_database(folder):
    """The database of three men's morris with numbers, whose class is not in a file of its own."""
    build_database(RankedMorris(), None, folder, Asked("morris", "", "build it"), Work())
    return Database(folder, RankedMorris())


def test_the_answers_are_those_of_a_database_without_numbers(tmp_path):
    game = make_game("three-mens-morris")
    build_database(game, None, tmp_path / "listed", Asked("morris", "", "build"), Work())
    listed, ranked = Database(tmp_path / "listed", game), ranked_database(tmp_path / "ranked")
    assert {path.suffix for path in (tmp_path / "ranked").iterdir()} == {".npy", ".json"}
    for state in naive.reachable(game, game.initial()):
        assert ranked.probe(state) == listed.probe(state)
        assert sorted(ranked.moves(state)) == sorted(listed.moves(state))
        assert ranked.find(state) == listed.find(state)
    for query in (Query(Outcome.won), Query(only_move=True), Query(longest=True), Query(plies=3)):
        one, other = find_positions(listed, query), find_positions(ranked, query)
        assert sorted(one[0]) == sorted(other[0]) and one[1] == other[1] > 0
    for state in (game.State(7, 7, 0), game.State(0o700, 0, 1), game.State(1, 0, 0)):
        assert ranked.probe(state) is None and listed.probe(state) is None
    assert verify_database(ranked) == []


def test_verify_finds_wrong_values_and_wrong_numbers(tmp_path, monkeypatch):
    database = ranked_database(tmp_path / "db")
    labels = np.array(database.labels.array)
    labels[17] ^= 4
    database.labels = View(labels)
    monkeypatch.setattr("prunus.databases.verifying.check_files", lambda *_: None)
    assert any("does not follow" in line for line in verify_database(database))
    # The start as another of its mirror images, to which no position leads.
    game = RankedMorris()
    start = game.parse(".X./.../... O")
    asked = Asked("morris", game.format(start), "build it")
    build_database(game, start, tmp_path / "later", asked, Work())
    database = Database(tmp_path / "later", game)
    unrank, rank, image = RankedMorris.unrank, game.rank(start), game.parse(".../X../... O")

    def moved(self, number):
        return image if number == rank else unrank(self, number)

    monkeypatch.setattr(RankedMorris, "unrank", moved)
    told = verify_database(database, compile=False)
    assert len(told) == 1 and f"stored under {rank}, but rank gives" in told[0]


def test_other_numbers_than_those_of_the_database_are_refused(tmp_path, monkeypatch):
    ranked_database(tmp_path / "db")
    monkeypatch.setattr("prunus.databases.folder.identity_of", lambda game: said)
    said = json.loads((tmp_path / "db" / "manifest.json").read_text())["identity"]
    Database(tmp_path / "db", RankedMorris())
    kept = RankedMorris.rank, RankedMorris.unrank, RankedMorris.rank_count
    highest = RankedMorris().rank_count() - 1
    monkeypatch.setattr(RankedMorris, "rank", lambda self, s: highest - kept[0](self, s))
    monkeypatch.setattr(RankedMorris, "unrank", lambda self, n: kept[1](self, highest - n))
    with pytest.raises(DatabaseError, match="in another way.*build it"):
        Database(tmp_path / "db", RankedMorris())
    monkeypatch.setattr(RankedMorris, "rank_count", lambda self: 0)
    with pytest.raises(DatabaseError, match="in another way.*build it"):
        Database(tmp_path / "db", RankedMorris())


def test_a_database_without_numbers_is_read_though_the_game_has_them_now(tmp_path, monkeypatch):
    game = ConnectFour(4, 3)
    monkeypatch.setattr(ConnectFour, "rank_count", lambda self: 0)
    build_database(game, None, tmp_path / "db", Asked("c4", "", "build"), Work())
    monkeypatch.undo()
    assert (tmp_path / "db" / "states.npy").exists() and game.rank_count() > 0
    database = Database(tmp_path / "db", ConnectFour(4, 3))
    assert database.probe(game.initial()) is not None and verify_database(database) == []


def test_a_stopped_enumeration_goes_on_from_any_moment():
    game = builder.GAMES["ranked"]()
    whole = rank_positions(game, compile=False)
    kept = []
    rank_positions(game, compile=False, keep=lambda marks: kept.append(marks.copy()))
    assert len(kept) > 2
    for begun in kept:
        again = rank_positions(game, compile=False, found=begun)
        assert again.marks.array.tobytes() == whole.marks.array.tobytes()
    # Marks whose expansion was interrupted: marked, but not yet expanded.
    partly = kept[-1].copy()
    partly[1::2] &= np.uint64(0x5555)
    again = rank_positions(game, compile=False, found=partly)
    assert again.marks.array.tobytes() == whole.marks.array.tobytes()


def test_an_enumeration_that_ends_anywhere_goes_on(monkeypatch):
    """Within a word of marks, too: none of its positions counts as expanded before all children are
    marked."""
    whole = rank_positions(RankedMorris(), compile=False)
    is_terminal = RankedMorris.is_terminal
    for calls in random.Random(4).sample(range(1, len(whole)), amount(12, 200)):
        left = [calls]

        def until_then(self, state, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise InterruptedError
            return is_terminal(self, state)

        marks = np.zeros(len(whole.marks), np.uint64)
        with monkeypatch.context() as patch:
            patch.setattr(RankedMorris, "is_terminal", until_then)
            with pytest.raises(InterruptedError):
                rank_positions(RankedMorris(), compile=False, found=marks)
        assert np.any(marks)
        again = rank_positions(RankedMorris(), compile=False, found=marks)
        assert again.marks.array.tobytes() == whole.marks.array.tobytes()
