"""What searches remember of positions: probe and store, with no bit fiddling elsewhere."""
