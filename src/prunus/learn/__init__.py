"""What is learnt from games: weights of evaluations, the parameters of ProbCut."""
