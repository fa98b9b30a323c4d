"""The experiments: each module declares some of them in its tuple EXPERIMENTS."""
