"""Many games between several players: who meets whom, where the games are played and kept."""
