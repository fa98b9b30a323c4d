"""The options with which chess is played: each changes what is searched, and respects what it
must."""

from __future__ import annotations

import prunus
from prunus.core.knowledge.tactics import CLASSES
from prunus.games import Chess
from prunus.tables.transposition import TranspositionTable
from tests.amount import in_full
from tests.chess.boards import boards, fen_of

GAME = Chess()

MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"

BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

PLAIN = dict.fromkeys(GAME.playing_options, 0)
"""Chess without any option of its own."""


def searched(fen, depth=2, verified=True, **options):
    table = TranspositionTable(64, GAME, GAME.initial(), verified)
    return prunus.analyze(
        GAME,
        fen,
        depth=depth,
        options=options,
        table=table,
        prefer_faster=True,
        compile=False,
        book=False,
    )


@in_full
def test_noisy_and_quiet_actions_are_all_actions():
    for seed in range(4):
        for board in boards(seed, chess960=seed % 2 == 1, plies=60):
            game = Chess(chess960=seed % 2 == 1)
            state = game.parse(fen_of(board))
            noisy, quiet = set(game.noisy_actions(state)), list(game.quiet_actions(state))
            assert [a for a in game.actions(state) if a not in noisy] == quiet
            for action in game.actions(state):
                assert game.is_noisy(state, action) == (action in noisy)
                assert 0 <= game.action_class(state, action) < CLASSES


@in_full
def test_stages_change_no_value():
    """A search that leaves nothing out by the order finds the same whether actions are put on the
    stack when they are reached, or all at the start, as where the table may mix up positions."""
    chosen = {**PLAIN, "quiescence": True}
    depth = 2
    for fen in (MIDDLE, BUSY):
        staged, at_once = (searched(fen, depth, verified, **chosen) for verified in (True, False))
        assert staged.value == at_once.value
        assert min(staged.statistics.nodes, at_once.statistics.nodes) > 80


def test_quiescence_remembers():
    with_table, without = (
        searched(BUSY, 2, **{**PLAIN, "quiescence": True, "quiescence_table": on})
        for on in (True, False)
    )
    assert with_table.statistics.nodes < without.statistics.nodes
    assert with_table.statistics.table_hits > without.statistics.table_hits
    assert with_table.value == without.value
