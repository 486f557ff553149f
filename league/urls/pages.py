"""What everybody may look at: standings, results, riders, exports."""

from django.urls import URLPattern, path, register_converter

from league.views import exports, people_pages, standings


class FileFormat:
    """The formats that a table is exported in."""

    regex = "csv|json"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class SeasonTable(FileFormat):
    """The tables of a season."""

    regex = "teams|players"


register_converter(FileFormat, "file_format")
register_converter(SeasonTable, "season_table")

CLUB = "c/<slug:club>/"
SEASON = CLUB + "season/<slug:season>/"
CAMPAIGN = CLUB + "campaign/<slug:season>/<slug:campaign>/"

urlpatterns: list[URLPattern] = [
    path(CLUB, people_pages.club, name="club"),
    path(SEASON, people_pages.season, name="season"),
    path(SEASON + "<season_table:table>.<file_format:fmt>", people_pages.season_table_file, name="season_table"),
    path(SEASON + "teams/<int:pk>/", people_pages.team, name="team"),
    path(CLUB + "players/<int:pk>/", people_pages.player, name="player"),
    path(CAMPAIGN, standings.campaign, name="campaign"),
    path(CAMPAIGN + "gc/", standings.gc, name="gc"),
    path(CAMPAIGN + "gc/embed/", standings.gc_embed, name="gc_embed"),
    path(CAMPAIGN + "gc.<file_format:fmt>", exports.gc, name="gc_export"),
    path(CAMPAIGN + "gaps.<file_format:fmt>", exports.gaps, name="history"),
    path(CAMPAIGN + "teams/", standings.teams, name="teams"),
    path(CAMPAIGN + "teams/embed/", standings.teams_embed, name="teams_embed"),
    path(CAMPAIGN + "teams.<file_format:fmt>", exports.teams, name="teams_export"),
    path(CAMPAIGN + "stages/<slug:number>/", standings.stage, name="stage"),
    path(CAMPAIGN + "stages/<slug:number>.<file_format:fmt>", exports.stage, name="stage_export"),
    path(CAMPAIGN + "riders/", people_pages.riders, name="riders"),
    path(CAMPAIGN + "riders/<int:bib>/", people_pages.rider, name="rider"),
]
