"""The studio: play, analyse and see the search, in the browser (`prunus studio`). The server is
here, the page in `static/`."""
