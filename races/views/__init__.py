"""Pages of the races."""
