"""What every drawing of the site must be, whatever it shows."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from django.utils.safestring import SafeString

HOSTILE = """<script>alert("x")</script>' onload='y & Z\u202e\0\ud800 🚴‍♀️ محمد"""
"""A name that tries everything: markup, quotes, an ampersand, a turn of direction, what XML forbids, emoji."""

ADDRESS = "{http://www.w3.org/1999/xlink}href"
"""Where a link of a drawing leads."""

ALLOWED = {"svg", "g", "path", "polyline", "polygon", "rect", "text", "tspan", "use"}


def parsed(drawing: SafeString) -> ET.Element:
    """The drawing as XML, after everything that holds for all of them was seen to hold."""
    assert isinstance(drawing, SafeString)
    root = ET.fromstring(drawing.encode())
    assert root.tag == "svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    for element in root.iter():
        assert element.tag in ALLOWED
        assert "style" not in element.attrib
        assert "id" not in element.attrib
        assert not any(name.startswith("on") for name in element.attrib)
        assert element.get("href", "#").startswith("#jersey-") or element.tag != "use"
        assert "nan" not in " ".join(element.attrib.values()).lower().split()
    return root


def texts(root: ET.Element) -> list[str]:
    """Every text of the drawing, whole, with its parts."""
    return ["".join(element.itertext()) for element in root.iter("text")]


def by_class(root: ET.Element, name: str) -> Iterator[ET.Element]:
    """The elements that carry a class."""
    return (element for element in root.iter() if name in element.get("class", "").split())


def box(root: ET.Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is seen."""
    left, top, width, height = map(float, root.get("viewBox", "").split())
    return left, top, width, height
