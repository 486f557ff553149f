"""Setting up a campaign: start list, stages, calendar, the sheet for tonight."""

from django.urls import URLPattern, path

from league.views import calendar, campaigns

CAMPAIGN = "c/<slug:club>/campaign/<slug:season>/<slug:campaign>/"

urlpatterns: list[URLPattern] = [
    path("c/<slug:club>/season/<slug:season>/campaigns/new/", campaigns.campaign_new, name="campaign_new"),
    path(f"{CAMPAIGN}edit/", campaigns.campaign_edit, name="campaign_edit"),
    path(f"{CAMPAIGN}startlist/", campaigns.startlist, name="startlist"),
    path(f"{CAMPAIGN}stages/new/", campaigns.stage_new, name="stage_new"),
    path(f"{CAMPAIGN}stages/<slug:number>/edit/", campaigns.stage_edit, name="stage_edit"),
    path(f"{CAMPAIGN}stages/<slug:number>/remove/", campaigns.stage_remove, name="stage_remove"),
    path(f"{CAMPAIGN}stages/<slug:number>/move/", campaigns.stage_move, name="stage_move"),
    path(f"{CAMPAIGN}stages/<slug:number>/tonight/", calendar.tonight, name="tonight"),
    path(f"{CAMPAIGN}calendar/", calendar.calendar, name="calendar"),
    path(f"{CAMPAIGN}calendar.ics", calendar.calendar_ics, name="calendar_ics"),
]
