"""Listings in HTML: a row for each line, and what it is made of folded below its text."""

from __future__ import annotations

from collections.abc import Iterator

from emu.report.document import Listing, ListingLine
from emu.report.forms.html_element import Element, element
from emu.report.forms.html_table import table_element
from emu.report.listing import quiet_words, stretches

_HOT, _WARM = 0.4, 0.1  # of a full bar


def listing_element(listing: Listing) -> Element:
    """A listing, in a frame in which it can be moved sideways where the window is narrow."""
    body = element("tbody")
    for lines in stretches(listing):
        if len(lines) > 1:
            body.append(_put_away(listing, lines))
        else:
            body.append(_line(listing, lines[0]))
    table = element("table", element("thead", *_heads(listing)), body, class_="listing")
    return element("div", table, class_="scroll")


def _heads(listing: Listing) -> Iterator[Element]:
    span = str(len(listing.columns))
    groups = (
        element("th", group, scope="colgroup", colspan=span, class_="first")
        for group in listing.groups
    )
    yield element("tr", element("td"), *groups, element("td"))
    heads = (
        element("th", column, scope="col", class_=_class(listing, index))
        for _ in listing.groups
        for index, column in enumerate(listing.columns)
    )
    line = element("th", "line", scope="col", class_="number")
    yield element("tr", line, *heads, element("th", listing.heading, scope="col", class_="text"))


def _line(listing: Listing, number: int) -> Element:
    line = listing.lines[number - 1]
    heat = max(line.fractions, default=0.0)
    kind = "hot" if heat >= _HOT else "warm" if heat >= _WARM else ""
    text = element("code", line.text or "\N{NO-BREAK SPACE}")
    if line.below:
        tables = (table_element(table) for table in line.below)
        text = element("details", element("summary", text), *tables)
    return element(
        "tr",
        element("th", str(number), scope="row", class_="number"),
        *_figures(listing, line),
        element("td", text, class_="text"),
        id=f"{listing.name}-{number}",
        **({"class": kind} if kind else {}),
    )


def _figures(listing: Listing, line: ListingLine) -> Iterator[Element]:
    for group in range(len(listing.groups)):
        figures = line.figures[group] if group < len(line.figures) else ()
        for index in range(len(listing.columns)):
            fraction = line.fractions[group] if group < len(line.fractions) else 0.0
            kind = _class(listing, index)
            bar = {"style": f"--fraction: {fraction:.3f}"} if "bar" in kind and fraction else {}
            yield element("td", figures[index] if figures else "", class_=kind, **bar)


def _class(listing: Listing, index: int) -> str:
    """The names by which a column is dressed; the last of each group has bars."""
    kind = "number first" if index == 0 else "number"
    return f"{kind} bar" if index == len(listing.columns) - 1 else kind


def _put_away(listing: Listing, lines: range) -> Element:
    width = str(len(listing.groups) * len(listing.columns))
    text = "\n".join(f"{number:>6}  {listing.lines[number - 1].text}" for number in lines)
    summary = element("summary", quiet_words(listing, lines), class_="quiet")
    folded = element("details", summary, element("code", text.rstrip()))
    return element(
        "tr",
        element("td"),
        element("td", colspan=width, class_="first"),
        element("td", folded, class_="text"),
    )
