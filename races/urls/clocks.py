"""Addresses: the clock of a race, and one's own settings."""

from django.urls import path

from races.views import clocks

urlpatterns = [
    path("me/settings/", clocks.reach, name="reach"),
    path("me/away/", clocks.away, name="away"),
    path("me/away/<int:pk>/home/", clocks.home, name="home"),
    path("<str:key>/clock/", clocks.clock, name="clock"),
    path("<str:key>/pause/", clocks.pause, name="pause"),
    path("<str:key>/resume/", clocks.resume, name="resume"),
    path("<str:key>/back/", clocks.back, name="back"),
]
