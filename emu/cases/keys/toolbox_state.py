"""The key ``toolbox`` under ``observe``: which parts of the Toolbox's state are compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from emu.cases.keys.arguments import Phrase
from emu.cases.keys.parts import ObservedVariable

TOOLBOX = "toolbox"
"""The name under ``observe`` of the Toolbox's state."""

MEMBERS: Mapping[str, tuple[str, ...]] = {
    "heap": ("blocks", "locked"),
    "port": (
        "current",
        "rectangle",
        "visible",
        "clip",
        "patterns",
        "pen",
        "text",
        "colors",
        "recording",
    ),
    "random": (),
    "pixels": ("changed", "digest"),
    "cursor": ("level", "image", "obscured"),
}
"""Its parts, and the members of each; one without members is a number itself."""


PARTS_WORDS = "the parts of the Toolbox's state are heap, port, random, pixels and cursor"


def paths_of(part: str) -> tuple[str, ...]:
    """The paths to the numbers of a part: "heap.blocks", "heap.locked"."""
    return tuple(f"{part}.{name}" for name in MEMBERS[part]) or (part,)


def members_of_place(place: str) -> tuple[str, ...]:
    """The paths that a place such as "toolbox.heap" stands for; empty if there is no such place."""
    if place == TOOLBOX:
        return tuple(path for part in MEMBERS for path in paths_of(part))
    path = place.partition(".")[2]
    part = path.partition(".")[0]
    paths = paths_of(part) if part in MEMBERS else ()
    return paths if path == part else tuple(member for member in paths if member == path)


def observed_state(written: Any) -> list[ObservedVariable]:
    """What a reference in Python says of the Toolbox's state.

    Args:
        written: what stands under ``toolbox`` in ``observe``; None if nothing does. A part that
            must not change needs no attribute of the answer.
    """
    if not isinstance(written, Mapping):
        return []
    return [
        ObservedVariable(TOOLBOX, path, Phrase(attribute))
        for path, attribute in written.items()
        if attribute is not None
    ]


def environment_of(written: Mapping[str, Any]) -> dict[str, int | str]:
    """The numbers that ``environment`` fixes, each under a name of its own."""
    fixed = {name: value for name, value in written.items() if name != "screen"}
    if "screen" in written:
        fixed["screen_width"], fixed["screen_height"] = written["screen"]
    return fixed


def compared_parts(written: Any, ignored: Collection[str], *, is_all: bool) -> tuple[str, ...]:
    """The parts of the Toolbox's state that are compared.

    Args:
        written: what stands under ``observe``, which has been checked against the schema.
        ignored: what stands under ``ignore``: "toolbox", "toolbox.port".
        is_all: whether all parts but the ignored ones are compared, as with another program as the
            reference: how that leaves the Toolbox is part of its answer.
    """
    named = parts_of(written)
    return tuple(part for part in MEMBERS if part in named or (is_all and not is_in(part, ignored)))


def is_in(part: str, ignored: Collection[str]) -> bool:
    """Whether a part is ignored: by its own name, "toolbox.port", or with all by "toolbox"."""
    return TOOLBOX in ignored or f"{TOOLBOX}.{part}" in ignored


def parts_of(written: Any) -> tuple[str, ...]:
    """The parts of the Toolbox's state that ``observe`` names.

    Args:
        written: what stands under ``observe``, which has been checked against the schema.
    """
    if isinstance(written, list):
        places = [place for place in written if place.split(".")[0] == TOOLBOX]
        names = [path for place in places for path in members_of_place(place)]
    else:
        names = list(written.get(TOOLBOX, ()))
    return tuple(dict.fromkeys(name.partition(".")[0] for name in names))
