"""A stage as a race. What happens in the race has its own addresses."""

from django.urls import URLPattern, path

from league.views import racing

CAMPAIGN = "c/<slug:club>/campaign/<slug:season>/<slug:campaign>/"

urlpatterns: list[URLPattern] = [
    path(f"{CAMPAIGN}stages/<slug:number>/race/", racing.stage_race, name="stage_race"),
]
