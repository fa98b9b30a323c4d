"""Numba's pipeline as Prunus runs it: from plain functions to one piece of machine code."""
