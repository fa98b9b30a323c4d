"""What the compiler's messages mean, in the words of somebody who writes rules."""

from __future__ import annotations

from typing import Final

from prunus.kernel.reporting.code_reasons import OF_CODE
from prunus.kernel.reporting.library_reasons import OF_LIBRARY
from prunus.kernel.reporting.value_reasons import OF_VALUES

REASONS: Final = (*OF_VALUES, *OF_LIBRARY, *OF_CODE)
"""Patterns of messages, and what they mean; the first that is found counts. The more general ones
come last."""
