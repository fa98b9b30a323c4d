"""Errors in compiled code and refusals by the compiler, each with its line of the source."""
