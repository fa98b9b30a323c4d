"""How a search is shown: traces as text, pictures and pages."""
