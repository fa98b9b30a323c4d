"""Databases built by many processes, on one machine or on several."""
