"""Prunus as an engine for other programs: UCI, UGI and GTP on standard input and output."""
