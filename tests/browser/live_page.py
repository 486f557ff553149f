"""The least page of a race that can be kept up to date: what `races/_live.html` promises, without a board.

Addresses of the site and one more, for tests (`pytest.mark.urls`).
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template import engines
from django.urls import path

from league.urls import urlpatterns as site
from races.access import race_for
from races.due import is_due
from tests.races.rides import answer

PAGE = """{% extends "base.html" %}{% block title %}{{ race.title }}{% endblock %}
{% block main %}<div class="stack">
<section id="panel" data-live data-n="{{ race.n }}"{% if seat %} data-seat{% endif %}{% if due %} data-due="yes"{% endif %}>
<h2>Entry {{ race.n }}</h2>
<p data-newest>{{ newest }}</p>
<details id="more"><summary>More</summary><p>Much more.</p></details>
{% if due %}<form method="post" hx-post="{{ request.path }}" hx-target="#panel" hx-select="#panel" hx-swap="outerHTML">
{% csrf_token %}<fieldset><legend>Choose</legend>
<label><input type="radio" name="pick" value="0" checked>First</label><label><input type="radio" name="pick" value="1">Second</label></fieldset>
<label>Why <input name="why" id="why"></label><button class="btn" id="ride">Ride</button></form>{% endif %}
</section>
{% include "races/_live.html" with address=request.path %}</div>{% endblock %}"""


def page(request: HttpRequest, key: str) -> HttpResponse:
    viewer = race_for(request, key)
    race, seat = viewer.race, viewer.seat()
    if request.method == "POST":
        assert seat is not None
        answer(race, seat=seat.name)
        if not request.htmx:  # type: ignore[attr-defined]
            return redirect(request.path)
        race.refresh_from_db()
    last = race.entries.last()
    newest = f"Line {race.n} by {last.seat or last.taker}" if last else ""
    context = {"race": race, "seat": seat, "due": is_due(viewer), "newest": newest}
    template = engines["django"].from_string(PAGE)
    return HttpResponse(template.render(context, request), headers={"Cache-Control": "no-store, private"})


urlpatterns = [path("page/<str:key>", page, name="page"), *site]
