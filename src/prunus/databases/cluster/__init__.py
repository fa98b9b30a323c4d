"""Databases built in parts: by one process through the disk, or by many, on several machines."""
