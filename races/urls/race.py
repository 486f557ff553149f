"""Addresses: the page of a race, its turns and its past."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
