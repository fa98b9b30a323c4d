"""The slips as the sources print them, translated to Python; the cure of each is in `cured`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from prunus.theory.errata.cases import INF, Configuration, Graph, Tree, estimate

UNDEFINED = None

VISITING = math.nan
"""What source 003 notes at a configuration while its visit lasts."""


def f1(tree: Tree, bound: float, sign: int = 1) -> float | None:
    """Source 000, algorithm 2: as in algorithm 3, the result is assigned inside the test for
    improvement, after the break."""
    if not isinstance(tree, list):
        return sign * tree
    result = UNDEFINED
    m = -INF
    for child in tree:
        t = f1(child, -m, -sign)
        t = -t if t is not UNDEFINED else INF
        if t > m:
            m = t
            if m >= bound:
                break
            result = m
    return result


def f2(tree: Tree, alpha: float, beta: float, sign: int = 1) -> float | None:
    """Source 000, algorithm 3: the result is assigned inside the test for improvement, after the
    break."""
    if not isinstance(tree, list):
        return sign * tree
    result = UNDEFINED
    m = alpha
    for child in tree:
        t = f2(child, -beta, -m, -sign)
        t = -t if t is not UNDEFINED else INF
        if t > m:
            m = t
            if m >= beta:
                break
            result = m
    return result


def g2(tree: Tree, alpha: float, beta: float) -> float:
    """Source 000, algorithm 4, the procedure of MIN: it starts from alpha and assigns its result to
    the other procedure's name."""
    if not isinstance(tree, list):
        return tree
    m = alpha
    for child in tree:
        t = f2_maxmin(child, alpha, m)
        if t < m:
            m = t
            if m <= alpha:
                break
    return m


def f2_maxmin(tree: Tree, alpha: float, beta: float) -> float:
    """Source 000, algorithm 4, the procedure of MAX (with the result after the loop, so that only
    G2's slip counts)."""
    if not isinstance(tree, list):
        return tree
    m = alpha
    for child in tree:
        m = max(m, g2(child, m, beta))
        if m >= beta:
            break
    return m


def max_value(tree: Tree, is_max: bool = True) -> float:
    """Source 001, maxValue and minValue: the counter runs up to the number of moves."""
    if not isinstance(tree, list):
        return tree
    values = [max_value(tree[i], not is_max) for i in range(len(tree) + 1)]
    return max(values) if is_max else min(values)


def maximize(tree: Tree, alpha: float, beta: float) -> float:
    """Source 001, maxValueAB (right)."""
    if not isinstance(tree, list):
        return tree
    v = -INF
    for child in tree:
        v = max(v, minimize(child, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def minimize(tree: Tree, alpha: float, beta: float) -> float:
    """Source 001, minValueAB (right)."""
    if not isinstance(tree, list):
        return tree
    v = INF
    for child in tree:
        v = min(v, maximize(child, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def ab(tree: Tree, max_moves: bool) -> float:
    """Source 001, AB: the same procedure for both players."""
    if max_moves:
        return maximize(tree, -INF, INF)
    return maximize(tree, -INF, INF)


def pvs(tree: Tree, a: float, b: float, sign: int = 1) -> float:
    """Source 001, PVS: the second search has the window (val, a + 1), which is empty."""
    if not isinstance(tree, list):
        return sign * tree
    best = -pvs(tree[0], -b, -a, -sign)
    if best >= b:
        return best
    a = max(a, best)
    for child in tree[1:]:
        val = -pvs(child, -(a + 1), -a, -sign)
        if a < val < b:
            val = -pvs(child, -(a + 1), -val, -sign)
        if val >= b:
            return val
        best = max(best, val)
        a = max(a, val)
    return best


def deepest_ply(depth: int, ply: int = 0) -> int:
    """Source 001: the test `depth < 0` on an endless tree; the ply at which it stops."""
    return ply if depth < 0 else deepest_ply(depth - 1, ply + 1)


def pvs_line(tree: Tree, a: float, b: float, line: list[int], sign: int = 1) -> float:
    """Source 001, PVS across iterations: one child path for all children, never cleared."""
    if not isinstance(tree, list):
        return sign * tree
    best = -INF
    below: list[int] = []
    for i, child in enumerate(tree):
        val = -pvs_line(child, -b, -a, below, -sign)
        if val >= b:
            return val
        best = max(best, val)
        if val > a:
            a = val
            line[:] = [i, *below]
    return best


@dataclass(eq=False)
class Open:
    """A node of the open list, with its label once it has one."""

    tree: Tree
    parent: Open | None
    place: list[int]
    is_max: bool
    label: float | None = None

    @property
    def above(self) -> list[Open]:
        """The ancestors, the nearest first."""
        return [self.parent, *self.parent.above] if self.parent else []


def list_alphabeta(tree: Tree, cured: bool = False) -> float | None:
    """Source 001, alpha-beta on an open list, step 3: alpha from the labels of MIN ancestors and of
    the parent's whole level (as printed), or of MAX ancestors (cured); beta dually."""
    root = Open(tree, None, [], True)
    waiting, known = [root], [root]
    while waiting:
        x = waiting[0]
        parent = x.parent
        if x.label is None and isinstance(x.tree, list):
            x.label = -INF if x.is_max else INF
            children = [
                Open(child, x, [*x.place, i], not x.is_max) for i, child in enumerate(x.tree)
            ]
            waiting, known = children + waiting, known + children
        elif x.label is None:
            assert not isinstance(x.tree, list)
            x.label = x.tree
        elif parent is None:
            return x.label
        elif cuts(x.place, x.label, parent, known, cured):
            waiting = [n for n in waiting if n is not parent and parent not in n.above]
        else:
            assert parent.label is not None
            parent.label = (max if parent.is_max else min)(parent.label, x.label)
            waiting.pop(0)
    return UNDEFINED


def cuts(place: list[int], label: float, parent: Open, known: list[Open], cured: bool) -> bool:
    """Whether the label of the node at this place, on its way to the parent, cuts the parent
    off."""
    deciding = [n for n in parent.above if (n.is_max != parent.is_max) == cured]
    if not cured:
        level = len(parent.place)
        deciding += [n for n in known if len(n.place) == level and n is not parent]
    labels = [n.label for n in deciding if n.label is not None and abs(n.label) < INF]
    if not labels:
        return False
    return label >= min(labels) if parent.is_max else label <= max(labels)


def lookahead(tree: Tree, level: int, limit: int, is_max: bool = True) -> float:
    """Source 003, bounded lookahead: the MIN branch calls without the level, which then starts at 0
    again."""
    if not isinstance(tree, list):
        return tree
    if level == limit:
        return estimate(tree)
    if is_max:
        return max(lookahead(child, level + 1, limit, False) for child in tree)
    return min(lookahead(child, 0, limit, True) for child in tree)


def visit(graph: Graph, node: str, is_max: bool, seen: dict[Configuration, float]) -> float:
    """Source 003, games with cycles: successors that are being visited do not count; if no others
    are left, a maximum is -infinity and a minimum +infinity; every value is noted when its visit
    ends, and taken from there afterwards."""
    below = graph[node]
    if not isinstance(below, list):
        return below
    if (node, is_max) in seen:
        return seen[node, is_max]
    seen[node, is_max] = VISITING
    values = [
        visit(graph, child, not is_max, seen)
        for child in below
        if seen.get((child, not is_max)) is not VISITING
    ]
    seen[node, is_max] = max(values, default=-INF) if is_max else min(values, default=INF)
    return seen[node, is_max]


def move_equal_to_maximum(tree: list[Tree], alpha: float = -INF, beta: float = INF) -> int:
    """Source 003: after alpha-beta at the root, some move whose returned value equals the maximum
    (here the last one: the text allows any)."""
    values = []
    for child in tree:
        values.append(minimize_hard(child, alpha, beta))
        alpha = max(alpha, values[-1])
    return max(i for i, v in enumerate(values) if v == max(values))


def minimize_hard(tree: Tree, alpha: float, beta: float) -> float:
    """Source 003's MIN node: it returns beta as it stands at the cut."""
    if not isinstance(tree, list):
        return tree
    for child in tree:
        beta = min(beta, maximize_hard(child, alpha, beta))
        if alpha >= beta:
            break
    return beta


def maximize_hard(tree: Tree, alpha: float, beta: float) -> float:
    """Source 003's MAX node."""
    if not isinstance(tree, list):
        return tree
    for child in tree:
        alpha = max(alpha, minimize_hard(child, alpha, beta))
        if alpha >= beta:
            break
    return alpha
