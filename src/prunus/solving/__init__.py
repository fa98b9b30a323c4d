"""Solving: opening books, made and checked."""
