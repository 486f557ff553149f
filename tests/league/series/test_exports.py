"""The tables of a series on the page, as CSV and as JSON: cell by cell the same figures."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client

from league.rounds import NO_SHOW
from tests.conftest import Cast
from tests.league.printed import Cell, printed
from tests.league.series.club import Coppa, Ladder
from tests.league.series.test_stage_race import make_tour, ride

SHOWN_OTHERWISE = {"move", "no_show", "bot"}
NEVER_PRINTED = {"seconds", "ridden", "division"}
"""Columns of the files of a series by points that stand in words on the page."""


def number_seen(key: str, text: str) -> float | None:
    """What a person reads in a cell, as a number."""
    text = text.strip().replace("−", "-").replace("½", ".5")
    if text in ("lead", "level"):
        return 0
    if key == "share_per_mille":
        return round(float(text.removesuffix(" %")) * 10)
    if clock := re.fullmatch(r"([+-]?)(\d+):(\d\d)", text):
        seconds = int(clock[2]) * 60 + int(clock[3])
        return -seconds if clock[1] == "-" else seconds
    return float(text) if re.fullmatch(r"-?\d*(\.\d+)?", text) and text else None


def seen(key: str, cell: Cell | None, value: Any) -> None:
    if value is None:
        assert cell is None, (key, cell)
        return
    assert cell is not None, (key, value)
    assert cell.value == str(value)
    if isinstance(value, int | float):
        assert abs(number_seen(key, cell.text) or 0) == abs(value), (key, cell.text, value)
    elif key.startswith("round_") and value.startswith("("):
        assert number_seen(key, cell.text) == float(value.strip("()"))
    elif key != "move" and value not in SHOWN_OTHERWISE:
        assert cell.text.strip() == value


def compare(
    client: Client, url: str, tables: list[str], rows: list[dict[str, Any]], text: str, unseen: set[str]
) -> int:
    """Lines of these tables of the page, one after the other, with the rows of both files; how many cells were compared."""
    page = printed(client.get(url).content)
    lines = [line for table in tables for line in page.tables[table]]
    as_text = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert len(lines) == len(rows) == len(as_text) > 0
    for line, row, told in zip(lines, rows, as_text, strict=True):
        assert set(line) <= set(row) == set(told)
        for key, value in row.items():
            assert told[key] == ("" if value is None else str(value))
            if key not in unseen:
                seen(key, line.get(key), value)
    return sum(map(len, lines))


def file(client: Client, coppa: Coppa, fmt: str, query: str = "") -> str:
    answer = client.get(coppa.url("series_file", fmt) + query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def by_points(client: Client, coppa: Coppa, tables: list[str], query: str = "") -> int:
    rows = json.loads(file(client, coppa, "json", query))["rows"]
    return compare(client, coppa.url() + query, tables, rows, file(client, coppa, "csv", query), NEVER_PRINTED)


@pytest.mark.parametrize("query", ["", "?after=2"])
def test_a_table_by_points(coppa: Coppa, client: Client, query: str) -> None:
    """With a result that is dropped, one that is provisional, a shared place and somebody who did not come."""
    for number in "123":
        coppa.ride(number, "A1 B1 C1 D1 A2 B2 C2 D2")
    away = {f"who-{coppa.entrants['D'].pk}": NO_SHOW}
    coppa.ride("4", "B1 A1 C1 B2 A2 C2 B3 A3", "B1 A1 C1 B2 A2 C2 B3 A3", official=False, **away)

    assert by_points(client, coppa, ["series"], query) > 30


def test_the_tables_of_divisions(ladder: Ladder, client: Client) -> None:
    ladder.ride_both("1", "ABCD", "EFGH")
    ladder.ride_both("2", "BACD", "FEGH", official=False)

    assert by_points(client, ladder, ["series-0", "series-1"]) > 60


def test_the_three_classifications_by_time(cast: Cast, client: Client) -> None:
    tour = make_tour(cast)
    ride(tour, "1")
    ride(
        tour, "2", "B1 C1 B2 C2 D1 D2 D3 B3", sprint="A1 B1 C1 B2 C2 D1 D2 D3", retired="A1 A2",
        road="A3 60 C3 55 A4 50 B4 50 C4 44 D4 44",
    )  # fmt: skip
    told = json.loads(file(client, tour, "json"))

    for which, unseen in (("riders", {"points"}), ("teams", set()), ("points", set())):
        rounds = {"round_1", "round_2"}  # in words, in the why
        text = file(client, tour, "csv", f"?of={which}")
        assert compare(client, tour.url(), [which], told[which], text, unseen | rounds) > 10
