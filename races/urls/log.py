"""Addresses: the log of a race as text, JSON and verification."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
