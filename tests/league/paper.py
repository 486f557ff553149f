"""A browser without JavaScript for the tests of the sheet: it reads the form off the page, types, and presses buttons."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client


@dataclass
class Button:
    name: str
    value: str
    action: str | None
    text: str = ""


class FormReader(HTMLParser):
    """Fields and submit buttons of the form #sheet-form, as a browser would send them."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.action = ""
        self.fields: dict[str, str] = {}
        self.ticks: dict[str, bool] = {}
        self.choices: dict[str, list[str]] = {}
        self.marks: dict[str, dict[str, str | None]] = {}
        self.buttons: list[Button] = []
        self.select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        a = dict(attrs)
        if tag == "form":
            self.inside = a.get("id") == "sheet-form"
            if self.inside:
                self.action = a.get("action") or ""
        if not self.inside:
            return
        name, value = a.get("name") or "", a.get("value") or ""
        if name:
            self.marks[name] = a
        if tag == "input" and a.get("type") == "checkbox":
            self.ticks[name] = "checked" in a
        elif tag == "input":
            self.fields[name] = value
        elif tag == "select":
            self.select, self.choices[name], self.fields[name] = name, [], ""
        elif tag == "option" and self.select:
            self.choices[self.select].append(value)
            if "selected" in a:
                self.fields[self.select] = value
        elif tag == "button":
            self.buttons.append(Button(name, value, a.get("formaction")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select":
            self.select = None

    def handle_data(self, data: str) -> None:
        if self.inside and self.buttons:
            self.buttons[-1].text += data


@dataclass
class Paper:
    """One reader's page of a sheet."""

    client: Client
    url: str
    response: Any = None
    form: FormReader = field(default_factory=FormReader)

    def open(self) -> "Paper":
        return self.read(self.client.get(self.url))

    def read(self, response: Any) -> "Paper":
        self.response = response
        self.form = FormReader()
        self.form.feed(response.content.decode())
        return self

    @property
    def text(self) -> str:
        return self.response.content.decode()

    def cell(self, key: str) -> str:
        return ("on" if self.form.ticks[key] else "") if key in self.form.ticks else self.form.fields[key]

    def type(self, cells: dict[str, str]) -> "Paper":
        for key, value in cells.items():
            if key in self.form.ticks:
                self.form.ticks[key] = value == "on"
            else:
                assert key in self.form.fields, f"no field {key} on the page"
                if key in self.form.choices:
                    assert value in self.form.choices[key], f"{key} cannot be {value}"
                self.form.fields[key] = value
        return self

    def press(self, name: str, value: str | None = None, **extra: Any) -> "Paper":
        """Submit with a button of the page, and follow where it leads."""
        button = next(b for b in self.form.buttons if b.name == name and value in (None, b.value))
        sent = self.form.fields | {key: "on" for key, on in self.form.ticks.items() if on} | {name: button.value}
        action = button.action or self.form.action or self.url
        if action.startswith("?"):
            action = self.url.split("?")[0] + action
        answer = self.client.post(action, sent, **extra)
        if answer.status_code == 302:
            self.response = answer
            where = answer["Location"].split("#")[0]
            return self.read(self.client.get(where)) if "/sheet/" in where else self
        return self.read(answer)
