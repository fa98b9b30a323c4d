"""The rooms that know Numba: they turn rules and algorithms written in plain Python into machine
code. They know no game and no algorithm."""
