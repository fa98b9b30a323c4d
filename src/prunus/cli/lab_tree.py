"""`prunus lab tree`: what the theorems say about one game tree."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from prunus.theory.trees import Tree


def tree(
    game: Annotated[
        str,
        typer.Argument(
            help="A game as in `prunus analyze`; `tree` reads a JSON file.", show_default=False
        ),
    ],
    position: Annotated[
        str,
        typer.Argument(
            help="A position of the game, by default the start; for `tree` the file, FILE.json or "
            "FILE.json#2.1."
        ),
    ] = "",
    depth: Annotated[
        int | None,
        typer.Option(min=0, help="Look this many plies ahead; positions there count as leaves."),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(help="The algorithm whose leaves are counted: a name of `prunus algorithms`."),
    ] = "alphabeta",
    uniform: Annotated[
        bool,
        typer.Option(
            "--uniform", help="Compare with the formulas for uniform trees; others are refused."
        ),
    ] = False,
    positions: Annotated[
        bool,
        typer.Option("--positions", help="Also list the critical positions, with their types."),
    ] = False,
) -> None:
    """The critical positions of a game tree of any shape, and the leaves examined in several orders
    of its successors.

    The critical positions are those that alpha-beta examines if the first successor is always best.
    In a uniform tree, no algorithm can do with fewer leaves than these, in any order. A position is
    named by the numbers of the children that lead to it, such as `2.1`.
    """
    from prunus.adapters import open_any
    from prunus.theory.trees import tree_of, uniform_shape

    made, at = open_any(game, position)
    whole = tree_of(made, at.state, depth)
    shape = uniform_shape(whole) if uniform else None
    for line in described(whole, algorithm, shape):
        typer.echo(line)
    if positions:
        from prunus.theory.trees import dotted
        from prunus.theory.uneven import critical_tree

        for place, kind in critical_tree(whole).items():
            typer.echo(f"  {dotted(place)}: type {kind}")


def described(whole: Tree, algorithm: str, shape: tuple[int, int] | None) -> list[str]:
    """The lines about a tree; `shape` is the degree and the height to compare with the formulas, if
    any."""
    from prunus.theory.critical import fewest, leaves_without_deep_cutoffs, minimal_leaves
    from prunus.theory.permutations import permutation_for, seen_by
    from prunus.theory.trees import height, leaves_of, permuted, positions_of
    from prunus.theory.uneven import best_first, critical_leaves, critical_tree, examined

    ordered = best_first(whole)
    _, found = seen_by(whole, algorithm)
    better, names = permuted(whole, permutation_for(whole, found))
    after = {names[place] for place in examined(better).leaves}
    levels = Counter((len(place), kind) for place, kind in critical_tree(whole).items())
    lines = [
        f"value {whole.value}, height {height(whole)}, {sum(1 for _ in positions_of(whole)):,} "
        f"positions, {len(leaves_of(whole)):,} leaves",
        f"critical leaves: {critical_leaves(whole):,} as it stands, {critical_leaves(ordered):,} "
        f"with a best successor first",
        *(f"  ply {ply}: {_of_types(levels, ply)}" for ply in range(height(whole) + 1)),
        f"leaves that {algorithm} examines: {len(found):,} as it stands, "
        f"{len(seen_by(ordered, algorithm)[1]):,} with a best successor first",
        f"the fewest leaves that prove the value, over all orders: {fewest(whole):,}",
        f"alpha-beta in an order made from the leaves that {algorithm} saw: {len(after):,} leaves, "
        + (
            "all of them among those"
            if after <= found
            else f"{len(after - found)} of them not among those"
        ),
    ]
    if shape is not None:
        d, h = shape
        lines.append(
            f"uniform, d = {d}, h = {h}: the critical tree has {minimal_leaves(d, h):,} leaves by "
            f"formula, F1 in best order {leaves_without_deep_cutoffs(d, h):,}"
        )
    return lines


def _of_types(levels: Counter[tuple[int, int]], ply: int) -> str:
    """The number of critical positions of each type on a ply."""
    found = ((kind, levels[ply, kind]) for kind in (1, 2, 3))
    return ", ".join(f"{count:,} of type {kind}" for kind, count in found if count)
