"""Tables in HTML."""

from __future__ import annotations

from collections.abc import Sequence

from emu.report.document import Table, Tone
from emu.report.forms.html_element import Content, Element, element

_SIGNS = {Tone.GOOD: "\u2713", Tone.BAD: "\u2717", Tone.DOUBTFUL: "?"}


def toned(text: str, tone: Tone | None) -> Content:
    """A word in the colour of its meaning, with a sign for those who see no colours."""
    if tone is None:
        return text
    sign = element("span", f"{_SIGNS[tone]}\N{NO-BREAK SPACE}", aria_hidden="true")
    return element("span", sign, text, class_=f"tone {tone.value}")


def table_element(table: Table) -> Element:
    """A table, in a frame in which it can be moved sideways where the window is narrow."""
    html = element("table")
    if table.title:
        html.append(element("caption", table.title))
    head = element("tr")
    for index, column in enumerate(table.columns):
        head.append(element("th", column, scope="col", **_kind(table, index)))
    html.append(element("thead", head))
    body = element("tbody")
    for number, row in enumerate(table.rows):
        line = element("tr", **({"class": "break"} if number in table.breaks else {}))
        if number in table.names:
            line.set("id", table.names[number])
        for index, cell in enumerate(row):
            word = toned(cell, table.tones.get(cell))
            if cell in table.links:
                word = element("a", word, href=f"#{table.links[cell]}")
            if index == 0 and table.words:
                line.append(element("th", word, scope="row"))
            else:
                line.append(element("td", word, **_kind(table, index)))
        body.append(line)
    html.append(body)
    if table.choices is None:
        return element("div", html, class_="scroll")
    html.set("class", "sortable")
    box = element(
        "div", _search(table.choices, len(table.rows)), element("div", html, class_="scroll")
    )
    box.set("class", "searchable")
    return box


def _search(words: Sequence[str], rows: int) -> Element:
    """What a reader searches with; the page's script shows it, as it does nothing without one."""
    field = element("input", type="search", placeholder="search", aria_label="Search the rows")
    choices = [element("option", word, value=word) for word in words]
    every = element("option", "all", value="")
    select = element("select", every, *choices, aria_label="Show rows with this word")
    count = element("output", f"{rows:,}", aria_live="polite")
    controls = (field, *([select] if words else ()), " ", count, " rows")
    return element("p", *controls, class_="search", hidden="")


def _kind(table: Table, index: int) -> dict[str, str]:
    return {"class": "number"} if index >= table.words else {}
