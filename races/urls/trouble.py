"""Addresses: races that stand still, and what mends them."""

from django.urls import URLPattern, path

from races.views import trouble

urlpatterns: list[URLPattern] = [
    path("trouble/", trouble.troubles, name="trouble"),
    path("<str:key>/mend/", trouble.mend, name="mend"),
]
