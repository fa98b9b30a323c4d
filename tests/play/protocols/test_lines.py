"""No line that is nearly right brings an engine or a notation to an error of another kind."""

from tests.amount import amount
from tests.play.protocols.lines import CORPORA, tell


def test_lines_that_are_nearly_right():
    counts, faults = tell(amount(900, 9000), 3)
    assert not faults, faults
    for name in CORPORA:
        assert counts[f"{name}: understood"] and counts[f"{name}: refused"], counts
