"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.M | re.S)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The blocks of a page: language, title, text."""
    return [
        (language, title[1] if (title := re.search(r'title="([^"]+)"', options)) else "", text)
        for language, options, text in FENCE.findall(page.read_text())
    ]


def titled(page: Path) -> dict[str, str]:
    """The files that a page has, by name."""
    return {title: text for _, title, text in blocks(page) if title}
