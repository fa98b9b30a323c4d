"""A trace as a widget of a notebook (needs the extra `notebook`)."""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING

import anywidget
import traitlets

from prunus.view.modules import bundled, shown, style_inside

if TYPE_CHECKING:
    from prunus.view.trace import Trace


def _module() -> str:
    modules, entrance = bundled()
    return f"{modules}\nexport default {entrance}.widget({json.dumps(style_inside())});\n"


class TraceWidget(anywidget.AnyWidget):  # type: ignore[misc]  # its base has no types for mypy
    """The studio's view of the tree of a trace. `step`: how many events are shown; it follows the
    steps that are taken in the notebook, and can be set. Where no kernel runs, as in a notebook
    that is opened again, the picture of the whole tree stands in its place."""

    _esm = _module()
    data = traitlets.Dict().tag(sync=True)
    step = traitlets.Int().tag(sync=True)

    def __init__(self, trace: Trace, step: int | None = None, fewest: int | None = None) -> None:
        at = len(trace.events) if step is None else step
        super().__init__(data=shown(trace, fewest), step=at)
        self._still = _still(trace)

    def _repr_mimebundle_(self, **options: object) -> tuple[dict[str, object], dict[str, object]]:
        found = super()._repr_mimebundle_(**options)
        data, more = found if isinstance(found, tuple) else (found or {}, {})
        return {**data, **self._still}, more


AGAIN = "Run the cell to step through this search."


def _still(trace: Trace) -> dict[str, str]:
    """What is shown in place of the widget: text, and the picture of a tree that is not too large
    for one. Notebooks that nobody has trusted yet show images, but no SVG."""
    name = f"{trace.algorithm}: a tree of {len(trace.nodes):,} nodes, value {trace.value}."
    picture = trace._repr_svg_()
    if picture is None:
        return {"text/plain": f"{name} {AGAIN}"}
    image = base64.b64encode(picture.encode()).decode()
    tag = f'<img alt="{html.escape(name)}" src="data:image/svg+xml;base64,{image}">'
    return {"text/plain": f"{name} {AGAIN}", "text/html": f"<p>{tag}</p><p>{AGAIN}</p>"}
