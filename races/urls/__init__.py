"""Addresses of the races. They are stable: what was once shared keeps working."""

from races.urls import chat, clocks, live, lobby, log, race, referee, trouble

app_name = "races"
urlpatterns = [
    *lobby.urlpatterns,
    *trouble.urlpatterns,
    *race.urlpatterns,
    *live.urlpatterns,
    *log.urlpatterns,
    *referee.urlpatterns,
    *clocks.urlpatterns,
    *chat.urlpatterns,
]
