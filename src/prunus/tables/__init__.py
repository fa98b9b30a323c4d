"""What searches remember of positions: storing and looking up, so that no other room handles
bits."""
