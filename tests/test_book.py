"""Opening books: they agree with what a search proves, from every position and mirror image;
damaged and foreign ones are refused."""

from __future__ import annotations

import itertools
import json
from typing import NamedTuple

import numpy as np
import pytest

import prunus
from prunus.books.building import build_book, estimate
from prunus.books.journal import CostJournal, PlayedJournal, SolvedJournal
from prunus.books.positions import enumerate_positions
from prunus.books.verifying import verify_book
from prunus.books.work import Resources, solving
from prunus.books.writing import write_book
from prunus.cli.book import show
from prunus.core.journal import JournalError
from prunus.games import ConnectFour, Nim, Othello, PodiumNim, ThreeMensMorris, TicTacToe
from prunus.games.catalogue import make_game
from prunus.tables.book import Book, folder_name, installed_book
from prunus.tables.errors import BookError
from prunus.tables.identity import identity
from prunus.tables.stored import MANIFEST
from tests.amount import in_full
from tests.commands import prunus as command
from tests.naive import remembered_value

pytestmark = pytest.mark.usefixtures("users_books")


def walk(game, plies):
    """All unfinished positions within a number of plies, mirror images included."""
    layer = [game.initial()]
    for _ in range(plies + 1):
        yield from layer
        children = {
            game.result(state, action): None for state in layer for action in game.actions(state)
        }
        layer = [child for child in children if not game.is_terminal(child)]


def agrees(game, book, state, table):
    """Whether the book's answer agrees with a search: the value, and the best actions (all of them
    before the last ply)."""
    found = prunus.analyze(game, state, "engine", book=book)
    assert (found.algorithm, found.proved, found.bound, found.best) == (
        "book",
        True,
        "exact",
        found.best_moves[0],
    )
    truth = prunus.solve(
        game, state, "engine", table=table, compile=True, all_moves=True, book=False
    )
    assert found.value == truth.value, game.format(state)
    assert set(found.best_moves) <= set(truth.best_moves), game.format(state)
    if book.value(game.result(state, found.best)) is not None:
        assert found.best_moves == truth.best_moves, game.format(state)
    return found


@in_full
def test_a_small_board_agrees_with_solve_at_every_position(users_books):
    game = ConnectFour(4, 4)
    folder = build_book(game, 3, using=Resources(compile=True))
    assert folder.parent == users_books
    book, table = installed_book(game), prunus.TranspositionTable(16, game, game.initial())
    for state in walk(game, 3):
        agrees(game, book, state, table)
    assert (
        sum(book.manifest["positions"])
        == len(book)
        == len({game.canonical(state) for state in walk(game, 3)})
    )
    outside = game.parse("1234")
    assert prunus.analyze(game, outside, "engine", 4).algorithm == "engine"


@in_full
def test_lines_and_moves(users_books):
    game = ConnectFour(5, 4)
    build_book(game, 3)
    found = prunus.solve(game, algorithm="engine", all_moves=True)
    assert (found.algorithm, found.statistics.nodes, len(found.pv)) == ("book", 0, 4)
    assert {move.action: move.value for move in found.moves} == {
        move.action: move.value
        for move in prunus.solve(game, algorithm="engine", all_moves=True, book=False).moves
    }
    assert found.statistics.table_hits > 0
    assert "looked up" in str(found)
    two = prunus.analyze(game, algorithm="engine", multi_pv=2)
    assert [move.value for move in two.moves] == sorted(
        (move.value for move in found.moves), reverse=True
    )[:2]
    # The moves of a position at the last ply lead out of the book.
    last = game.parse("321")
    assert prunus.solve(game, last, algorithm="engine").algorithm == "book"
    assert prunus.solve(game, last, algorithm="engine", all_moves=True).algorithm == "engine"
    assert {
        prunus.solve(game, state, algorithm="engine").statistics.nodes for state in walk(game, 3)
    } == {0}


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param("tic-tac-toe:misere=true", marks=in_full),
        pytest.param("nim:piles=1-2-3", marks=in_full),
        pytest.param("othello:size=4", marks=in_full),
        "random-game:seed=3",
        pytest.param("mnk:m=2,n=3", marks=in_full),
    ],
)
def test_whole_games_and_games_of_other_kinds(spec, users_books):
    """Games with passes, games whose key is a hash, games whose positions can come after fewer or
    more plies; a whole game has no last ply to solve."""
    game = make_game(spec)
    plies = 2 if spec.startswith("othello") else 9 if "random" not in spec else 3
    book = Book(build_book(game, plies), game)
    assert verify_book(book, 5, compile=True) == []
    table, known = prunus.TranspositionTable(16, game, game.initial()), {}
    for number, state in enumerate(walk(game, 3)):
        if number % 25 == 0 and book.find(state) is not None:
            found = agrees(game, book, state, table)
            if plies == 9:
                assert found.value == remembered_value(game, state, known)
                assert found.distance == len(found.pv)


def test_keys_that_are_hashes_are_verified(users_books):
    class Colliding(TicTacToe):
        exact_key = False

        def key(self, state):
            return prunus.u64(7)

    game = Colliding()
    book = Book(build_book(game, 2, using=Resources(compile=False)), game)
    assert (book.folder / "states.npy").exists()
    assert {book.value(state) for state in walk(game, 1)} == {0}
    assert book.find(game.parse("X.O/.X./...")) is None


@in_full
def test_when_the_installed_book_is_used(users_books):
    game = ConnectFour(4, 4)
    build_book(game, 1)
    assert prunus.solve(game, algorithm="engine").algorithm == "book"
    assert prunus.analyze(game, algorithm="engine", depth=3).algorithm == "book"
    for options in (
        {"book": False}, {"compile": True}, {"prefer_faster": True}, {"options": {"beam": 2}}, {"algorithm": "alphabeta"},
    ):  # fmt: skip
        assert (
            prunus.analyze(game, **{"algorithm": "engine", "depth": 3, **options}).algorithm
            != "book"
        ), options
    assert (
        prunus.analyze(game, algorithm="alphabeta", book=installed_book(game)).algorithm == "book"
    )
    assert installed_book(ConnectFour(4, 5)) is None


def test_an_interrupted_build_goes_on_where_it_stopped(users_books):
    game, said = ConnectFour(4, 4), []

    def interrupt(progress):
        if progress.done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_book(game, 5, watch=interrupt, say=said.append, using=Resources(threads=2))
    assert "kept" in said[-1]
    kept = len(next(users_books.glob("*.solving")).read_text().splitlines()) - 1
    assert kept >= 5
    build_book(game, 5, say=said.append)
    assert f"{kept} of them solved earlier" in said[-1]
    assert [path.name for path in users_books.iterdir()] == [folder_name(game)]
    assert verify_book(installed_book(game), 10, compile=True) == []


@pytest.mark.parametrize(
    ("first", "second"), [*itertools.permutations([SolvedJournal, CostJournal, PlayedJournal], 2)]
)
def test_no_kind_of_book_goes_on_with_the_journal_of_another(first, second, tmp_path):
    path, subject = tmp_path / "a.solving", {"game": "x"}
    journal = first(path, subject)
    journal.keep(1, 2, 3)
    journal.close()
    kept = path.read_bytes()
    with pytest.raises(BookError, match=f"a book {first.kind}, not {second.kind}: finish that"):
        second(path, subject)
    assert path.read_bytes() == kept


@pytest.mark.parametrize("kind", [SolvedJournal, CostJournal, PlayedJournal])
def test_a_journal_that_does_not_say_its_kind_is_refused(kind, tmp_path):
    path, kept = tmp_path / "a.solving", b'{"game":"x"}\n[1,2,3,0.5]\n'
    path.write_bytes(kept)
    with pytest.raises(BookError, match="a.solving keeps what another version .* remove the file"):
        kind(path, {"game": "x"})
    assert path.read_bytes() == kept


@pytest.mark.parametrize("kind", [SolvedJournal, CostJournal, PlayedJournal])
def test_a_journal_that_is_being_written_is_refused(kind, tmp_path):
    path = tmp_path / "a.solving"
    first = kind(path, {"game": "x"})
    first.append([])
    kept = path.read_bytes()
    for subject in ("x", "y"):
        with pytest.raises(JournalError, match="a.solving: another command is writing"):
            kind(path, {"game": subject})
    assert path.read_bytes() == kept
    first.remove()
    kind(path, {"game": "y"}).remove()


def test_a_journal_survives_a_torn_line_and_other_subjects(tmp_path):
    path = tmp_path / "a.solving"
    journal = SolvedJournal(path, {"game": "x"})
    journal.add(3, -2, 1)
    journal.add(4, 5, 0)
    journal.close()
    path.write_text(path.read_text() + "[5,1")
    again = SolvedJournal(path, {"game": "x"})
    assert again.results == {3: (-2, 1), 4: (5, 0)}
    again.close()
    path.write_text(
        "".join(
            line.replace("[4,5,0,0.0]", "[4,5,0,1000.0]")
            for line in path.read_text().splitlines(keepends=True)
        )
    )
    third = SolvedJournal(path, {"game": "x"})
    assert third.seconds >= 1000  # the time of earlier sittings counts
    third.close()
    path.write_text(path.read_text() + "6 1 2 3.0\n")
    torn = SolvedJournal(path, {"game": "x"})
    assert torn.results == {}  # nothing of a file with a line that is no record
    torn.add(3, -2, 1)
    torn.close()
    other = SolvedJournal(path, {"game": "y"})
    assert other.results == {}
    other.remove()
    assert not path.exists()


def test_damage_is_noticed(users_books):
    game = TicTacToe()
    folder = build_book(game, 3)
    Book(folder, game)
    values = np.load(folder / "values.npy")
    values[5] += 1
    np.save(folder / "values.npy", values)
    with pytest.raises(BookError, match="damaged"):
        Book(folder, game)
    folder = build_book(game, 3)
    (folder / "best.npy").unlink()
    with pytest.raises(BookError, match="best.npy"):
        Book(folder, game)
    folder = build_book(game, 3)
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "format": 99}))
    with pytest.raises(BookError, match="format 99"):
        Book(folder, game)
    (folder / MANIFEST).write_text(json.dumps({**manifest, "identity": "TicTacToe(misere=True)"}))
    with pytest.raises(BookError, match="not that of what it says"):
        Book(folder, game)
    unchecked = {name: file for name, file in manifest["files"].items() if name != "best.npy"}
    (folder / MANIFEST).write_text(json.dumps({**manifest, "files": unchecked}))
    with pytest.raises(BookError, match="not that of what it says"):
        Book(folder, game)
    del manifest["check"]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(BookError, match="it lacks check"):
        Book(folder, game)
    (folder / MANIFEST).write_text("{")
    with pytest.raises(BookError, match="not the manifest"):
        Book(folder, game)


def test_wrong_values_are_found_by_solving_anew(users_books):
    game = TicTacToe()
    positions = enumerate_positions(game, 1)
    wrong = write_book_of(users_books / "wrong", positions, [1] * len(positions.states))
    lines = verify_book(Book(wrong, game), 8, compile=True)
    assert any("a search 0" in line for line in lines)


def write_book_of(folder, positions, values):
    best = [tuple(positions.game.actions(state))[:1] for state in positions.states]
    write_book(
        folder,
        positions,
        values,
        best,
        {
            "game": "tic-tac-toe",
            "how": "--plies 1",
            "seconds": 0,
            "threads": 1,
            "megabytes": 16,
        },
    )
    return folder


def test_other_games_books_are_refused(users_books):
    folder = build_book(ConnectFour(4, 4), 1)
    with pytest.raises(BookError, match=r"width=4, height=4.*not of.*width=5"):
        Book(folder, ConnectFour(5, 4))
    with pytest.raises(BookError, match="no book"):
        Book(users_books / "nowhere", ConnectFour(4, 4))
    assert identity(ConnectFour()) == "ConnectFour(width=7, height=6)"
    assert identity(Nim((1, 2), True)) != identity(Nim((1, 2)))
    assert "Mine" in identity(Mine()) and identity(Mine()) != "Mine()"
    assert identity(Strict(True)) != identity(Strict(False)) == identity(Strict())
    with pytest.raises(BookError, match=r"self\.strict = strict"):
        identity(Strict(object()))


class Mine(TicTacToe):
    """A user's class, whose source is part of the book's identity."""


class Strict(Mine):
    """A class that keeps what its parameter decides under another name."""

    def __init__(self, strict=False):
        super().__init__()
        self.most = (1 if strict else 3) if isinstance(strict, bool) else strict


class Circle(prunus.Game):
    """Three places in a circle; the third also has a way out."""

    class State(NamedTuple):
        place: prunus.u8

    def initial(self):
        return self.State(0)

    def actions(self, state):
        yield 1
        if state.place == 2:
            yield 2

    def result(self, state, action):
        return self.State((state.place + 1) % 3 if action == 1 else 9)

    def is_terminal(self, state):
        return state.place == 9

    def utility(self, state):
        return -1


@pytest.mark.parametrize(
    ("game", "says"),
    [(Circle(), "cycles"), (ThreeMensMorris(), "the way to"), (PodiumNim(), "two players")],
)
def test_games_that_have_no_books(game, says, users_books):
    with pytest.raises(BookError, match=says):
        build_book(game, 4)


def test_an_estimate_solves_a_sample_only(users_books):
    total, done, seconds = estimate(ConnectFour(4, 4), 4, 5)
    assert (total > 5, done) == (True, 5)
    assert seconds > 0
    assert not users_books.exists()


def test_errors_of_a_worker_reach_the_caller():
    positions = enumerate_positions(ConnectFour(4, 4), 1)

    def fails(number, value, action):
        raise RuntimeError("full disk")

    with pytest.raises(RuntimeError, match="full disk"):
        solving(positions, list(positions.deepest()), fails, Resources(threads=2)).run()


@in_full
def test_othello_keeps_passes_apart(users_books):
    game = Othello(4)
    book = Book(build_book(game, 4), game)
    assert (book.folder / "states.npy").exists()
    assert book.find(game.initial()).value == -10
    assert len(book.find(game.initial()).best) == 4


def test_where_no_books_are_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("prunus.tables.book.folders", lambda: [tmp_path / "a", tmp_path / "b"])
    show()
    assert (
        capsys.readouterr().out
        == f"no books are installed; they are looked for in {tmp_path / 'a'} and {tmp_path / 'b'}\n"
    )


def test_commands(users_books):
    spec = "connect-four:width=4,height=4"
    listed = command("book", "show").stdout
    assert listed.startswith("connect-four: 8 plies, 129,498 positions") and "width=4" not in listed
    assert "prunus book build" in command("book", "verify", spec, status=2).stderr
    assert (
        "all would take" in command("book", "build", spec, "--plies", "3", "--sample", "4").stdout
    )
    assert "37 up to symmetry" in " ".join(
        command("book", "build", spec, "--plies", "3").stdout.split()
    )
    assert "4 sampled positions right" in command("book", "verify", spec, "--sample", "4").stdout
    assert "3 plies" in command("book", "show").stdout and listed in command("book", "show").stdout
    assert json.loads(command("solve", spec, "11", "--json").stdout)["algorithm"] == "book"
    assert json.loads(command("analyze", spec, "11", "--json").stdout)["algorithm"] == "book"
    assert (
        json.loads(command("solve", spec, "11", "--json", "--no-book").stdout)["algorithm"]
        == "engine"
    )
    assert "my move" in command("play", spec, "--second").stdout
    for each in ("build", "show", "verify"):
        assert "Example" in command("book", each, "--help").stdout


def test_a_parameter_that_is_kept_as_a_private_attribute_counts():
    assert identity(make_game("uniform:order=best")) != identity(make_game("uniform:order=worst"))
