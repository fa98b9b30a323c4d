"""The slips of the sources as programs: as printed, and cured, on the smallest case where they
differ."""
