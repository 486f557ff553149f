"""The site's own settings, and one address more to measure it against."""

from league.settings import *  # noqa: F403 - all of them

ROOT_URLCONF = "bench.urls"
