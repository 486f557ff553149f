"""Setting up a campaign: start list, stages, calendar, the sheet for tonight."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
