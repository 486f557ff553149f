"""One race being run: its board."""
