"""The same figures on the page, as CSV and as JSON; files that no spreadsheet, header or folder trips over."""

import csv
import io
import json
import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse, HttpResponseBase
from django.test import Client

from league.export import as_csv, csv_text, named
from league.models import Club
from tests.evening import Evening
from tests.league import giri
from tests.league.printed import Cell, printed

pytestmark = pytest.mark.django_db

NUMBERS_SHOWN = re.compile(r"[+\u2212]?\d+")
WORDS_FOR_A_NUMBER = {"pink", "level", "lead", "s.t."}
SHOWN_OTHERWISE = {"change", "evenings_in_pink", "finishers", "count", "counted"}


def rows_of(response: HttpResponseBase) -> list[dict[str, str]]:
    text = getattr(response, "content", b"").decode()
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text[1:])))


def seen(cell: Cell | None, value: object) -> None:
    """What people see in a cell is its value: the same number, or the same name."""
    if value is None:
        assert cell is None
        return
    assert cell is not None, f"not on the page: {value}"
    assert cell.value == str(value)
    shown = cell.text.strip()
    if isinstance(value, int) and cell.key not in SHOWN_OTHERWISE and shown not in WORDS_FOR_A_NUMBER:
        number = NUMBERS_SHOWN.fullmatch(shown)
        assert number, (cell.key, shown)
        assert int(shown.replace("\u2212", "-")) == value
    if cell.key in ("rider", "team", "player"):
        assert shown == value


def compare(client: Client, page: str, table: str, file: str, after: str = "") -> int:
    """Page, CSV and JSON cell by cell; how many cells were compared."""
    query = {"after": after} if after else {}
    lines = printed(client.get(page, query).content).tables[table]
    as_json = json.loads(client.get(file.replace("FORMAT", "json"), query).content)
    as_rows = rows_of(client.get(file.replace("FORMAT", "csv"), query))
    keys = as_json["columns"]

    assert len(lines) == len(as_json["rows"]) == len(as_rows) > 0
    for line, row, text in zip(lines, as_json["rows"], as_rows, strict=True):
        assert list(row) == keys == list(text)
        assert set(line) <= set(keys)
        for key in keys:
            assert text[key] == ("" if row[key] is None else str(row[key]))
            seen(line.get(key), row[key])
    return len(lines) * len(keys)


def files(address: str) -> str:
    return address.removesuffix("csv") + "FORMAT"


def walk(client: Client, evening: Evening, ridden: str) -> int:
    """Every table of the campaign after every stage."""
    url, compared = evening.campaign.url, 0
    for number in ridden:
        compared += compare(client, url("gc"), "gc", files(url("gc_export", "csv")), number)
        compared += compare(client, url("gc"), "gaps", files(url("history", "csv")), number)
        compared += compare(client, url("teams"), "teams", files(url("teams_export", "csv")), number)
        compared += compare(client, url("stage", number), "stage", files(url("stage_export", number, "csv")))
    return compared


@pytest.mark.parametrize(
    ("prepared", "ridden"),
    [
        (lambda evening: evening.ride("1", "2", "3"), "123"),
        (giri.to_the_end, "12345"),
        (giri.with_a_missing_result, "12"),
        (giri.with_rulings, "123"),
    ],
    ids=["the worked example", "to the end", "with a missing result", "with rulings"],
)
def test_page_csv_and_json_tell_the_same_cell_by_cell(
    client: Client, evening: Evening, prepared: Callable[[Evening], Evening], ridden: str
) -> None:
    prepared(evening)

    assert walk(client, evening, ridden) > 200


def test_hostile_names_are_the_same_everywhere_and_act_nowhere(client: Client, evening: Evening) -> None:
    hostile = {
        "A": '=HYPERLINK("http://example.org","x")',
        "B": "+cmd|' /C calc'!A0",
        "C": "</script><b>x",
        "D": "-2+3",
        "E": '@SUM(A1), "quoted"\u202e',
        "F": "Zoë 🚴 O'Neil; & <i>",
    }
    for letter, name in hostile.items():
        rider = evening.riders[letter]
        rider.name = name
        rider.save()
    evening.ride("1")
    page = client.get(evening.campaign.url("gc"))
    whole = page.content.decode()
    rows = rows_of(client.get(evening.campaign.url("gc_export", "csv")))
    told = json.loads(client.get(evening.campaign.url("gc_export", "json")).content)["rows"]

    assert "<b>x" not in whole
    assert "<i>" not in whole.replace('<i class="on"></i>', "").replace("<i></i>", "")
    assert {row["rider"] for row in told} == set(hostile.values())
    assert {line["rider"].value for line in printed(whole).tables["gc"]} == set(hostile.values())
    for row in rows:
        assert not row["rider"].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert {row["rider"].removeprefix("'") for row in rows} == set(hostile.values())
    assert [row["score"] for row in rows] == ["2", "0", "0", "-2", "-2", "-5"]  # numbers stay numbers


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_text_that_a_spreadsheet_would_calculate_gets_an_apostrophe(start: str) -> None:
    text = csv_text(["name", "score"], [{"name": f"{start}1", "score": -1}])

    cells = list(csv.reader(io.StringIO(text[1:])))[1]
    assert cells == [f"'{start}1", "-1"]


def test_delimiters_quotes_and_line_breaks_inside_a_cell_come_back_unchanged() -> None:
    name = 'one, "two"\nthree;four'

    text = csv_text(["name"], [{"name": name}])

    assert list(csv.reader(io.StringIO(text[1:]))) == [["name"], [name]]


@pytest.mark.parametrize(
    "name", ['a"b', "a\r\nSet-Cookie: x=1", "../../etc/passwd", "Zoë 🚴", "", "a;b\\c", "\u202egpj", "x" * 300]
)
def test_a_file_name_is_safe_in_a_header_whatever_it_is_made_of(name: str) -> None:
    header = named(HttpResponse(), name, "csv")["Content-Disposition"]

    plain = re.fullmatch(
        r"attachment; filename=\"([A-Za-z0-9._-]+\.csv)\"; filename\*=UTF-8''([A-Za-z0-9._~%-]+\.csv)", header
    )
    assert plain, header
    assert ".." not in plain[1].removeprefix("..") or "/" not in plain[1]
    assert "%2F" not in plain[2]
    assert "%0D" not in plain[2]
    assert "%0A" not in plain[2]


def test_csv_is_utf_8_with_a_byte_order_mark_and_says_so() -> None:
    response = as_csv("x", ["a"], [{"a": "Zoë"}])

    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response.content == b"\xef\xbb\xbfa\r\nZo\xc3\xab\r\n"


def test_json_says_what_its_figures_are_worth(client: Client, evening: Evening) -> None:
    evening.ride("1", "2")

    told = json.loads(client.get(evening.campaign.url("gc_export", "json"), {"after": "1"}).content)

    rows = told.pop("rows")
    columns = told.pop("columns")
    assert len(rows) == 6
    assert columns[0] == "place"
    assert told == {
        "club": "V.C. Lanterna",
        "season": "2026",
        "campaign": "Giro d'Inverno",
        "table": "gc",
        "after": {"number": "1", "name": "Pianura"},
        "state": "official",
        "revision": evening.campaign.revision,
        "is_counted": True,
        "generated_from": f"http://testserver{evening.campaign.url('gc')}?after=1",
    }


def test_a_file_of_old_figures_says_so_while_they_are_recounted(client: Client, evening: Evening) -> None:
    evening.ride("1")
    before = evening.campaign.revision
    giri.touched(evening.campaign)

    told = json.loads(client.get(evening.campaign.url("gc_export", "json")).content)

    assert told["is_counted"] is False
    assert told["revision"] == before


def test_a_stage_has_no_file_before_its_result_is_published(client: Client, evening: Evening) -> None:
    evening.ride("1")
    evening.type("2")

    assert client.get(evening.campaign.url("stage_export", "1", "csv")).status_code == 200
    assert client.get(evening.campaign.url("stage_export", "2", "csv")).status_code == 404
    assert client.get(evening.campaign.url("gc_export", "csv"), {"after": "2"}).status_code == 404


def test_before_the_first_stage_a_table_is_a_heading(client: Client, evening: Evening) -> None:
    assert rows_of(client.get(evening.campaign.url("gc_export", "csv"))) == []
    told = json.loads(client.get(evening.campaign.url("gc_export", "json")).content)
    assert (told["after"], told["state"], told["rows"]) == (None, None, [])


def test_a_name_of_the_file_tells_which_table_it_is(client: Client, evening: Evening) -> None:
    evening.ride("1")

    header = client.get(evening.campaign.url("gc_export", "csv"))["Content-Disposition"]

    assert 'filename="lanterna-2026-giro-dinverno-gc-after-1.csv"' in header


def test_files_of_a_closed_club_are_for_its_members(client: Client, evening: Evening, cast: object) -> None:
    evening.ride("1")
    Club.objects.update(is_public=False)
    addresses = [
        evening.campaign.url("gc_export", "csv"),
        evening.campaign.url("history", "json"),
        evening.campaign.url("teams_export", "csv"),
        evening.campaign.url("stage_export", "1", "json"),
    ]

    assert {client.get(address).status_code for address in addresses} == {404}
    client.force_login(evening.organiser)
    answers = [client.get(address) for address in addresses]
    assert {answer.status_code for answer in answers} == {200}
    assert all("private" in answer["Cache-Control"] for answer in answers)
