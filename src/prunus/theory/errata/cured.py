"""The cures: what the passages in `as_printed` ought to say."""

from __future__ import annotations

from prunus.theory.errata.cases import INF, Configuration, Graph, Tree, estimate


def f1(tree: Tree, bound: float, sign: int = 1) -> float:
    """Algorithm 2 with the result assigned after the loop."""
    if not isinstance(tree, list):
        return sign * tree
    m = -INF
    for child in tree:
        m = max(m, -f1(child, -m, -sign))
        if m >= bound:
            break
    return m


def f2(tree: Tree, alpha: float, beta: float, sign: int = 1) -> float:
    """Algorithm 3 with the result assigned after the loop."""
    if not isinstance(tree, list):
        return sign * tree
    m = alpha
    for child in tree:
        m = max(m, -f2(child, -beta, -m, -sign))
        if m >= beta:
            break
    return m


def g2(tree: Tree, alpha: float, beta: float) -> float:
    """Algorithm 4's MIN: it starts from beta."""
    if not isinstance(tree, list):
        return tree
    m = beta
    for child in tree:
        m = min(m, f2_maxmin(child, alpha, m))
        if m <= alpha:
            break
    return m


def f2_maxmin(tree: Tree, alpha: float, beta: float) -> float:
    """Algorithm 4's MAX."""
    if not isinstance(tree, list):
        return tree
    m = alpha
    for child in tree:
        m = max(m, g2(child, m, beta))
        if m >= beta:
            break
    return m


def pvs(tree: Tree, a: float, b: float, sign: int = 1) -> float:
    """PVS with the second search in (val, b)."""
    if not isinstance(tree, list):
        return sign * tree
    best = -pvs(tree[0], -b, -a, -sign)
    if best >= b:
        return best
    a = max(a, best)
    for child in tree[1:]:
        val = -pvs(child, -(a + 1), -a, -sign)
        if a < val < b:
            val = -pvs(child, -b, -val, -sign)
        if val >= b:
            return val
        best = max(best, val)
        a = max(a, val)
    return best


def pvs_line(tree: Tree, a: float, b: float, line: list[int], sign: int = 1) -> float:
    """The path cleared for each child."""
    if not isinstance(tree, list):
        return sign * tree
    best = -INF
    for i, child in enumerate(tree):
        below: list[int] = []
        val = -pvs_line(child, -b, -a, below, -sign)
        if val >= b:
            return val
        best = max(best, val)
        if val > a:
            a = val
            line[:] = [i, *below]
    return best


def minimize(tree: Tree, alpha: float, beta: float) -> float:
    """MIN's own procedure, for a position in which MIN is to move."""
    if not isinstance(tree, list):
        return tree
    v = INF
    for child in tree:
        v = min(v, maximize(child, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def maximize(tree: Tree, alpha: float, beta: float) -> float:
    """MAX's procedure."""
    if not isinstance(tree, list):
        return tree
    v = -INF
    for child in tree:
        v = max(v, minimize(child, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def max_value(tree: Tree, is_max: bool = True) -> float:
    """A counter that stays below the number of moves."""
    if not isinstance(tree, list):
        return tree
    values = [max_value(tree[i], not is_max) for i in range(len(tree))]
    return max(values) if is_max else min(values)


def deepest_ply(depth: int, ply: int = 0) -> int:
    """The test `depth == 0` on an endless tree; the ply at which it stops."""
    return ply if depth == 0 else deepest_ply(depth - 1, ply + 1)


def move_of_first_improvement(tree: list[Tree]) -> int:
    """The move that was the first to improve on all before it."""
    best, alpha = -1, -INF
    for i, child in enumerate(tree):
        v = minimize_hard(child, alpha, INF)
        if v > alpha:
            best, alpha = i, v
    return best


def minimize_hard(tree: Tree, alpha: float, beta: float) -> float:
    """Source 003's MIN node."""
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


def lookahead(tree: Tree, level: int, limit: int, is_max: bool = True) -> float:
    """Bounded lookahead in which both players pass the level on."""
    if not isinstance(tree, list):
        return tree
    if level == limit:
        return estimate(tree)
    values = [lookahead(child, level + 1, limit, not is_max) for child in tree]
    return max(values) if is_max else min(values)


def visit(
    graph: Graph,
    node: str,
    is_max: bool,
    path: frozenset[Configuration] = frozenset(),
    cache: dict[Configuration, float] | None = None,
) -> float:
    """A graph with cycles: a configuration with nothing but repetitions below it is worth +infinity
    if MAX moves, -infinity if MIN does, and its parent ignores it as it ignores the repetitions.
    Without a cache this is right on decided positions; with one (which takes no infinities) it
    shows that values still depend on the path."""
    below = graph[node]
    if not isinstance(below, list):
        return below
    if cache is not None and (node, is_max) in cache:
        return cache[node, is_max]
    path = path | {(node, is_max)}
    values = [
        visit(graph, child, not is_max, path, cache)
        for child in below
        if (child, not is_max) not in path
    ]
    values = [value for value in values if abs(value) < INF]
    if not values:
        return INF if is_max else -INF
    value = max(values) if is_max else min(values)
    if cache is not None:
        cache[node, is_max] = value
    return value
