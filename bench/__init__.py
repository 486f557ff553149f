"""Measurements. Each is a ratio of two ways to do the same work in the same run, so that it means the same on any machine."""
