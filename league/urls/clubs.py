"""Clubs, people, rosters, seasons, teams."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
