"""Globals of a port's sources that hold texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.port.match.globals import GlobalPlaces
from emu.port.match.names import PortFile, PortNames
from emu.port.source_functions import FORMS, source_objects

SOURCE = """static unsigned char folder[] = "\\pPreferences";
static char title[] = "A title";
static unsigned char few[] = {0, 0};
extern void Take(void *first, void *second, void *third, void *fourth);
void Use(void) { Take(folder, title, few, "A literal"); }
"""


@pytest.fixture
def source(tmp_path: Path, compilers: Callable[..., None]) -> PortFile:
    compilers("68000")
    path = tmp_path / "texts.c"
    path.write_text(SOURCE)
    return PortFile(path, tuple(source_objects(path, "m68k")))


def test_a_text_that_has_a_name_is_a_global_and_a_literal_is_none(source: PortFile) -> None:
    names = PortNames([source])
    for form in range(len(FORMS["m68k"])):
        contents = source.objects[form].functions.functions[0].contents
        found = [names.variable(source, form, use.address) for use in contents.globals]
        assert {key[1] for key, _ in filter(None, found)} == {"folder", "title", "few"}
        assert len(found) == 3
        assert {"Preferences", "A title", "A literal"} <= set(contents.texts)


def test_a_pascal_string_may_end_without_a_zero(source: PortFile) -> None:
    """THINK C writes none behind it: the next variable lies there."""
    sizes = GlobalPlaces([source], PortNames([source]), {}).sizes(0)
    assert {key[1]: size for key, size in sizes.items()} == {"folder": 12, "title": 8, "few": 2}
