"""Entering and publishing results."""

from django.urls import URLPattern, path

from league.views import sheets

STAGE = "c/<slug:club>/campaign/<slug:season>/<slug:campaign>/stages/<slug:number>/"

urlpatterns: list[URLPattern] = [
    path(STAGE + "sheet/", sheets.sheet, name="sheet"),
    path(STAGE + "sheet/publish/", sheets.sheet_publish, name="sheet_publish"),
    path(STAGE + "versions/<int:version>/", sheets.version, name="version"),
]
