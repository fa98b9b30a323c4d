"""`python -m prunus` is the command `prunus`."""

from prunus.cli.main import run

run()
