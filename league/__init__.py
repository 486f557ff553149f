"""The club's league: Django project and app. Clubs, seasons, campaigns, results, standings."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
