"""The files of the page: all are used, and none asks for anything beyond its own server."""

from __future__ import annotations

import re
from pathlib import Path

import emu.play

FOLDER = Path(emu.play.__path__[0]) / "page"
NAMES = re.compile(r'(?:from|src|href)[ =]"(?:\./)?([\w.]+)"')


def texts() -> dict[str, str]:
    """Every file of the page."""
    return {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}


def test_every_file_is_named_by_another_and_every_name_is_a_file():
    named = {name for text in texts().values() for name in NAMES.findall(text)}
    assert named | {"page.html"} == set(texts())


def test_no_address_of_another_server_stands_in_a_file():
    for name, text in texts().items():
        addresses = set(re.findall(r"\w+://[^\s'\"`]*", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, name


def test_no_script_and_no_style_stands_in_the_page_itself():
    page = texts()["page.html"]
    assert re.findall(r"<script[^>]*>", page) == ['<script type="module" src="page.js">']
    assert "<style" not in page and not re.search(r"\s(style|on\w+)=", page)


def test_nothing_that_the_server_says_becomes_html():
    """Texts of a hostile program are shown as texts."""
    for name, text in texts().items():
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text
        ), name


def test_modules_are_small():
    for name, text in texts().items():
        assert name.endswith((".css", ".html")) or len(text.splitlines()) <= 200, name
