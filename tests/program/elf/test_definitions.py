"""What a compiled source defines, by its debugging information."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.port.source_functions import source_objects

SOURCE = (
    "extern short gSecond;\n"
    "static const short kTable[2] = {1, 2};\n"
    "long gFirst;\n"
    "short gSecond = 5;\n"
    "static char gText[10];\n"
    "short Foo(short n)\n"
    "{\n"
    "    static short count = 3;\n"
    "    gText[n] = 1;\n"
    "    return count += gSecond + kTable[n & 1] + (short) gFirst;\n"
    "}\n"
)


@pytest.mark.parametrize("architecture", ["m68k", "powerpc"])
def test_definitions_of_a_source(
    tmp_path: Path, architecture: str, compilers: Callable[..., None]
) -> None:
    compilers("68000", "601")
    path = tmp_path / "foo.c"
    path.write_text(SOURCE)
    for one in source_objects(path, architecture):
        found = {d.name: d for d in one.definitions}
        assert {name: (d.file, d.line, d.size) for name, d in found.items() if name != "Foo"} == {
            "gSecond": ("foo.c", 4, 2),
            "gFirst": ("foo.c", 3, 4),
            "gText": ("foo.c", 5, 10),
            "kTable": ("foo.c", 2, 4),
            "Foo::count": ("foo.c", 8, 2),
        }
        assert [name for name in found if name != "Foo"] == [
            *("gSecond", "kTable", "gFirst", "gText", "Foo::count")
        ]
        assert (found["Foo"].line, found["Foo"].is_function) == (6, True)
        assert {name for name, d in found.items() if d.is_constant} == {"kTable"}
        assert not found["gFirst"].is_initialised
        assert found["Foo::count"].is_initialised
        assert found["Foo::count"].symbol.startswith("count")
        assert found["Foo"].address in one.functions.by_address
