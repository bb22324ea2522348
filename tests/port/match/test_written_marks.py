"""Marks in old sources, of which all other bytes stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.port.match.answer import CERTAIN, UNCERTAIN, Proposal
from emu.port.match.written_marks import write_marks
from emu.port.model import FUNCTION, GLOBAL
from emu.port.project.marks import read_marks

SOURCE = """#define TWO 2
short gFirst, gSecond = 3;
static char gText[TWO] = {1, 2}; /* caf\u00e9 */
#define MANY(x) \\
    (x); (x)
short
Foo(short n)
{
    static short count, more;
    return n + count + more;
}
void Bar(void) {} void Baz(void) {}
"""


def proposal(kind: str, name: str, line: int, place: str, certainty: str = CERTAIN) -> Proposal:
    return Proposal(kind, name, "foo.c", line, place, certainty)


PROPOSALS = [
    proposal(GLOBAL, "gFirst", 2, "A5-0x10"),
    proposal(GLOBAL, "gSecond", 2, "A5-0xe"),
    proposal(GLOBAL, "gText", 3, "A5-0xc"),
    proposal(FUNCTION, "Foo", 7, "CODE 1+0x10"),
    proposal(GLOBAL, "Foo::count", 9, "A5-0x8"),
    proposal(FUNCTION, "Bar", 12, "CODE 1+0x20"),
    proposal(FUNCTION, "Baz", 12, "CODE 1+0x24", UNCERTAIN),
    proposal(GLOBAL, "Foo::more", 9, ""),
]
EXPECTED = {
    1: ["// GLOBAL: A5-0x10 gFirst", "// GLOBAL: A5-0xe gSecond"],
    2: ["// GLOBAL: A5-0xc"],
    5: ["// FUNCTION: CODE 1+0x10"],
    8: ["    // GLOBAL: A5-0x8 Foo::count"],
    11: ["// FUNCTION: CODE 1+0x20 Bar"],
}


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["mac_roman", "utf-8"])
def test_line_ends_and_encoding_are_kept(tmp_path: Path, ending: str, encoding: str) -> None:
    path = tmp_path / "foo.c"
    content = SOURCE.replace("\n", ending).encode(encoding)
    path.write_bytes(content)
    written = write_marks(PROPOSALS, (CERTAIN,), {"foo.c": path})
    assert written.files == (path,)
    assert not written.left_out
    lines = []
    for number, line in enumerate(SOURCE.splitlines()):
        lines += [*EXPECTED.get(number, ()), line]
    assert path.read_bytes() == (ending.join([*lines, ""])).encode(encoding)
    assert [mark.place for mark in read_marks([path])] == [
        one.place for one in PROPOSALS if one.place and one.certainty == CERTAIN
    ]


def test_all_of_them(tmp_path: Path) -> None:
    path = tmp_path / "foo.c"
    path.write_text(SOURCE)
    write_marks(PROPOSALS, (CERTAIN, UNCERTAIN), {"foo.c": path})
    assert "// FUNCTION: CODE 1+0x24 Baz\n" in path.read_text()


def test_a_file_that_is_not_the_ports_is_left(tmp_path: Path) -> None:
    one = Proposal(GLOBAL, "gFar", "elsewhere.h", 3, "A5-0x10", CERTAIN)
    written = write_marks([one], (CERTAIN,), {})
    assert not written.files
    assert "gFar is defined in elsewhere.h" in written.left_out[0]


def test_nothing_is_written_if_a_file_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "foo.c"
    path.write_text(SOURCE)
    other = Proposal(GLOBAL, "gFar", "gone.c", 3, "A5-0x10", CERTAIN)
    files = {"foo.c": path, "gone.c": tmp_path / "gone.c"}
    with pytest.raises(CaseError):
        write_marks([*PROPOSALS, other], (CERTAIN,), files)
    assert path.read_text() == SOURCE
