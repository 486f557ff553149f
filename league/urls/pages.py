"""What everybody may look at: standings, results, riders, exports."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
