"""Addresses: the stream of a race, and its poll."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
