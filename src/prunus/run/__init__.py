"""From a caller's request to an `Analysis`: limits, deepening, threads, progress."""
