"""Documents as one HTML file that needs nothing else: no other file, no network, no build."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import groupby

from emu.report.document import (
    Document,
    Excerpt,
    Film,
    Listing,
    Literal,
    Part,
    PartRow,
    PngPicture,
    Points,
    Section,
    Table,
    Tone,
)
from emu.report.figure import Figure
from emu.report.forms.html_element import Content, Element, element, html_text
from emu.report.forms.html_figure import figures_element
from emu.report.forms.html_film import film_element, image_element
from emu.report.forms.html_listing import listing_element
from emu.report.forms.html_plot import plot_element
from emu.report.forms.html_table import table_element, toned
from emu.report.many import tally, time_of, worst_first
from emu.report.plots.plot import Plot

_FEW_SECTIONS = 4  # not folded: more than these are listed at a document's top


def to_html(documents: Sequence[Document]) -> str:
    """A page with documents; of several, a table with their outcomes and links stands first."""
    style = resources.files("emu.report").joinpath("page.css").read_text("utf-8")
    script = resources.files("emu.report").joinpath("page.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
        f"form-action 'none'; script-src 'sha256-{digest}'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", _page_title(documents)),
        element("link", rel="icon", href="data:,"),
        element("style", style),
    )
    skip = element("a", "Skip to what was found", href="#found", class_="skip")
    top = element("header", *_top(documents))
    main = element("main", *_main(documents), id="found", tabindex="-1")
    body = element("body", skip, top, main, element("script", script))
    return html_text(element("html", head, body, lang="en"))


def _page_title(documents: Sequence[Document]) -> str:
    if len(documents) != 1:
        return f"{tally(documents)} - macproof"
    (document,) = documents
    return f"{document.outcome.word}: {document.title}" if document.outcome else document.title


def _top(documents: Sequence[Document]) -> Iterator[Element]:
    """What a reader wants to know first, and links to the rest."""
    if len(documents) == 1:
        yield from _head(documents[0], "h1")
        yield from _lead(documents[0], "report-1")
    else:
        yield element("h1", tally(documents))
        yield _summary(worst_first(documents))


def _main(documents: Sequence[Document]) -> Iterator[Element]:
    if len(documents) == 1:
        yield element("article", *_rest(documents[0], "report-1", "h2"))
        return
    for number, document in enumerate(worst_first(documents), 1):
        name = f"report-{number}"
        is_good = document.outcome is not None and document.outcome.tone is Tone.GOOD
        rest = (*_lead(document, name), *_rest(document, name, "h3"))
        yield element(
            "details",
            element("summary", *_head(document, "h2")),
            element("div", *rest, id=name),
            class_="document",
            **({} if is_good else {"open": ""}),
        )


def _summary(documents: Sequence[Document]) -> Element:
    body = element("tbody")
    for number, document in enumerate(documents, 1):
        outcome = document.outcome
        name = document.name or document.title
        report = element("th", element("a", name, href=f"#report-{number}"), scope="row")
        if document.name:
            report.append(element("div", document.title, class_="caveat"))
        if outcome is not None and outcome.caveat:
            report.append(element("div", outcome.caveat, class_="caveat"))
        word = toned(outcome.word, outcome.tone) if outcome else ""
        time = element("td", time_of(document), class_="number")
        body.append(element("tr", element("td", word), report, time))
    head = element("tr", *(element("th", text, scope="col") for text in ("outcome", "report")))
    head.append(element("th", "time", scope="col", class_="number"))
    table = element("table", element("thead", head), body)
    return element("nav", element("div", table, class_="scroll"), aria_label="Reports")


def _head(document: Document, heading: str) -> Iterator[Element]:
    """The title with the outcome, which is what a reader wants to know first."""
    yield element(heading, document.title)
    if document.name:
        yield element("p", element("code", document.name), class_="name")
    if document.outcome is not None:
        outcome = document.outcome
        said: list[Content] = [toned(outcome.word, outcome.tone)]
        if document.seconds is not None:
            said.append(f" in {time_of(document)}")
        if outcome.caveat:
            said.append(element("span", outcome.caveat, class_="caveat"))
        yield element("p", *said, class_="outcome")


def _lead(document: Document, name: str) -> Iterator[Element]:
    """The paragraphs below the title, and links to the sections if many are not folded.

    Args:
        document: the document.
        name: what the names of its sections begin with.
    """
    for text in document.lead:
        yield element("p", text)
    links = [
        element("li", element("a", section.title, href=f"#{section.name or f'{name}-{number}'}"))
        for number, section in enumerate(document.sections, 1)
        if (section.is_open or not section.is_detail) and not section.is_folded
    ]
    if len(links) > _FEW_SECTIONS:
        yield element("nav", element("ul", *links), class_="contents", aria_label="Sections")


def _rest(document: Document, name: str, heading: str) -> Iterator[Element]:
    for number, section in enumerate(document.sections, 1):
        yield _section(section, f"{name}-{number}", heading)
    for text in document.closing:
        yield element("p", text)


def _section(section: Section, place: str, heading: str) -> Element:
    title = element(heading, section.title)
    parts = list(_parts(section.parts, place))
    place = section.name or place
    if (section.is_detail and not section.is_open) or section.is_folded:
        body = element("div", *parts, id=place)
        return element("details", element("summary", title), body, class_="section")
    return element("section", title, *parts, id=place)


def _parts(parts: Sequence[Part], place: str) -> Iterator[Element]:
    number = 0
    for kind, group in groupby(parts, key=type):
        if kind is Figure:
            yield figures_element([part for part in group if isinstance(part, Figure)])
        elif kind is PngPicture:
            pictures = (_picture(part) for part in group if isinstance(part, PngPicture))
            yield element("div", *pictures, class_="pictures")
        else:
            for part in group:
                number += 1
                yield _part(part, f"{place}-{number}")


def _part(part: Part, place: str) -> Element:
    match part:
        case str():
            return element("p", part)
        case Points():
            return element("ul", *(element("li", text) for text in part.texts))
        case Literal():
            code = element("code", "\n".join(part.lines))
            return element("pre", code)
        case Table():
            return table_element(part)
        case Excerpt():
            return _excerpt(part)
        case Listing():
            return listing_element(part)
        case Plot():
            return plot_element(part, place)
        case Figure():
            return figures_element([part])
        case PngPicture():
            return _picture(part)
        case Film():
            return film_element(part)
        case PartRow():
            columns = (
                element("div", _part(one, f"{place}-{number}"))
                for number, one in enumerate(part.parts, 1)
            )
            return element("div", *columns, class_="columns")


def _excerpt(excerpt: Excerpt) -> Element:
    """Lines with their numbers, which nobody copies with them, and one of them marked."""
    code = element("code")
    for number, line, is_marked in excerpt.numbered():
        beside = element("span", f"{number}  ", class_="beside")
        text = element("mark" if is_marked else "span", line or "\N{NO-BREAK SPACE}")
        code.append(element("span", beside, text, "\n", class_="line"))
    title = element("figcaption", element("strong", excerpt.title))
    return element("figure", title, element("pre", code), class_="excerpt")


def _picture(picture: PngPicture) -> Element:
    image = image_element(picture.png, picture.title)
    return element("figure", element("figcaption", element("strong", picture.title)), image)
