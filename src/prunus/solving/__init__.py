"""Exact values: tests to the end of the game."""
