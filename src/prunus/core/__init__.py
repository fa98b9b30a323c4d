"""What a game and its results are made of: numbers, States, arrays, the protocol `Game`,
`Analysis`, errors."""
