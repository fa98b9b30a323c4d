"""From what a caller asks for to an `Analysis`: limits, deepening, threads, progress."""
