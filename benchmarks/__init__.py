"""Benchmarks: ratios measured within one run. `python -m benchmarks.run` runs them all; README.md
says what each one measures."""
