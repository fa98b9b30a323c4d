"""The parts of a game and its results: numbers, States, arrays, the protocol `Game`, `Analysis`,
errors."""
