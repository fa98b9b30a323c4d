"""Databases in folders: written, opened, probed, verified; damage and other rules are found."""

from __future__ import annotations

import hashlib
import importlib
import json

import numpy as np
import pytest

from prunus.databases.errors import DatabaseError
from prunus.databases.folder import Database, read_manifest
from prunus.databases.outcome import Outcome
from prunus.databases.querying import Query, find_positions
from prunus.databases.verifying import verify_database
from prunus.games import make_game
from prunus.games.files import load_class
from prunus.tables import stored
from prunus.tables.stored import seal_of
from tests.amount import amount
from tests.commands import prunus as command
from tests.databases import naive

OWN = '''
import prunus
from prunus import u8
from typing import NamedTuple

class Take(prunus.Game):
    """Take one to MOST; whoever takes the last one wins."""

    class State(NamedTuple):
        left: u8

    def initial(self):
        return self.State(12)

    def actions(self, state):
        return range(1, min({most}, state.left) + 1)

    def result(self, state, action):
        return self.State(state.left - action)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state):
        return -1
'''


def built(tmp_path, game="three-mens-morris", *more):
    folder = tmp_path / "db"
    return folder, command("db", "build", game, *more, "--out", str(folder)).stdout


def test_build_show_probe_verify(tmp_path):
    folder, out = built(tmp_path)
    assert "744 positions" in out and "400 won, 176 drawn, 168 lost" in out
    assert command("db", "probe", str(folder)).stdout == "win in 9 plies\n"
    shown = command("db", "show", str(folder)).stdout.splitlines()
    assert shown[:3] == [".../.../... X", "win in 9 plies", "  b2         win in 9 plies"]
    assert shown[-1].endswith("loss in 8 plies")
    assert "400 for the player to move" in command("db", "info", str(folder)).stdout
    assert "744 values follow from each other" in command("db", "verify", str(folder)).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["db"]


def test_query(tmp_path):
    folder, _ = built(tmp_path)
    game = make_game("three-mens-morris")
    wanted = naive.outcomes(game, game.initial())
    values = {game.canonical(state): value for state, value in wanted.items()}
    database = Database(folder, game)
    for query, matching in [
        (Query(Outcome.won), {s for s, v in values.items() if v[0] == 1}),
        (Query(Outcome.drawn), {s for s, v in values.items() if v[0] == 0}),
        (Query(plies=3), {s for s, v in values.items() if v[1] == 3}),
        (Query(Outcome.lost, longest=True), {s for s, v in values.items() if v == (-1, 10)}),
        (Query(only_move=True), {s for s in values if keeping(game, s, wanted) == 1}),
    ]:
        found, total = find_positions(database, query)
        assert matching and set(found) == matching and total == len(found), query
    out = command("db", "query", str(folder), "--longest", "--limit", "1").stdout
    assert "loss in 10 plies" in out and "1 of them:" in out
    assert "holds no scores" in command("db", "query", str(folder), "--score", "3", status=2).stderr


def keeping(game, state, values):
    """How many actions of a position keep its value."""
    children = [] if game.is_terminal(state) else naive.children(game, state)
    return sum(values[child][0] == -values[state][0] for child in children)


def test_scores_and_a_position_that_is_not_there(tmp_path):
    folder, _ = built(tmp_path, "connect-four:width=4,height=3", "12")
    assert "cannot be reached" in command("db", "probe", str(folder), "3", status=2).stderr
    shown = command("db", "show", str(folder), "1234").stdout
    assert "score" in shown and "plies" not in shown


def test_a_folder_that_exists_is_left_alone(tmp_path):
    folder, _ = built(tmp_path, "tic-tac-toe")
    before = (folder / "values.npy").read_bytes()
    done = command("db", "build", "nim", "--out", str(folder), status=2)
    assert "exists already" in done.stderr
    assert (folder / "values.npy").read_bytes() == before


def test_a_link_to_nothing_is_refused_before_anything_is_built(tmp_path):
    folder = tmp_path / "db"
    folder.symlink_to(tmp_path / "nowhere")
    done = command("db", "build", "tic-tac-toe", "--out", str(folder), status=2)
    assert f"{folder} is a link to {tmp_path / 'nowhere'}, which does not exist" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["db"]


@pytest.mark.parametrize("damage", ["flip", "cut", "swap", "missing", "manifest"])
def test_damage_is_found(tmp_path, damage):
    folder, _ = built(tmp_path, "tic-tac-toe")
    path = folder / "values.npy"
    data = path.read_bytes()
    if damage == "flip":
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 4]))
    elif damage == "cut":
        path.write_bytes(data[:-100])
    elif damage == "swap":
        path.write_bytes((folder / "buckets.npy").read_bytes())
    elif damage == "missing":
        path.unlink()
    else:
        (folder / "manifest.json").write_text("{")
    told = command("db", "verify", str(folder), status=2).stderr
    assert ("manifest.json is not JSON" if damage == "manifest" else "values.npy") in told


@pytest.mark.parametrize("large", [False, True])
def test_damage_is_not_answered_from(tmp_path, monkeypatch, large):
    folder, _ = built(tmp_path, "tic-tac-toe")
    game = make_game("tic-tac-toe")
    place = Database(folder, game).positions.place(game.initial())
    labels = np.load(folder / "values.npy", mmap_mode="r+")
    labels[place] ^= 1
    labels.flush()
    if large:
        monkeypatch.setattr(stored, "CHECKED", 0)
        with pytest.raises(DatabaseError, match=r"says that .* damaged; `prunus db verify`"):
            Database(folder, game).find(game.initial())
    else:
        with pytest.raises(DatabaseError, match=r"values.npy is damaged"):
            Database(folder, game)


def test_no_bit_of_a_manifest_can_change_unnoticed(tmp_path):
    folder, _ = built(tmp_path, "nim:piles=1-2")
    path = folder / "manifest.json"
    data, said = path.read_bytes(), read_manifest(folder)
    for place in range(0, 8 * len(data), amount(3, 1)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            assert read_manifest(folder) == said, place
        except DatabaseError:
            pass


def test_a_wrong_value_is_found(tmp_path):
    folder, _ = built(tmp_path, "tic-tac-toe")
    game = make_game("tic-tac-toe")
    database = Database(folder, game)
    place = database.positions.place(game.initial())
    labels = np.array(database.labels.array)
    labels[place] = 9 << 2 | 1
    np.save(folder / "values.npy", labels)
    manifest = json.loads((folder / "manifest.json").read_text())
    data = (folder / "values.npy").read_bytes()
    manifest["files"]["values.npy"] = {
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    manifest["check"] = seal_of(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    wrong = verify_database(Database(folder, game))
    assert len(wrong) == 1 and "value 1 in 9 plies" in wrong[0]


def test_a_users_game_and_its_edited_rules(tmp_path):
    file = tmp_path / "take.py"
    file.write_text(OWN.format(most=3))
    folder, out = built(tmp_path, f"{file}:Take")
    assert "13 positions" in out and "9 won, 0 drawn, 4 lost" in out
    assert command("db", "probe", str(folder)).stdout == "loss in 6 plies\n"
    assert "win in" in command("db", "show", str(folder), "moves 1").stdout
    file.write_text(OWN.format(most=4))
    assert "build it again" in command("db", "probe", str(folder), status=2).stderr


def test_a_database_is_that_of_the_file_however_it_was_loaded(tmp_path, monkeypatch):
    file = tmp_path / "take_away.py"
    file.write_text(OWN.format(most=3))
    folder, _ = built(tmp_path, f"{file}:Take")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = importlib.import_module("take_away").Take()
    assert Database(folder, game).value(game.initial()) == -1
    moved = tmp_path / "elsewhere" / "another_name.py"
    moved.parent.mkdir()
    moved.write_text(OWN.format(most=3))
    game = load_class(str(moved), "Take")()
    assert Database(folder, game).value(game.initial()) == -1


def test_another_game_is_refused(tmp_path):
    folder, _ = built(tmp_path, "tic-tac-toe")
    with pytest.raises(DatabaseError, match="is a database of"):
        Database(folder, make_game("nim"))
