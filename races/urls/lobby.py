"""Addresses: making, finding and joining a race."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
