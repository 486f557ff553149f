"""Addresses: the stream of a race, and its poll."""

from django.urls import path

from races.views import live

urlpatterns = [
    path("<str:key>/events/", live.events, name="events"),
    path("<str:key>/version/", live.version, name="version"),
]
