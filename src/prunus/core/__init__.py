"""What a game and its answers are made of: numbers, States, arrays, the protocol `Game`, `Analysis`, errors."""
