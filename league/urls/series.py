"""A points series: its table, its rounds, their sheets and races; and its set-up."""

from django.urls import URLPattern, path

from league.urls import pages  # noqa: F401  # registers the file formats
from league.views import rounds, series, series_pages, series_racing

SEASON = "c/<slug:club>/season/<slug:season>/"
SERIES = "c/<slug:club>/series/<slug:season>/<slug:series>/"
ROUND = SERIES + "rounds/<slug:number>/"

urlpatterns: list[URLPattern] = [
    path(f"{SEASON}series/new/", series.series_new, name="series_new"),
    path(SERIES, series_pages.series, name="series"),
    path(f"{SERIES}table.<file_format:fmt>", series_pages.series_file, name="series_file"),
    path(f"{SERIES}calendar.ics", series_pages.series_ics, name="series_ics"),
    path(f"{SERIES}next/<int:entrant>/", series_pages.what_if, name="what_if"),
    path(f"{SERIES}edit/", series.series_edit, name="series_edit"),
    path(f"{SERIES}entrants/", series.series_entrants, name="series_entrants"),
    path(f"{SERIES}divisions/", series.series_divisions, name="series_divisions"),
    path(f"{SERIES}following/", series.series_next, name="series_next"),
    path(f"{SERIES}rounds/new/", series.round_new, name="round_new"),
    path(ROUND, series_pages.round_page, name="round"),
    path(f"{ROUND}edit/", series.round_edit, name="round_edit"),
    path(f"{ROUND}remove/", series.round_remove, name="round_remove"),
    path(f"{ROUND}move/", series.round_move, name="round_move"),
    path(f"{ROUND}sheet/", rounds.round_sheet, name="round_sheet"),
    path(f"{ROUND}versions/<int:version>/", series_pages.round_version, name="round_version"),
    path(f"{ROUND}race/", series_racing.round_race, name="round_race"),
]
