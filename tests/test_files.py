"""User-written games loaded from files."""

from __future__ import annotations

from prunus.games.files import load_class

GAME = """
from prunus import Game
from beside_it import SIZE

class Own(Game):
    size = SIZE
"""


def test_a_file_imports_its_siblings(tmp_path):
    """Two folders may have siblings of the same name."""
    for number in (3, 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        folder.joinpath("beside_it.py").write_text(f"SIZE = {number}\n")
        folder.joinpath("own.py").write_text(GAME)
        assert load_class(str(folder / "own.py"), "Own").size == number
