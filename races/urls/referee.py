"""Addresses: a race at a table, and its phone."""

from django.urls import URLPattern, path

from races.views import referee

urlpatterns: list[URLPattern] = [
    path("<str:key>/referee/", referee.referee, name="referee"),
    path("<str:key>/undo/", referee.undo, name="undo"),
]
