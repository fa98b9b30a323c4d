"""What the results of games say about strength: scores, ratings, tests; pure functions."""
