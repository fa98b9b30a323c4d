"""Errors of compiled code and refusals of the compiler, each at its line of the source."""
