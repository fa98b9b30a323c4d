"""A trace as a widget of a notebook (needs the extra `notebook`)."""

from __future__ import annotations

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
    steps that are taken in the notebook, and can be set."""

    _esm = _module()
    data = traitlets.Dict().tag(sync=True)
    step = traitlets.Int().tag(sync=True)

    def __init__(self, trace: Trace, step: int | None = None, fewest: int | None = None) -> None:
        at = len(trace.events) if step is None else step
        super().__init__(data=shown(trace, fewest), step=at)
