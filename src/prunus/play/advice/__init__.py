"""What a player looks up instead of searching: opening books and tables of endings."""
