"""Addresses: making, finding and joining a race."""

from django.urls import URLPattern, path

from races.views import lobby

urlpatterns: list[URLPattern] = [
    path("", lobby.races, name="list"),
    path("new/", lobby.new, name="new"),
    path("<str:key>/join/<str:invitation>/", lobby.join, name="join"),
    path("<str:key>/take/", lobby.take, name="take"),
    path("<str:key>/leave/", lobby.leave, name="leave"),
    path("<str:key>/seat/", lobby.seat, name="seat"),
    path("<str:key>/start/", lobby.start, name="start"),
    path("<str:key>/substitute/", lobby.substitute, name="substitute"),
    path("<str:key>/abandon/", lobby.abandon, name="abandon"),
]
