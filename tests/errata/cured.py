"""The cures: what the passages in `as_printed` have to say."""

from __future__ import annotations

from tests.errata.trees import INF, Tree


def f2(tree: Tree, alpha: float, beta: float, sign: int = 1):
    """Algorithm 3 with the result assigned after the loop."""
    if not isinstance(tree, list):
        return sign * tree
    m = alpha
    for child in tree:
        m = max(m, -f2(child, -beta, -m, -sign))
        if m >= beta:
            break
    return m


def g2(tree: Tree, alpha: float, beta: float):
    """Algorithm 4's MIN: it starts from beta."""
    if not isinstance(tree, list):
        return tree
    m = beta
    for child in tree:
        m = min(m, f2_maxmin(child, alpha, m))
        if m <= alpha:
            break
    return m


def f2_maxmin(tree: Tree, alpha: float, beta: float):
    """Algorithm 4's MAX."""
    if not isinstance(tree, list):
        return tree
    m = alpha
    for child in tree:
        m = max(m, g2(child, m, beta))
        if m >= beta:
            break
    return m


def pvs(tree: Tree, a: float, b: float, sign: int = 1):
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


def pvs_line(tree: Tree, a: float, b: float, line: list, sign: int = 1):
    """The path cleared for each child."""
    if not isinstance(tree, list):
        return sign * tree
    best = -INF
    for i, child in enumerate(tree):
        below: list = []
        val = -pvs_line(child, -b, -a, below, -sign)
        if val >= b:
            return val
        best = max(best, val)
        if val > a:
            a = val
            line[:] = [i, *below]
    return best
