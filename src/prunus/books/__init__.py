"""Opening books: positions, the making, the verifying; and the books that come with Prunus."""
