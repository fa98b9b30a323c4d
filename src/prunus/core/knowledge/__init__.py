"""Knowledge of a game besides its rules: evaluations, tactics and certainties, parts that can each
be written separately."""
