"""Rulings of the jury."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
