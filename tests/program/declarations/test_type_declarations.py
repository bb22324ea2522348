"""Structs that a case declares in C: their layout, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from emu.program import read_program
from emu.program.declarations.c_declarations import DeclarationError, parse_prototype, parse_types
from emu.program.declarations.known_types import DataModel

TEXT = """
typedef unsigned char Name[32];        // a name of a Macintosh file
struct Entry { char tag; long key; Name name; struct Entry *next, **owner; };
typedef struct Shape { Rect bounds; short corners[2][3]; double weight; char last; } Shape;
typedef union { long whole; char bytes[6]; } Mixed;
#define kRows 2
enum { kFirst = 3, kColumns };
typedef struct Nested {
    char first;
    union { long whole; char bytes[kRows * kColumns + 1]; } parts;
    struct { char x; short y; } inside[kFirst];
    void (*handler)(struct Nested *, short);
    union { double large; char small; };
    struct Nested **list[kRows][kColumns];
} Nested, *NestedPtr;
typedef struct { Shape shape; Mixed mixed; NestedPtr n; struct Entry *first; char odd; } Whole;
"""
COMPILED = """
typedef struct { short top, left, bottom, right; } Rect;
%s
struct Entry gEntry; Shape gShape; Mixed gMixed; Nested gNested; Whole gWhole;
void Run(void) {}
"""


@pytest.mark.parametrize(
    ("compiler", "alignment"), [("m68k-linux-gnu-gcc", 2), ("powerpc-linux-gnu-gcc", 8)]
)
def test_members_lie_where_a_compiler_puts_them(
    tmp_path: Path, compiler: str, alignment: int
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "types.c").write_text(COMPILED % TEXT)
    words = [compiler, "-g", "-ffreestanding", "-nostdlib", "-static", "-Wl,-e,Run"]
    command = [*words, "-o", "types.elf", "types.c"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    program = read_program(tmp_path / "types.elf")
    found = parse_types(TEXT, model=DataModel(alignment=alignment))
    for name in ("Entry", "Shape", "Mixed", "Nested", "Whole"):
        made = program.variable(f"g{name}").type
        assert [(one.name, one.offset, one.type.size) for one in found[name].fields] == [
            (one.name, one.offset, one.type.size) for one in made.fields
        ], name
        assert found[name].size == made.size, name


def test_a_pragma_asks_for_even_addresses() -> None:
    text = "struct A { char a; long b; };"
    aligned = (
        f"#pragma options align=mac68k\n{text}\n#pragma options align=reset\nstruct B {{ A a; }};"
    )
    assert parse_types(text)["A"].size == 8
    assert {name: one.size for name, one in parse_types(aligned).items()} == {"A": 6, "B": 6}


def test_prototypes_have_these_types_and_pointers_by_name() -> None:
    known = parse_types(
        "typedef struct Entry Entry; typedef Entry *EntryPtr; struct Entry { short key; };"
    )
    found = parse_prototype("short Key(EntryPtr entry, struct Entry *other)", known.get)
    one, other = found.signature.parameters
    assert [kind.name for kind in one.pointed] == [kind.name for kind in other.pointed] == ["Entry"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("struct A { shirt a; };", "there is no type shirt; did you mean short"),
        ("struct A { long b : 3; };", "'long b : 3' in A is a bit-field"),
        ("struct A { void f(int); };", "is no member that macproof understands"),
        ("struct A { long b[n]; };", "no member|no number of elements"),
        ("struct A { long b; char b; };", "A has two members b"),
        ("struct A { };", "A has no members"),
        ("struct A { char a[2000000]; };", "A has 2,000,000 bytes"),
        ("struct { char a; } x;", "declares no type with a name"),
        ("struct A { char a; }; struct A { long a; };", "A is declared twice"),
        ("int x;", "'int x;' is no declaration of a struct, a union or a typedef"),
        ("struct A { char a;", "is no declaration of a struct"),
        ("typedef long Ten[ten];", "is no number of elements"),
        ("long (*Function)(long);", "is no declaration"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        parse_types(text)
