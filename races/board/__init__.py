"""Drawings of roads and races: SVG made on the server from plain values, the same bytes for the same values.

No drawing has a style attribute, a script or an id, so that any number of them stand on one page under a strict
Content-Security-Policy. Colours come from the style sheet; every drawing tells itself in words (`aria-label`).
"""
