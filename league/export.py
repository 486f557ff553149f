"""Tables as files: CSV for spreadsheets, JSON for programs. The figures are those of the page.

CSV is UTF-8 with a byte order mark, commas, CRLF: spreadsheets open it with the right letters. Text that a
spreadsheet would take for a formula gets a leading apostrophe; numbers stay numbers.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse

BYTE_ORDER_MARK = "\ufeff"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Value = int | str | None


def csv_cell(value: Value) -> str | int:
    """A value as it stands in the file: numbers as numbers, nothing as nothing, text that cannot act as a formula."""
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    return f"'{value}" if value.startswith(FORMULA_STARTS) else value


def csv_text(keys: Sequence[str], rows: Iterable[Mapping[str, Value]]) -> str:
    """The whole file, with its heading."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(keys)
    writer.writerows([csv_cell(row[key]) for key in keys] for row in rows)
    return BYTE_ORDER_MARK + out.getvalue()


def named(response: HttpResponse, name: str, extension: str) -> HttpResponse:
    """Give the answer a file name that no header, folder or shell can trip over, whatever the name is made of."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "table"
    whole = re.sub(r"[\x00-\x1f\x7f/\\:*?\"<>|]+", "-", name).strip("-. ") or "table"
    response["Content-Disposition"] = (
        f"attachment; filename=\"{plain}.{extension}\"; filename*=UTF-8''{quote(f'{whole}.{extension}', safe='')}"
    )
    return response


def as_csv(name: str, keys: Sequence[str], rows: Iterable[Mapping[str, Value]]) -> HttpResponse:
    """An answer with the rows as CSV."""
    return named(HttpResponse(csv_text(keys, rows), content_type="text/csv; charset=utf-8"), name, "csv")


def as_json(name: str, content: Mapping[str, Any]) -> HttpResponse:
    """An answer with the content as JSON; it opens in the browser and has a name when it is saved."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    response = named(HttpResponse(text, content_type="application/json"), name, "json")
    response["Content-Disposition"] = response["Content-Disposition"].replace("attachment", "inline", 1)
    return response
