"""Clubs, people, rosters, seasons, teams."""

from django.urls import path

from league.views import clubs, people, roster, seasons

CLUB = "c/<slug:club>/"
SEASON = CLUB + "season/<slug:season>/"

urlpatterns = [
    path("clubs/new/", clubs.club_new, name="club_new"),
    path("account/", people.account, name="account"),
    path("join/<str:token>/", people.join, name="join"),
    path(CLUB + "edit/", clubs.club_edit, name="club_edit"),
    path(CLUB + "people/", people.people, name="people"),
    path(CLUB + "people/invite/", people.invite, name="invite"),
    path(CLUB + "people/leave/", people.leave, name="leave"),
    path(CLUB + "people/invitations/<int:pk>/revoke/", people.invitation_revoke, name="invitation_revoke"),
    path(CLUB + "people/<int:pk>/role/", people.member_role, name="member_role"),
    path(CLUB + "players/", roster.players, name="players"),
    path(CLUB + "players/new/", roster.player_new, name="player_new"),
    path(CLUB + "players/merge/", roster.player_merge, name="player_merge"),
    path(CLUB + "players/<int:pk>/edit/", roster.player_edit, name="player_edit"),
    path(CLUB + "players/<int:pk>/unmerge/", roster.player_unmerge, name="player_unmerge"),
    path(CLUB + "seasons/", seasons.seasons, name="seasons"),
    path(CLUB + "seasons/new/", seasons.season_new, name="season_new"),
    path(SEASON + "edit/", seasons.season_edit, name="season_edit"),
    path(SEASON + "archive/", seasons.season_archive, name="season_archive"),
    path(SEASON + "teams/new/", seasons.team_new, name="team_new"),
    path(SEASON + "teams/<int:pk>/edit/", seasons.team_edit, name="team_edit"),
    path(SEASON + "transfer/", seasons.transfer, name="transfer"),
]
