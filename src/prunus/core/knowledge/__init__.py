"""What searches know of a game besides its rules: evaluations, tactics, certainties, each a part
that can be written apart."""
