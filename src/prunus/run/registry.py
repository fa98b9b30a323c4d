"""The algorithms by their names, each with what it can do."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import Final

from prunus.algorithms import alphabeta_maxmin, minimax_maxmin
from prunus.algorithms import labelling as whole_tree
from prunus.algorithms import open_list_minimax as open_list
from prunus.algorithms import sss_stockman as best_first
from prunus.algorithms.alphabeta import alphabeta
from prunus.algorithms.alphabeta_hard import alphabeta_hard
from prunus.algorithms.alphabeta_table import alphabeta_table
from prunus.algorithms.branch_and_bound import branch_and_bound
from prunus.algorithms.cached_minimax import cached_minimax, complete_line
from prunus.algorithms.df_pn import complete_line as search_again
from prunus.algorithms.df_pn import df_pn, proof_number_fields
from prunus.algorithms.labelling import labelling, tree_fields
from prunus.algorithms.maxn import maxn, maxn_shallow, payoff_fields
from prunus.algorithms.minimax import minimax
from prunus.algorithms.minimax_extreme import extreme_fields, minimax_extreme
from prunus.algorithms.mtdf import dual, guess_fields, mtdf, sss
from prunus.algorithms.open_list_alphabeta import open_list_alphabeta
from prunus.algorithms.open_list_minimax import open_fields, open_list_minimax
from prunus.algorithms.paranoid import paranoid, protagonist_fields
from prunus.algorithms.pn import pn, proof_tree_fields
from prunus.algorithms.pn2 import pn2
from prunus.algorithms.pvs import pvs, research_fields
from prunus.algorithms.scout import reaches, scout
from prunus.algorithms.sss_stockman import best_first_fields, sss_stockman
from prunus.algorithms.visiting import visiting, visiting_fields
from prunus.core.errors import PrunusError
from prunus.core.game import INFINITY, Game, S
from prunus.engine.fields import EXTRA_PLIES, engine_fields
from prunus.engine.frames import begin_frames
from prunus.engine.quiescence import noisy_node, quiescence
from prunus.engine.search import engine
from prunus.kernel.memory import Memory
from prunus.run.algorithm import Algorithm
from prunus.run.watching import Calls, Visits
from prunus.solving.prove import answer, prove_fields
from prunus.solving.together import begin_plies
from prunus.tables.cache import cache_fields


class UnknownAlgorithm(PrunusError, ValueError):
    """No algorithm has this name; the message lists all names."""


_KNUTH_MOORE: Final = "Knuth & Moore 1975"
_PLAAT: Final = "Plaat et al. 1996"

_OPEN_LIST: Final = Visits(
    visit=open_list.visit,
    hand_over=open_list.hand_over,
    state="open_state",
    depth="open_depth",
    parent="open_parent",
    action="open_action",
    value="open_label",
    has_list=True,
)

_TREE: Final = Visits(
    visit=whole_tree.visit,
    hand_over=whole_tree.hand_over,
    state="node",
    depth="left",
    parent="parent",
    action="action",
    value="label",
)

_OPEN_TREE: Final = Visits(
    visit=best_first.examine,
    hand_over=best_first.hand_over,
    state="node",
    depth="left",
    parent="parent",
    action="action",
    value="merit",
    status="status",
    solved=best_first.SOLVED,
    scale="MAX",
)

_WITH_TABLE: Final = Calls(nodes=(alphabeta_table,))

_ALL: Final = (
    Algorithm(
        name="minimax",
        function=minimax,
        summary="every position, one procedure for both players",
        source=f"{_KNUTH_MOORE}, F",
        watch=Calls(nodes=(minimax,)),
        many_values=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="minimax-maxmin",
        function=minimax_maxmin.max_value,
        summary="every position, MAX and MIN apart",
        source=f"{_KNUTH_MOORE}, F and G",
        watch=Calls(nodes=(minimax_maxmin.max_value, minimax_maxmin.min_value), scale="MAX"),
        many_values=True,
    ),
    Algorithm(
        name="minimax-extreme",
        function=minimax_extreme,
        summary="minimax that stops where a value cannot be improved",
        source="Di Lena 2022",
        watch=Calls(nodes=(minimax_extreme,)),
        fields=extreme_fields,
        many_values=True,
    ),
    Algorithm(
        name="labelling",
        function=labelling,
        summary="the whole tree in memory, labelled from the leaves up",
        source="source 001",
        watch=_TREE,
        fields=tree_fields,
        room=10**7,
        many_values=True,
    ),
    Algorithm(
        name="branch-and-bound",
        function=branch_and_bound,
        summary="one bound, no deep cut-offs",
        source=f"{_KNUTH_MOORE}, F1",
        watch=Calls(nodes=(branch_and_bound,)),
    ),
    Algorithm(
        name="alphabeta",
        function=alphabeta,
        summary="alpha-beta, fail-soft",
        source=f"{_KNUTH_MOORE}, F2; Fishburn 1983",
        watch=Calls(nodes=(alphabeta,)),
        heeds_repetition=True,
    ),
    Algorithm(
        name="alphabeta-hard",
        function=alphabeta_hard,
        summary="alpha-beta, fail-hard",
        source=f"{_KNUTH_MOORE}, F2",
        watch=Calls(nodes=(alphabeta_hard,), best="alpha"),
    ),
    Algorithm(
        name="alphabeta-maxmin",
        function=alphabeta_maxmin.max_value,
        summary="alpha-beta, MAX and MIN apart",
        source=f"{_KNUTH_MOORE}, F2 and G2",
        watch=Calls(nodes=(alphabeta_maxmin.max_value, alphabeta_maxmin.min_value), scale="MAX"),
    ),
    Algorithm(
        name="open-list-minimax",
        function=open_list_minimax,
        summary="minimax on an open list, no recursion",
        source="source 001",
        watch=_OPEN_LIST,
        fields=open_fields,
        room=10**6,
        many_values=True,
    ),
    Algorithm(
        name="open-list-alphabeta",
        function=open_list_alphabeta,
        summary="alpha-beta on an open list, no recursion",
        source="source 001",
        watch=replace(_OPEN_LIST, has_windows=True),
        fields=open_fields,
        room=10**6,
    ),
    Algorithm(
        name="cached-minimax",
        function=cached_minimax,
        summary="minimax that searches each position once",
        source="Boldi 2002",
        watch=Calls(nodes=(cached_minimax,)),
        fields=cache_fields,
        complete=complete_line,
        room=1 << 20,
        many_values=True,
    ),
    Algorithm(
        name="iterative-deepening",
        function=alphabeta_table,
        summary="alpha-beta with a table, one ply deeper each time",
        source="Slate & Atkin 1977",
        watch=_WITH_TABLE,
        strategy="deepen",
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="aspiration",
        function=alphabeta_table,
        summary="iterative deepening with a window around the last value",
        source="Slate & Atkin 1977",
        watch=_WITH_TABLE,
        strategy="aspiration",
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="engine",
        function=engine,
        summary="all that helps: deepening, PVS, table, ordering, options",
        source="see each part",
        watch=Calls(nodes=(engine, noisy_node), holders=(engine, quiescence)),
        fields=engine_fields,
        extra_plies=EXTRA_PLIES,
        strategy="aspiration",
        table=True,
        threads=True,
        options=True,
        heeds_repetition=True,
        begin=begin_frames,
    ),
    Algorithm(
        name="visiting",
        function=visiting,
        summary="minimax without repetitions; no proof",
        source="Boldi 2002",
        watch=Calls(nodes=(visiting,)),
        fields=visiting_fields,
        apart="leaves steps back out",
        many_values=True,
    ),
    Algorithm(
        name="scout",
        function=scout,
        summary="tests which actions are better, and evaluates only those",
        source="Pearl 1980",
        watch=Calls(nodes=(scout, reaches)),
        fields=research_fields,
    ),
    Algorithm(
        name="pvs",
        function=pvs,
        summary="principal variation search (NegaScout)",
        source="Reinefeld 1983",
        watch=Calls(nodes=(pvs,)),
        fields=research_fields,
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="mtdf",
        function=mtdf,
        summary="null windows from a first guess",
        source=_PLAAT,
        watch=_WITH_TABLE,
        fields=guess_fields,
        strategy="deepen",
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="sss",
        function=sss,
        summary="SSS*, as null windows from above",
        source=f"Stockman 1979; {_PLAAT}",
        watch=_WITH_TABLE,
        fields=guess_fields,
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="sss-stockman",
        function=sss_stockman,
        summary="SSS* as a best-first search with an OPEN list",
        source="Stockman 1979; Pearl 1984",
        watch=_OPEN_TREE,
        fields=best_first_fields,
        room=10**7,
    ),
    Algorithm(
        name="dual",
        function=dual,
        summary="DUAL*, as null windows from below",
        source=f"Marsland et al. 1987; {_PLAAT}",
        watch=_WITH_TABLE,
        fields=guess_fields,
        table=True,
        heeds_repetition=True,
    ),
    Algorithm(
        name="df-pn",
        function=df_pn,
        summary="depth-first proof-number search: what takes the fewest leaves to prove first",
        source="Nagai 2002",
        fields=proof_number_fields,
        complete=search_again,
        room=1 << 22,
        two_values=True,
    ),
    Algorithm(
        name="pn",
        function=pn,
        summary="proof-number search: the most-proving node first, the tree in memory",
        source="Allis et al. 1994",
        fields=proof_tree_fields,
        complete=search_again,
        room=1 << 22,
        two_values=True,
    ),
    Algorithm(
        name="pn2",
        function=pn2,
        summary="the same in two levels: a search of its own looks at each leaf",
        source="Breuker 1998",
        fields=proof_tree_fields,
        complete=search_again,
        room=1 << 20,
        two_values=True,
    ),
    Algorithm(
        name="maxn",
        function=maxn,
        summary="more than two players, each for himself",
        source="Luckhardt & Irani 1986",
        watch=Calls(nodes=(maxn,), best=None, scale="payoffs"),
        fields=payoff_fields,
        many_values=True,
        several_players=True,
    ),
    Algorithm(
        name="maxn-shallow",
        function=maxn_shallow,
        summary="max^n with shallow pruning",
        source="Korf 1991",
        watch=Calls(nodes=(maxn_shallow,), best=None, scale="payoffs"),
        fields=payoff_fields,
        several_players=True,
    ),
    Algorithm(
        name="paranoid",
        function=paranoid,
        summary="all others against the root's player",
        source="Sturtevant & Korf 2000",
        watch=Calls(nodes=(paranoid,)),
        fields=protagonist_fields,
        apart="all others against one",
        several_players=True,
    ),
)

ALGORITHMS: Final[dict[str, Algorithm]] = {a.name: a for a in _ALL if not a.several_players}
"""The algorithms for games of two players."""

SEVERAL: Final[dict[str, Algorithm]] = {a.name: a for a in _ALL if a.several_players}
"""The algorithms for games of more than two players."""

PROVE: Final = Algorithm(
    name="prove",
    function=answer,
    summary="null windows to the end of the game",
    source="Pearl 1984",
    fields=prove_fields,
    threads=True,
    begin=begin_plies,
)
"""The engine's way to solve what deepening does not finish cheaply. It has no depth, so users
cannot choose it by name."""


def algorithm_named(name: str) -> Algorithm:
    """The algorithm of that name. Raises UnknownAlgorithm."""
    known = ALGORITHMS | SEVERAL
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean {close[0]}?" if close else "."
        raise UnknownAlgorithm(
            f"there is no algorithm {name!r}{hint} There are: {', '.join(known)}"
        )
    return known[name]


def arguments_of(game: Game[S], state: S, depth: int, memory: Memory) -> dict[str, object]:
    """Everything that a search from the root may name among its parameters, with the widest
    window."""
    return {
        "game": game,
        "state": state,
        "depth": depth,
        "alpha": -INFINITY,
        "beta": INFINITY,
        "bound": INFINITY,
        "memory": memory,
    }
