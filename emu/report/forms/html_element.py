"""HTML as elements, so that no text in it can ever be taken for markup."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

from emu.base.printable import printable

__all__ = ["Content", "Element", "add", "element", "html_text"]

Content: TypeAlias = str | Element
"""What an element holds: text, or another element."""


def element(tag: str, *contents: Content, **attributes: str) -> Element:
    """An element with what it holds.

    Args:
        tag: such as "p".
        contents: text and elements, in their order.
        attributes: by name; ``class_`` stands for class, ``aria_label`` for aria-label.
    """
    names = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    new = Element(tag, {name: printable(value) for name, value in names.items()})
    return add(new, contents)


def add(parent: Element, contents: Iterable[Content]) -> Element:
    """Put contents behind what an element holds already; the element again."""
    for content in contents:
        if isinstance(content, Element):
            parent.append(content)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + printable(content)
        else:
            parent.text = (parent.text or "") + printable(content)
    return parent


def html_text(root: Element) -> str:
    """An element as the text of an HTML file."""
    return "<!DOCTYPE html>\n" + tostring(root, encoding="unicode", method="html") + "\n"
