"""The rooms that know Numba: rules and algorithms written in plain Python become machine code here. They know no game and no algorithm."""
