"""Rulings of the jury: a public list, a permanent page each, and the forms that make them."""

from django.urls import URLPattern, path

from league.views import rulings

CAMPAIGN = "c/<slug:club>/campaign/<slug:season>/<slug:campaign>/"

urlpatterns: list[URLPattern] = [
    path(f"{CAMPAIGN}rulings/", rulings.rulings, name="rulings"),
    path(f"{CAMPAIGN}rulings/new/", rulings.ruling_new, name="ruling_new"),
    path(f"{CAMPAIGN}rulings/<int:ruling>/", rulings.ruling, name="ruling"),
    path(f"{CAMPAIGN}rulings/<int:ruling>/withdraw/", rulings.ruling_withdraw, name="ruling_withdraw"),
    path(f"{CAMPAIGN}stages/<slug:number>/correct/", rulings.correct, name="correct"),
]
