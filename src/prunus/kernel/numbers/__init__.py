"""Integers in machine code: their types, operators and functions."""
