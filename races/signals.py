"""What races tells whoever listens. It imports nobody to tell them."""

from django.dispatch import Signal

race_over = Signal()
"""A race has ended and has an outcome; sent after the commit, with `race_id`. May be sent again for the same race."""
