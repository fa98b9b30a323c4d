"""Machine code that is linked and kept, and whether it is stale."""
