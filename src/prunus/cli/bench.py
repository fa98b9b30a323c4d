"""`prunus bench`: node counts that change only when an algorithm's behaviour changes, and what each
optional method is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prunus.cli.options import Evaluation
from prunus.cli.status import Status
from prunus.core.generic import Keywords

if TYPE_CHECKING:
    from prunus.theory.ladder import Rung

app = typer.Typer(
    help="Measure: node counts as checksums, and what each optional method of a game is worth.",
    rich_markup_mode=None,
)

GameName = Annotated[
    str, typer.Argument(help="A game as in `prunus analyze`, your own included: FILE.py:CLASS.")
]
PositionText = Annotated[
    str,
    typer.Argument(
        help="A position; by default one that plain alpha-beta solves in about a minute, or the "
        "start."
    ),
]

USUAL = {
    "connect-four": ("7422341735647741", None),
    "othello": ("", 8),
    "three-mens-morris": ("", 10),
}
"""The position searched by default, and its depth if the end of the game is too far away."""

BEGIN, END = "<!-- ladder -->\n", "<!-- end of the ladder -->\n"


@app.callback(invoke_without_command=True)
def _signatures(
    context: typer.Context,
    signature: Annotated[
        bool, typer.Option("--signature", help="One node count a game, the same on every backend.")
    ] = True,
) -> None:
    if context.invoked_subcommand is None:
        from prunus.cli.demo import signatures

        raise typer.Exit(0 if signatures() else 1)


@app.command(
    epilog="Example: prunus bench ladder tic-tac-toe; prunus bench ladder my_game.py:MyGame "
    "--depth 8"
)
def ladder(
    game: GameName,
    position: PositionText = "",
    depth: Annotated[
        int | None,
        typer.Option(min=1, help="Plies to look ahead; by default to the end of the game."),
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="A search that needs more is stopped, and the table says so.")
    ] = 2_000_000_000,
    table: Annotated[
        float, typer.Option("--table", min=0, help="Megabytes of the transposition table.")
    ] = 64,
    interpreted: Annotated[
        bool, typer.Option("--interpreted", help="Do not compile: quicker if the tree is small.")
    ] = False,
    *,
    evaluation: Evaluation = "",
    into: Annotated[
        Path | None,
        typer.Option(
            help="Replace the table in this Markdown file, between its two ladder comments."
        ),
    ] = None,
) -> None:
    """Search one position from plain alpha-beta to the engine, each time with one more of the
    methods that the game defines, and count the nodes that each method saves. All searches must
    find the same value."""
    from prunus.adapters import open_any
    from prunus.games.evaluations import with_evaluation
    from prunus.theory.ladder import climb, table_of

    usual, far = USUAL.get(game, ("", None))
    depth = far if depth is None and not position else depth
    made, at = open_any(game, position or usual)
    made = with_evaluation(made, evaluation)
    show = _Shown()
    how: Keywords = {
        "nodes": nodes,
        "megabytes": table,
        "compile": False if interpreted else None,
    }
    rungs = []
    for rung in climb(made, at.state, depth, **how, beginning=show.beginning):
        show.done(rung)
        rungs.append(rung)
    text = table_of(rungs)
    until = "to the end of the game" if depth is None else f"{depth} plies deep"
    title = (
        f"{made.title()}, position {position or usual or 'at the start'}, {until}: value "
        f"{rungs[-1].value}\n"
    )
    typer.echo(f"\n{title}\n{text}")
    if into is not None:
        _renew(into, f"{title}\n{text}\n")
        typer.echo(f"written to {into}", err=True)


def _renew(path: Path, text: str) -> None:
    """Put a text between the comments of a page. Raises ValueError if there are none."""
    page = path.read_text(encoding="utf-8")
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(
            f"{path}: nowhere to put the table: the lines {BEGIN.strip()} and {END.strip()} are "
            f"missing"
        )
    path.write_text(f"{head}{BEGIN}{text}{END}{tail}", encoding="utf-8")


class _Shown:
    """A line for each finished step, and on a terminal the step under way."""

    def __init__(self) -> None:
        self.status = Status()

    def beginning(self, name: str) -> None:
        if self.status.is_terminal:
            self.status.show(f"{name} ...", at_once=True)

    def done(self, rung: Rung) -> None:
        self.status.clear()
        typer.echo(f"{rung.name}: {rung.shown()} nodes, {rung.seconds:.2f} s", err=True)
