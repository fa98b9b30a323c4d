"""Learning from games: the weights of evaluations and the parameters of ProbCut."""
