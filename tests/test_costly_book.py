"""Books of costly positions: of all positions, exactly those that cost more than they may are in
them, with the right values."""

from __future__ import annotations

import json

import pytest

import prunus
from prunus.books import costly
from prunus.books.building import build_book
from prunus.books.costly import Costly, build_costly_book
from prunus.books.journal import CostJournal, Searched
from prunus.books.verifying import verify_book
from prunus.books.work import Resources
from prunus.games import TicTacToe
from prunus.tables.book import Book, read_manifest
from prunus.tables.errors import BookError
from prunus.tables.stored import MANIFEST, seal_of
from tests.commands import prunus as command
from tests.naive import remembered_value

GAME = TicTacToe()
NODES = 50
USING = Resources(megabytes=1, compile=True)


pytestmark = pytest.mark.usefixtures("users_books")


@pytest.fixture(scope="module")
def plies():
    """All unfinished positions of the game up to symmetry, by the ply at which each is reached
    first, with the nodes of its search, which has no limit."""
    found, layer, seen = [], [GAME.canonical(GAME.initial())], set()
    while layer:
        seen.update(layer)
        found.append({state: cost_of(state) for state in layer})
        children = {
            GAME.canonical(GAME.result(state, action))
            for state in layer
            for action in GAME.actions(state)
            if not GAME.is_terminal(GAME.result(state, action))
        }
        layer = sorted(children - seen)
    return found


def cost_of(state):
    return prunus.solve(GAME, state, "engine", table=1, compile=True, book=False).statistics.nodes


def built(folder, nodes=NODES, plies=None, **how):
    return Book(build_costly_book(GAME, Costly(nodes, plies), folder, using=USING, **how), GAME)


def expect(book, plies, nodes):
    """The book holds the start and the costly positions of these plies, with their values; its
    manifest says what the others cost."""
    known = {}
    for ply, costs in enumerate(plies):
        inside = [state for state, cost in costs.items() if cost > nodes or ply == 0]
        assert book.manifest["positions"][ply] == len(inside)
        for state in costs:
            entry = book.find(state)
            assert (entry is not None) == (state in inside), GAME.format(state)
            if entry is not None:
                assert entry.value == remembered_value(GAME, state, known), GAME.format(state)
                children = {
                    action: -remembered_value(GAME, GAME.result(state, action), known)
                    for action in GAME.actions(state)
                }
                best = tuple(action for action in children if children[action] == entry.value)
                assert set(entry.best) <= set(best)
                if ply < book.plies:
                    assert entry.best == best
    costs = [cost for layer in plies for cost in layer.values()]
    assert book.manifest["cost"] == {
        "nodes": nodes,
        "megabytes": 1,
        "searched": len(costs),
        "most": max((cost for cost in costs if cost <= nodes), default=0),
    }


def test_the_costly_positions_of_all_plies_are_in_it(plies, tmp_path):
    book = built(tmp_path / "book")
    last = next(ply for ply, costs in enumerate(plies) if max(costs.values()) <= NODES)
    assert (book.plies, last > 2) == (last, True)
    expect(book, plies[: last + 1], NODES)
    assert len(book) < sum(map(len, plies[: last + 1])) / 2
    assert verify_book(book, 10, compile=True) == []
    # A cheap position may lead to a costly one: who looks below costly ones alone misses it.
    parents = {}
    for costs in plies[:last]:
        for state, cost in costs.items():
            for action in GAME.actions(state):
                child = GAME.canonical(GAME.result(state, action))
                parents.setdefault(child, []).append(cost)
    below_cheap = [
        state
        for costs in plies[1 : last + 1]
        for state, cost in costs.items()
        if cost > NODES and max(parents[state]) <= NODES
    ]
    assert below_cheap


def test_the_last_ply_is_solved(plies, tmp_path):
    book = built(tmp_path / "book", plies=4)
    expect(book, plies[:5], NODES)
    assert 0 < book.manifest["positions"][4] < len(plies[4])
    assert verify_book(book, 5, compile=True) == []
    assert book.manifest["command"].endswith(f"--by-cost {NODES} --plies 4 --threads 1 --table 1")


def test_a_start_that_is_cheap_is_in_it_alone(tmp_path):
    book = built(tmp_path / "book", 100_000)
    assert (len(book), book.plies, book.find(GAME.initial()).value) == (1, 0, 0)
    assert verify_book(book, 1, compile=True) == []


def test_an_interrupted_build_ends_with_the_same_bytes(tmp_path):
    def interrupt(progress):
        if progress.total > 5 and progress.done >= 5:
            raise KeyboardInterrupt

    said = []
    with pytest.raises(KeyboardInterrupt):
        built(tmp_path / "one", plies=3, watch=interrupt, say=said.append)
    assert "kept" in said[-1]
    journal = tmp_path / "one.solving"
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) > 5
    number, key, *_ = json.loads(lines[-1])
    # What was found for another position, as if the order of the walk had changed, does not count.
    journal.write_text("".join(lines) + json.dumps([number + 1, key, 3, 1, 0, 0.0]) + "\n")
    built(tmp_path / "one", plies=3, say=said.append)
    assert any("were searched earlier" in line for line in said)
    built(tmp_path / "other", plies=3)
    for name in ("keys", "values", "best"):
        one, other = ((tmp_path / each / f"{name}.npy").read_bytes() for each in ("one", "other"))
        assert one == other
    assert not journal.exists()


def test_a_journal_keeps_costs_and_values(tmp_path):
    path, subject = tmp_path / "a.solving", {"nodes": 5}
    journal = CostJournal(path, subject)
    journal.add(3, 99, Searched(4, -2, 1))
    journal.add(4, 98, Searched(None))
    journal.add(4, 98, Searched(None, 1, 0))
    journal.close()
    again = CostJournal(path, subject)
    assert again.results == {(3, 99): Searched(4, -2, 1), (4, 98): Searched(None, 1, 0)}
    again.close()
    other = CostJournal(path, {"nodes": 6})
    assert other.results == {}
    other.remove()


def test_a_search_that_contradicts_its_children_is_noticed(tmp_path, monkeypatch):
    true = costly.searched

    def wrong(game, state, nodes, using, stop=None):
        found = true(game, state, nodes, using, stop)
        if state != GAME.initial() and GAME.format(state).count("X") == 2 and found.nodes:
            return found._replace(value=1 - found.value)
        return found

    monkeypatch.setattr(costly, "searched", wrong)
    with pytest.raises(BookError, match="no book is written"):
        built(tmp_path / "book")
    assert not (tmp_path / "book").exists()


def test_a_missing_position_is_noticed(tmp_path):
    folder = built(tmp_path / "book").folder
    manifest = read_manifest(folder)
    manifest["cost"]["nodes"] //= 3
    (folder / MANIFEST).write_text(json.dumps({**manifest, "check": seal_of(manifest)}))
    lines = verify_book(Book(folder, GAME), 5, compile=True)
    assert any("costs more to search than it says" in line for line in lines)


def test_books_of_all_positions_stay_as_they_are(tmp_path):
    manifest = read_manifest(build_book(GAME, 1, tmp_path / "book", using=USING))
    assert manifest["format"] == 1
    assert "cost" not in manifest


@pytest.mark.parametrize("nodes", [0, 2.5, True])
def test_what_is_no_number_of_nodes(nodes):
    with pytest.raises(BookError, match="nodes"):
        Costly(nodes, 1)


def test_commands(users_books):
    spec = "tic-tac-toe"
    assert "--by-cost" in command("book", "build", spec, status=2).stderr
    refused = command("book", "build", spec, "--by-cost", "9", "--sample", "2", status=2)
    assert "--plies" in refused.stderr
    shown = command("book", "build", spec, "--by-cost", "100", "--plies", "2")
    assert "each more than 100 nodes" in shown.stdout
    assert "cost more" in shown.stderr
    assert "each more than 100 nodes" in command("book", "show", spec).stdout
    assert "sampled positions right" in command("book", "verify", spec, "--sample", "2").stdout
    assert json.loads(command("solve", spec, "--json").stdout)["algorithm"] == "book"
