"""The tables in which searches remember positions. Only this room handles their bits."""
