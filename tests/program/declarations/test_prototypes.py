"""Prototypes in C, and the places of routines."""

from __future__ import annotations

import pytest

from emu.base.errors import ProgramError
from emu.program.declarations.c_declarations import DeclarationError, parse_prototype, parse_type
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.places import find_routine, with_routine
from emu.program.model.types import EXTENDED_96, Field, struct_of
from tests.machine.routines import program


def test_the_types_of_c() -> None:
    found = parse_prototype("unsigned long int F(char a, short int b, long long c, double d);")
    signature = found.signature
    assert [str(one.type.dtype) for one in signature.parameters] == ["int8", ">i2", ">i8", ">f8"]
    assert signature.words(found.name) == "F(char a, short b, long long c, double d)"
    assert signature.result_type is not None
    assert str(signature.result_type.dtype) == ">u4"


def test_int_has_the_size_of_its_compiler() -> None:
    for size in (2, 4):
        found = parse_prototype("void F(unsigned int n)", model=DataModel(int_size=size))
        assert found.signature.parameters[0].type.size == size
    assert parse_prototype("void F(void)").signature.parameters == ()
    assert parse_prototype("void F()").signature.result_type is None


def test_pointers_know_what_they_point_to() -> None:
    parsed = parse_prototype("Ptr F(Ptr *source, const Rect *r, void *p, short v[4], Str255 s)")
    pointed = [[one.name for one in p.pointed] for p in parsed.signature.parameters]
    assert pointed == [["char*", "char"], ["Rect"], ["unknown"], ["short int"], ["unsigned char"]]
    assert [one.declaration for one in parsed.signature.parameters][1:] == [
        "const Rect *r",
        "void *p",
        "short *v",
        "Str255 s",
    ]


def test_structs_functions_and_pascal() -> None:
    parsed = parse_prototype("pascal Point F(Rect r, int (*compare)(Ptr, Ptr), ...)")
    rect, compare = parsed.signature.parameters
    assert parsed.is_pascal
    assert parsed.signature.returns_struct
    assert parsed.signature.is_variadic
    assert [field.name for field in rect.type.fields] == ["top", "left", "bottom", "right"]
    assert (rect.type.size, compare.name, compare.type.kind) == (8, "compare", "pointer")


def test_the_programs_own_types_come_first() -> None:
    short = parse_prototype("short F()").signature.result_type
    assert short is not None
    rect = struct_of("Rect", (Field("only", short, 0),), 2)
    (one,) = parse_prototype("void F(Rect r)", {"Rect": rect}.get).signature.parameters
    assert one.type is rect


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("long F(Recr r)", "column 8: there is no type Recr; did you mean Rect?"),
        ("long F(short a", "column 15: , is missing or ) behind a parameter"),
        ("long (short a)", "column 6: the routine's name is missing"),
        ("long F(short a, char a)", "column 22: there are two parameters a"),
        ("long F(short a) b", "column 17: the prototype ends here"),
        ("short long F(int)", "column 7: short long is no type of C"),
        ("long F(void a)", "column 8: a parameter cannot be void"),
        ("long F(int $a)", "column 12: $ has no place in a declaration"),
        ("long F(int a[)", "column 14: ] is missing behind ["),
        ("F(int)", "column 1: there is no type F; it has to be one of C, one of Inside Macintosh"),
        ("long F(, int)", "column 8: a type is missing"),
    ],
)
def test_what_is_no_prototype_is_refused_with_its_column(text: str, message: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        parse_prototype(text)
    assert str(caught.value).startswith(message)


def test_routines_by_their_places() -> None:
    made = program("m68k", {"First": "4e75", "Second": "7001 4e75"}, {}, b"")
    code = next(one for one in made.segments if one.executable)
    offset = made.function("Second") - code.address
    assert find_routine(made, "Second") == made.function("Second")
    assert find_routine(made, f"{code.name}+{offset}") == made.function("Second")
    place = f"{code.name} + 0x{offset:x}"
    signature = parse_prototype("short F()").signature
    named = with_routine(made, place, place, signature, "think-c-16")
    assert named.function(place) == made.function("Second")
    found = named.signature(place)
    assert found is not None
    assert (found.result, named.convention) == ("short", "think-c-16")
    assert place not in made.functions


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("CODE 9+2", "it has no code CODE 9. It has"),
        ("{code}+3", "is odd, and no routine begins there"),
        ("{code}+0x100000", "is beyond the"),
    ],
)
def test_places_without_code_are_refused(place: str, message: str) -> None:
    made = program("m68k", {"First": "4e75"}, {}, b"")
    code = next(one for one in made.segments if one.executable)
    with pytest.raises(ProgramError, match=message):
        find_routine(made, place.format(code=code.name))


@pytest.mark.parametrize(
    ("written", "size"), [("extended", 10), ("extended80", 10), ("extended96", 12)]
)
def test_the_extended_numbers_of_the_macintosh(written: str, size: int):
    found = parse_type(written)
    assert (found.kind, found.size) == ("float", size)
    assert parse_type(f"{written}[3]").size == 3 * size


def test_a_long_double_is_what_the_compiler_has():
    assert parse_type("long double", model=DataModel(long_double=EXTENDED_96)).size == 12
    with pytest.raises(
        DeclarationError, match=r"extended80 \(10 bytes\) or extended96 \(12 bytes\)"
    ):
        parse_type("long double")
