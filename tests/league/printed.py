"""What a page prints, read back: tables cell by cell, and the classes and texts of the whole page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "base", "col", "source", "wbr"})


@dataclass
class Cell:
    """A printed value: for programs, and as people see it (without what only screen readers get)."""

    key: str
    value: str
    text: str = ""


@dataclass
class Element:
    tag: str
    attrs: dict[str, str | None]

    @property
    def classes(self) -> set[str]:
        return set((self.attrs.get("class") or "").split())


@dataclass
class Printed(HTMLParser):
    """A page. `tables`: name -> lines, each line a dict of the cells it prints, by key."""

    tables: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)
    elements: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.cells: list[tuple[int, Cell]] = []
        self.table = ""
        self.line_depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        self.classes |= element.classes
        if tag in VOID:
            return
        self.open.append(element)
        if "data-table" in element.attrs:
            self.table = element.attrs["data-table"] or ""
            self.tables[self.table] = []
        if "data-line" in element.attrs:
            self.tables[self.table].append({})
        if "data-cell" in element.attrs:
            key, value = element.attrs["data-cell"] or "", element.attrs["value"] or ""
            self.cells.append((len(self.open), Cell(key, value)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        self.classes |= element.classes

    def handle_data(self, data: str) -> None:
        if not any("vh" in element.classes for element in self.open):
            self.text += data
            if self.cells:
                self.cells[-1][1].text += data

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            depth = len(self.open)
            element = self.open.pop()
            if self.cells and self.cells[-1][0] == depth:
                cell = self.cells.pop()[1]
                line = self.tables[self.table][-1]
                if cell.key in line:
                    assert line[cell.key].value == cell.value, f"{cell.key} is printed twice, and differently"
                if not line.get(cell.key) or not line[cell.key].text.strip():
                    line[cell.key] = cell
            if element.tag == tag:
                return


def printed(html: str | bytes) -> Printed:
    page = Printed()
    page.feed(html.decode() if isinstance(html, bytes) else html)
    page.close()
    return page
