"""What races tells whoever listens. It imports nobody to tell them."""

from django.dispatch import Signal

race_over = Signal()
"""A race has ended and has an outcome; sent after the commit, with `race_id`. May be sent again for the same race."""

starting = Signal()
"""A race is about to start; sent under its lock, with `race`. Who has a say may change its seats, or raise Refused."""

reopening = Signal()
"""A race that is over is about to go back, or somebody asks whether it could; sent in a transaction, with `race`, under its
lock if it is about to. Who has a say changes nothing and may raise Refused."""
