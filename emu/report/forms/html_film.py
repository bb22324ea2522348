"""Films in HTML: a strip of pictures that is moved sideways, with what led to each below it."""

from __future__ import annotations

import base64

from emu.report.document import Film, FilmFrame
from emu.report.forms.html_element import Element, element
from emu.report.forms.html_table import table_element


def image_element(png: bytes, words: str) -> Element:
    """A picture that lies in the page itself, with words for those who do not see it."""
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return element("img", src=address, alt=words)


def film_element(film: Film) -> Element:
    """A film; the strip has the focus of the keyboard, whose arrows move it."""
    frames = (element("li", _frame(frame, number)) for number, frame in enumerate(film.frames, 1))
    return element("ol", *frames, class_="film", tabindex="0", aria_label="The film of the run")


def _frame(frame: FilmFrame, number: int) -> Element:
    figure = element("figure")
    if frame.png:
        figure.append(image_element(frame.png, f"The screen in picture {number}"))
    else:
        figure.append(element("p", "The screen as before.", class_="caveat"))
    titles = (element("strong", title) for title in frame.titles)
    note = element("span", frame.note, class_="caveat")
    figure.append(element("figcaption", *titles, note))
    if frame.findings:
        found = (element("li", text) for text in frame.findings)
        figure.append(element("ul", *found, class_="bad"))
    summary = element("summary", frame.summary)
    figure.append(element("details", summary, table_element(frame.table)))
    return figure
