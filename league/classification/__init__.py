"""Classifications: pure functions from what was written down to standings. No database, no wording, no clock."""
