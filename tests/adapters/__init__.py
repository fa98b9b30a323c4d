"""The adapters. What an adapter says without its library is tested everywhere; what it does, only
where the library is installed."""

from __future__ import annotations

import importlib.util

import pytest


def needs(module):
    """A test that is skipped where the library is not installed; `make dev` installs all that have
    wheels for the machine."""
    return pytest.mark.skipif(
        importlib.util.find_spec(module) is None, reason=f"{module} is not installed"
    )
