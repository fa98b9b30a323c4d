"""The numbers that a game gives its positions for databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.core.rules import Rules
from prunus.databases.errors import DatabaseError
from prunus.databases.ranking import rank_count_of, wrong_rank

if TYPE_CHECKING:
    from prunus.checking.walk import Walker


def check_rank(walker: Walker) -> None:
    """The number of the position where a walker stands lies in the range and leads back to it. So
    no two positions have the same number."""
    game = walker.game
    if type(game).rank_count is Rules.rank_count:
        return
    walker.guarded("rank_count")
    try:
        count = rank_count_of(game)
    except DatabaseError as error:
        raise walker.fault("rank", str(error)) from error
    if not count:
        return
    home = representative_in(walker, walker.state)
    number = walker.guarded("rank", home)
    walker.expect_integer("rank", number)
    if 0 <= number < count:
        walker.guarded("unrank", int(number))
    wrong = wrong_rank(game, home)
    if wrong:
        raise walker.fault("rank", wrong)


def representative_in(walker: Walker, state: object) -> object:
    """The State that stands for this one in a database (`numbering.representative`), by methods
    that are checked."""
    home = walker.guarded("timeless", walker.guarded("unsettled", state))
    return walker.guarded("canonical", home)
