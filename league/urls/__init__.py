"""Addresses. They are stable: what was once shared in the club's chat keeps working."""

from django.urls import include, path

from league.urls import campaigns, clubs, library, pages, racing, rulings, series, sheets
from league.views import site

handler404 = "league.views.site.not_found"
handler403 = "league.views.site.forbidden"
handler500 = "league.views.site.server_error"

urlpatterns = [
    path("", site.home, name="home"),
    path("healthz", site.healthz, name="healthz"),
    path("theme/", site.theme, name="theme"),
    path("accounts/", include("allauth.urls")),
    path("races/", include("races.urls")),
    *clubs.urlpatterns,
    *campaigns.urlpatterns,
    *sheets.urlpatterns,
    *rulings.urlpatterns,
    *racing.urlpatterns,
    *series.urlpatterns,
    *library.urlpatterns,
    *pages.urlpatterns,
]
