"""Addresses: the log of a race as text, JSON, verification and numbers; practice races that go on from it."""

from django.urls import URLPattern, path

from races.views import log

urlpatterns: list[URLPattern] = [
    path("about/dice/", log.dice, name="dice"),
    path("new/import/", log.take_in, name="import"),
    path("<str:key>/log/", log.log, name="log"),
    path("<str:key>/log.txt", log.text, name="text"),
    path("<str:key>/export.json", log.export, name="export"),
    path("<str:key>/verify/", log.verify, name="verify"),
    path("<str:key>/numbers/", log.numbers, name="numbers"),
    path("<str:key>/fork/<int:n>/", log.fork, name="fork"),
]
