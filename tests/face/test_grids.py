"""Boards as text: what is written can be read, and each mistake is reported with its place."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunus import PositionError
from prunus.core.grids import cell_name, cell_named, from_masks, mask, read_grid, write_grid


@settings(deadline=None, suppress_health_check=list(HealthCheck))  # of a busy machine
@given(st.data())
def test_written_boards_are_read_again(data):
    rows, columns = data.draw(st.integers(1, 8)), data.draw(st.integers(1, 8))
    cells = data.draw(st.sampled_from([".XO", "_bBwW", " 1"]))
    board = tuple(
        data.draw(
            st.lists(
                st.integers(0, len(cells) - 1), min_size=rows * columns, max_size=rows * columns
            )
        )
    )
    if " " not in cells:  # the ends of rows are stripped
        assert read_grid(write_grid(board, columns, cells), rows, columns, cells) == board
        assert (
            read_grid(write_grid(board, columns, cells, between="\n") + "\n", rows, columns, cells)
            == board
        )
    masks = [mask(board, value) for value in range(1, len(cells))]
    assert from_masks(rows * columns, *masks) == board
    assert sum(masks) == sum(1 << place for place, cell in enumerate(board) if cell)
    for cell in range(rows * columns):
        assert cell_named(cell_name(cell, columns), rows, columns) == cell


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X.O/.X.", "3 rows, not 2"),
        ("X.O/.X/...", "row 2.*2 cells, not 3"),
        ("X.O/.X./..x", "row 3, column 3: 'x' is none of . X O"),
        ("", "3 rows, not 1"),
    ],
)
def test_mistakes_are_named_with_their_place(text, says):
    with pytest.raises(PositionError, match=says):
        read_grid(text, 3, 3)


@pytest.mark.parametrize("name", ["", "d1", "a0", "a4", "aa", "1a", "a-1", "a²"])
def test_no_such_cell(name):
    with pytest.raises(PositionError, match="a1 to c3"):
        cell_named(name, 3, 3)
    with pytest.raises(ValueError, match="cell 1 is in two masks"):
        from_masks(4, 3, 2)
