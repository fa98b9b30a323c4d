"""The experiments: each module here declares some in its tuple EXPERIMENTS."""
