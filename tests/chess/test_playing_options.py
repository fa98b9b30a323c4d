"""The options with which chess is played: each changes what is searched, and respects what it
must."""

from __future__ import annotations

import random
from types import SimpleNamespace

import prunus
from prunus.core.bits import u64
from prunus.core.knowledge.tactics import CLASSES
from prunus.engine.options import Options
from prunus.engine.picking import arrange
from prunus.games import Chess
from prunus.play.protocols.brain import Brain
from prunus.tables.transposition import NO_ACTION, TranspositionTable
from tests.amount import in_full
from tests.chess.boards import boards, fen_of

GAME = Chess()

MIDDLE = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"

BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

PLAIN = dict.fromkeys(GAME.playing_options, 0)
"""Chess without any option of its own."""

FRAME = dict(
    **dict.fromkeys(("verified", "uses_etc", "uses_beam", "uses_presearch"), False),
    **dict.fromkeys(("uses_multi_cut", "killers", "counter_moves", "history"), False),
    **{"continuation": False, "to_the_end": 0, "ply": 1, "stage": [0, 0], "stack_top": 0},
    left_out=[NO_ACTION, NO_ACTION],
)
"""What `arrange` reads of a memory of ply 1 without options, whose table holds no States."""


def searched(fen, depth=2, **options):
    table = TranspositionTable(64, GAME, GAME.initial())
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


def test_a_number_is_an_action_if_it_is_among_them():
    for seed in range(3):
        draw, chess960 = random.Random(seed), seed % 2 == 1
        game = Chess(chess960=chess960)
        for board in boards(seed, chess960, plies=60):
            state = game.parse(fen_of(board))
            actions = set(game.actions(state))
            alike = {a & 4095 | kind << 12 for a in actions for kind in range(9)}
            others = {draw.randrange(-10, 8 << 12) for _ in range(200)}
            for number in actions | alike | others | {NO_ACTION, 1 << 62}:
                assert game.is_action(state, number) == (number in actions), (fen_of(board), number)


def test_an_action_of_another_position_is_not_made():
    """A table without States that takes two positions for one suggests an action that is none."""
    state = GAME.parse(MIDDLE)
    wrong = next(a for a in GAME.actions(GAME.initial()) if a not in set(GAME.actions(state)))
    pushed = []
    for hint in (wrong, next(iter(GAME.quiet_actions(state)))):
        memory = SimpleNamespace(**FRAME, stack_action=[0] * 99, stack_score=[0] * 99)
        base = arrange(GAME, state, hint, memory)
        pushed.append(memory.stack_action[base : memory.stack_top])
    assert pushed[0] == list(GAME.noisy_actions(state))
    assert pushed[1] == [hint]


@in_full
def test_stages_change_no_value():
    """A search that leaves nothing out by the order finds the same whether actions are put on the
    stack when they are reached, or all at the start, as where all children are looked up."""
    chosen = {**PLAIN, "quiescence": True}
    depth = 2
    for fen in (MIDDLE, BUSY):
        staged, at_once = (searched(fen, depth, **{**chosen, "etc": etc}) for etc in (0, 99))
        assert staged.value == at_once.value
        assert min(staged.statistics.nodes, at_once.statistics.nodes) > 80


def test_tables_hold_states_where_something_may_be_proved():
    brain = Brain(GAME, Options.for_play(GAME), megabytes=1)
    assert not brain.memory().verified
    brain.options = Options.of(GAME)
    assert brain.memory().verified


def test_quiescence_remembers():
    with_table, without = (
        searched(BUSY, 2, **{**PLAIN, "quiescence": True, "quiescence_table": on})
        for on in (True, False)
    )
    assert with_table.statistics.nodes < without.statistics.nodes
    assert with_table.statistics.table_hits > without.statistics.table_hits
    assert with_table.value == without.value


def test_keys_tell_pieces_on_the_last_squares_apart():
    """In a table without States nothing else does."""
    plain = GAME.parse("8/8/8/8/8/8/2k5/K7 w")
    placed = [plain]
    for square in range(56, 64):
        place = u64(1) << square
        for fields in (["knights"], ["diagonals"], ["straights"], ["diagonals", "straights"]):
            for own in ([], ["mine"]):
                bits = {name: getattr(plain, name) | place for name in fields + own}
                placed.append(plain._replace(**bits))
    assert len({GAME.key(state) for state in placed}) == len(placed)
