"""Games solved in every position: the values of all positions that can be reached."""
