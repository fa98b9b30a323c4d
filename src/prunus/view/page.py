"""A trace as a page on which its events are played."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from prunus.view.modules import bundled, shown, style

if TYPE_CHECKING:
    from prunus.view.trace import Trace

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%(title)s</title>
<style>%(style)s</style></head><body>
<main class="alone" id="trace"></main>
<noscript><p class="loading">This page needs JavaScript. Questa pagina ha bisogno di JavaScript.</p>
</noscript>
<script type="application/json" id="data">%(data)s</script>
<script type="module">
%(modules)s
const data = JSON.parse(document.getElementById("data").textContent);
%(entrance)s.page(document.getElementById("trace"), data, %(first)s);
</script></body></html>
"""


def to_html(trace: Trace, fewest: int | None = None) -> str:
    """A page that needs no other file and asks nothing of any host: the studio's view of the tree,
    on which the events are played one after another. It opens at the last event, or where the
    beginning of a trace (`Trace.at`) ends; the address may end with the number of another, such as
    `#12`. `fewest`: the leaves of the minimal tree, to be shown beside those visited."""
    data = shown(trace.whole or trace, fewest)
    modules, entrance = bundled()
    return PAGE % {
        "title": escape(str(data["title"])),
        "style": style(),
        "data": json.dumps(data).replace("<", "\\u003c"),
        "modules": modules,
        "entrance": entrance,
        "first": len(trace.events),
    }
