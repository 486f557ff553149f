"""Addresses: the page of a race, its turns and its past."""

from django.urls import URLPattern, path

from races.views import race

urlpatterns: list[URLPattern] = [
    path("rules/<slug:game>/", race.rules, name="rules"),
    path("<str:key>/", race.race, name="race"),
    path("<str:key>/entry/<int:n>/", race.entry, name="entry"),
    path("<str:key>/take-back/", race.take_back, name="take_back"),
    path("<str:key>/rewind/", race.rewind, name="rewind"),
    path("<str:key>/single/", race.single, name="single"),
]
