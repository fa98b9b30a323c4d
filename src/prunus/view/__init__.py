"""What is shown of a search: traces as text, pictures and pages."""
