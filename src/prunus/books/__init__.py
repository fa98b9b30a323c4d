"""Opening books: their positions, how they are made and verified, and the books that come with
Prunus."""
