"""`python -m prunus` is the command `prunus`."""

from prunus.cli.start import run

run()
