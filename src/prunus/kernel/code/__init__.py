"""Linking and keeping machine code, and finding out whether it is stale."""
