"""The trees of the figures in the sources, rebuilt from their texts. Each docstring says which
leaves come from the source and which are ours.

Every figure records, in Dewey notation, the branches that alpha-beta cuts off when it visits
children from left to right: the nodes that are not visited although their parents are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from prunus.core.game import INFINITY
from prunus.games.tree import ExplicitTree


class Figure(NamedTuple):
    """A tree, its value for MAX, the window that alpha-beta starts from and the branches that it
    then cuts off."""

    tree: ExplicitTree
    value: int
    pruned: tuple[str, ...]
    window: tuple[int, int] = (-INFINITY, INFINITY)


def seminar_figure_2() -> Figure:
    """Seminar on alpha-beta, figures 2 and 3 (after Russell & Norvig): three moves for MAX, three
    answers each. The second move is cut off after its first answer. The leaves 3, 12, 8, 2, 14, 5,
    2 are from the source; 4 and 6, which are never seen, are ours."""
    return Figure(
        ExplicitTree.from_nested([[3, 12, 8], [2, 4, 6], [14, 5, 2]], "000-figure-2"),
        3,
        ("2.2", "2.3"),
    )


def seminar_figure_4() -> Figure:
    """Seminar on alpha-beta, figure 4: four levels. Below the second successor of the last node of
    the first level there are deep cut-offs, at 2.2.1.2 and 2.2.2.2: they are cut off by the root's
    5, not by a bound of their grandparent. The shape is from the source; all leaves are ours."""
    left = [[[5, 6], [4, 7]], [[7, 8], [6, 9]]]
    right = [[[8, 9], [6, 7]], [[3, 6], [4, 9]]]
    pruned = ("1.1.2.2", "1.2.2", "2.1.2.2", "2.2.1.2", "2.2.2.2")
    return Figure(ExplicitTree.from_nested([left, right], "000-figure-4"), 5, pruned)


def seminar_figure_7() -> Figure:
    """Seminar on alpha-beta, figure 7 (after Knuth & Moore 1975): ordering successors by value,
    best first for the player to move, does not always examine the fewest leaves. MIN's best answer
    at 2 is 2.1, which takes three leaves to search; 2.2 would have refuted the move with one
    (`seminar_figure_7_reordered`). All leaves are ours."""
    return Figure(ExplicitTree.from_nested([3, [[1, 0, -1], 2]], "000-figure-7"), 3, ("2.2",))


def seminar_figure_7_reordered() -> Figure:
    """The tree of figure 7 with the cheaper refutation first: two leaves are examined instead of
    four. All leaves are ours."""
    return Figure(
        ExplicitTree.from_nested([3, [2, [1, 0, -1]]], "000-figure-7-reordered"), 3, ("2.2",)
    )


def course_d8() -> Figure:
    """Course notes, figures d6 to d8: MAX wins with c, g, k, o, q. From the source: the names a, b,
    c, d, g, i, j, k, m, o, q, w, and that m is a win for MIN and q and w are wins for MAX. The
    nodes e, f, h, l, n, p and the values of all other leaves are ours."""
    i = _named("i", m=-1, n=1)
    o = _named("o", p=-1, q=1)
    k = _named("k", o=o, w=1)
    b = _named("b", e=_named("e", i=i), f=1)
    c = _named("c", g=_named("g", j=-1, k=k))
    d = _named("d", h=-1, l=1)
    return Figure(_tree("001-d8", _named("a", b=b, c=c, d=d)), 1, ("3.2",))


def course_d9() -> Figure:
    """Course notes, figure d9, values times 1,000: positions at the limit of depth count as leaves,
    with their estimates. Two plies deep c is better, by the estimate 150 of its worse answer; the
    leaves below say that the estimate was wrong and b is better. From the source: that estimates
    lie from -1 to 1; the tree and all values are ours."""
    b = _named("b", d=_estimated("d", 200, h=300, i=100), e=_estimated("e", 50, j=120, k=40))
    c = _named("c", f=_estimated("f", 150, l=-250, m=-300), g=_estimated("g", 400, n=500, o=350))
    return Figure(_tree("001-d9", _named("a", b=b, c=c)), 120, ("2.2",))


def course_d10() -> Figure:
    """Course notes, figure d10, values times 1,000: the singular extension. MIN's answer e to w has
    a drastic estimate, -900, so MIN will choose it, and only e is searched further, as if it were
    the only node below w: there MAX has the answer h, and w is worth 40. Two plies deep v looks
    better. From the source: the names w and e, and that e is the only drastic answer; the rest is
    ours."""
    e = _estimated("e", -900, h=40, i=-950)
    w = _named("w", d=_estimated("d", 120, j=110, k=130), e=e, f=_estimated("f", 60, l=70, m=50))
    v = _named("v", g=_estimated("g", -30, n=-20, o=-40))
    return Figure(_tree("001-d10", _named("u", v=v, w=w)), 40, ("2.3.2",))


def course_d11() -> Figure:
    """Course notes, figure d11: MIN wins at d, so that c is lost whatever e is worth, and MAX has
    to find something better at b. Searched in the window of the extreme values, -1 to 1, e is not
    examined. From the source: the names and that MIN will choose d; e's value, b's, and that c
    comes first are ours."""
    c = _named("c", d=-1, e=1)
    return Figure(_tree("001-d11", _named("a", c=c, b=1)), 1, ("1.2",), (-1, 1))


def course_d12() -> Figure:
    """Course notes, figure d12, values times 1,000: d is worth -50 at best, so MIN's other answer g
    need not be examined. From the source: d's -50 and that b is better; b's 30, the -100 beside the
    -50 and g's 20 are ours."""
    c = _named("c", d=_named("d", e=-100, f=-50), g=20)
    return Figure(_tree("001-d12", _named("a", b=30, c=c)), 30, ("2.2",))


def course_d13() -> Figure:
    """Course notes, figure d13, values times 1,000: a deep cut-off. With f = -100 the node e is
    worth at most -100, less than b guarantees the root, and g need not be examined. From the
    source: the names, f's value and that b is better; b's 50 and the values of g, h and i are
    ours."""
    e = _named("e", f=-100, g=70)
    c = _named("c", d=_named("d", e=e, h=-20), i=10)
    return Figure(_tree("001-d13", _named("a", b=50, c=c)), 50, ("2.1.1.2", "2.2"))


def course_beta_4() -> Figure:
    """Course notes, "beta = 4": a node of MAX whose children 1, 2, 3, 4, 5 come in this order is
    cut off at the 4. The children and beta are from the source; the tree around them, which makes
    beta 4, is ours."""
    return Figure(ExplicitTree.from_nested([[4, [1, 2, 3, 4, 5]]], "001-beta-4"), 4, ("1.2.5",))


def course_beta_4_ordered() -> Figure:
    """The same with the best child first: the 5 cuts off all others."""
    return Figure(
        ExplicitTree.from_nested([[4, [5, 4, 3, 2, 1]]], "001-beta-4-ordered"),
        4,
        ("1.2.2", "1.2.3", "1.2.4", "1.2.5"),
    )


def lecture_figure_1() -> Figure:
    """Lecture notes on MiniMax, figure 1: misere Nim from 1, 2, 2 as drawn there. A position is its
    piles in ascending order, so equal piles count once; it ends with a single object, which the
    player to move must take and lose: 1 for MAX if MIN has to, 0 if MAX has to. There are 28 nodes,
    all from the text; that children come in ascending order is ours."""

    def grow(piles: tuple[int, ...], is_max: bool) -> dict[str, object]:
        name = "".join(map(str, piles))
        if piles == (1,):
            return {"name": name, "value": 0 if is_max else 1}
        after = {
            tuple(sorted(left for left in (*piles[:i], less, *piles[i + 1 :]) if left))
            for i, pile in enumerate(piles)
            for less in range(pile)
        }
        children = [grow(each, not is_max) for each in sorted(after) if each]
        return {"name": name, "children": children}

    return Figure(_tree("003-figure-1", grow((1, 2, 2), True)), 1, ("1.3.2", "1.3.3", "2.2", "2.3"))


def lecture_figure_2() -> Figure:
    """Lecture notes on MiniMax, figures 2 and 3: the first move is worth 7; the second is left at
    the first of its three answers, a 6, and the third at its first answer too. From the source: the
    7, the 6, and the numbers of children of the root and of its second move; the rest is ours."""
    return Figure(
        ExplicitTree.from_nested([[9, 7, 8], [6, 9, 8], [5, 11, 7]], "003-figure-2"),
        7,
        ("2.2", "2.3", "3.2", "3.3"),
    )


def best_case(m: int = 3, n: int = 5) -> Figure:
    """Lecture slides, the best case of alpha-beta: m moves in each of n turns, and MAX wins (1) if
    all of MAX's moves were first ones; every other leaf is a loss (-1). Searched in the window of
    the extreme values alpha-beta visits 1 + 1 + m + m + m**2 + ... nodes, 26 for m = 3 and n = 5.
    The source gives the formula; the leaves are ours. Raises ValueError unless m >= 1 and 0 <= n
    and m**n <= 10**6.
    """
    if m < 1 or n < 0 or m**n > 10**6:
        raise ValueError(
            f"the best-case tree needs m >= 1, n >= 0 and at most a million leaves, not m = {m}, n "
            f"= {n}"
        )
    pruned: list[str] = []

    def grow(level: int, place: str, first: bool, visited: bool) -> object:
        if level == n:
            return 1 if first else -1
        children = []
        for number in range(1, m + 1):
            below = f"{place}.{number}" if place else str(number)
            cut = level % 2 == 0 and number > 1
            if visited and cut:
                pruned.append(below)
            children.append(grow(level + 1, below, first and not cut, visited and not cut))
        return children

    tree = ExplicitTree.from_nested(grow(0, "", True, True), f"004-best-case-{m}-{n}")
    return Figure(tree, 1, tuple(pruned), (-1, 1))


def slides_alphabeta() -> Figure:
    """Lecture slides, the example of alpha-beta. Nineteen slides of it have lost their drawings, so
    the tree is ours: four levels of two moves on which alpha-beta visits nineteen nodes, one for
    each slide, with shallow and deep cut-offs."""
    left = [[[8, 5], [2, 12]], [[7, 16], [3, 14]]]
    right = [[[9, 1], [4, 15]], [[10, 13], [6, 11]]]
    pruned = ("1.1.2.2", "1.2.2", "2.1.2.2", "2.2")
    return Figure(ExplicitTree.from_nested([left, right], "004-alphabeta"), 5, pruned)


FIGURES: dict[str, Callable[[], Figure]] = {
    "000-figure-2": seminar_figure_2,
    "000-figure-4": seminar_figure_4,
    "000-figure-7": seminar_figure_7,
    "000-figure-7-reordered": seminar_figure_7_reordered,
    "001-d8": course_d8,
    "001-d9": course_d9,
    "001-d10": course_d10,
    "001-d11": course_d11,
    "001-d12": course_d12,
    "001-d13": course_d13,
    "001-beta-4": course_beta_4,
    "001-beta-4-ordered": course_beta_4_ordered,
    "003-figure-1": lecture_figure_1,
    "003-figure-2": lecture_figure_2,
    "004-alphabeta": slides_alphabeta,
    "004-best-case": best_case,
}
"""The figures by name: source, then figure."""


def figure_tree(name: str = "000-figure-2") -> ExplicitTree:
    """The tree of a figure of `FIGURES`. Raises ValueError for another name."""
    if name not in FIGURES:
        raise ValueError(f"there is no figure {name!r}; the figures are {', '.join(FIGURES)}")
    return FIGURES[name]().tree


def _named(node: str, **children: object) -> dict[str, object]:
    described = [
        child if isinstance(child, dict) else {"name": name, "value": child}
        for name, child in children.items()
    ]
    return {"name": node, "children": described}


def _estimated(node: str, estimate: int, **children: object) -> dict[str, object]:
    return {**_named(node, **children), "value": estimate}


def _tree(title: str, root: dict[str, object]) -> ExplicitTree:
    return ExplicitTree.from_nested(root, title)
