"""What sources and headers declare in C: read back, headers, macros, and what is hostile."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emu.program.declarations.c_declarations import (
    CDeclarations,
    parse_prototype,
    parse_type,
    parse_types,
    spelling,
)
from emu.program.declarations.known_types import DataModel
from emu.program.declarations.tokens import DeclarationError, SourceText
from emu.program.model.types import GuestType
from emu.toolchain.sources import mac_sources

SIZES = {
    "char": 1,
    "unsigned char": 1,
    "short": 2,
    "unsigned short": 2,
    "long": 4,
    "unsigned long": 4,
    "int": 4,
    "double": 8,
    "Boolean": 1,
    "OSErr": 2,
    "Fixed": 4,
}
NAMES = [f"{letter}{number}" for letter in "abcxyz" for number in range(3)]


@st.composite
def members(draw: st.DrawFn) -> list[tuple[str, str, int, int]]:
    """Members of a struct: the type, what stands around the name, the size, and its alignment."""
    found = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True)):
        kind = draw(st.sampled_from(sorted(SIZES)))
        stars = draw(st.integers(0, 2))
        lengths = draw(st.lists(st.integers(1, 5), max_size=2))
        size = unit = 4 if stars else SIZES[kind]
        for length in lengths:
            size *= length
        written = f"{'*' * stars}{name}{''.join(f'[{n}]' for n in lengths)}"
        found.append((kind, written, size, unit))
    return found


@given(members(), st.sampled_from([2, 8]), st.booleans())
def test_structs_are_read_back(
    written: list[tuple[str, str, int, int]], alignment: int, is_typedef: bool
) -> None:
    inside = " ".join(f"{kind} {words};" for kind, words, _, _ in written)
    text = f"typedef struct {{ {inside} }} S;" if is_typedef else f"struct S {{ {inside} }};"
    found = parse_types(text, model=DataModel(alignment=alignment))["S"]
    end, largest = 0, 1
    for field, (_, words, size, unit) in zip(found.fields, written, strict=True):
        unit = min(unit, alignment)
        end, largest = -(-end // unit) * unit, max(largest, unit)
        assert (field.name, field.offset, field.type.size) == (
            words.strip("*").partition("[")[0],
            end,
            size,
        )
        end += size
    assert found.size == -(-end // largest) * largest


@given(
    st.sampled_from([*sorted(SIZES), "void", "Ptr", "Rect", "Handle"]),
    st.lists(
        st.tuples(
            st.sampled_from([*sorted(SIZES), "Rect", "Ptr", "Str255", "const Point"]),
            st.sampled_from(["", "*", "**", "&"]),
        ),
        max_size=6,
    ),
    st.booleans(),
)
def test_prototypes_are_read_back(
    result: str, parameters: list[tuple[str, str]], is_pascal: bool
) -> None:
    inside = ", ".join(f"{kind} {mark}p{n}" for n, (kind, mark) in enumerate(parameters)) or "void"
    found = parse_prototype(f"{'pascal ' * is_pascal}{result} Do({inside});")
    expected = f"{result} Do({inside if parameters else ''})"
    assert found.signature.declaration(found.name) == expected
    assert found.is_pascal == is_pascal


C_WORDS = ["struct", "{", "}", ";", "short", "x", "*", "(", ")", "[", "]", "4", ",", "typedef", "&"]
C_WORDS += ["enum", "=", "#define x 3\n", "#if x\n", "#endif\n", "/*", "*/", '"C"', "extern", "..."]


@given(st.lists(st.sampled_from(C_WORDS), max_size=40).map(" ".join))
@example("typedef struct { x")
@example('extern "C" { short x ( ) ; } }')
def test_words_in_any_order_are_read_or_refused(text: str) -> None:
    for read in (parse_prototype, parse_type, parse_types, spelling, header):
        try:
            read(text)
        except DeclarationError as error:
            assert "column " in str(error)


def header(text: str) -> None:
    """Read a header; what is wrong in it is left out."""
    for problem in CDeclarations().read_header(SourceText(text, "own.h")):
        assert str(problem).startswith("own.h, line ")


def test_structs_in_structs_and_pointers_with_names() -> None:
    found = parse_types(
        """
        #define kLength (4 * sizeof(long) - 1)
        enum { kFirst = 3, kSecond };
        typedef struct Node *NodePtr;
        typedef struct Node { NodePtr next; struct { short v, h; } at; } Node;
        typedef struct {
            char name[kLength + kSecond];       /* 19 */
            union { long whole; unsigned char bytes[1 << 2]; } parts;
            union { short first; char second; };
            short (*compare)(NodePtr, NodePtr);
        } Table, *TablePtr, **TableHandle;
        """,
        model=DataModel(alignment=2),
    )
    table = found["Table"]
    assert [(one.name, one.offset, one.type.size) for one in table.fields] == [
        *(("name", 0, 19), ("parts", 20, 4), ("member_2", 24, 2), ("compare", 26, 4))
    ]
    assert (found["TableHandle"].name, found["TablePtr"].target) == ("Table**", "Table")
    assert [one.name for one in found["Node"].fields[1].type.fields] == ["v", "h"]
    declared = CDeclarations(found.get)
    (table_parameter, node) = declared.prototype(
        "void F(TableHandle t, NodePtr n)"
    ).signature.parameters
    assert [one.name for one in table_parameter.pointed] == ["Table*", "Table"]
    assert [one.name for one in node.pointed] == ["Node"]


def test_types_may_stand_before_a_prototype() -> None:
    found = parse_prototype(
        "#define N 3\nstruct RC4State { unsigned char S[N]; };\n"
        "void Init(struct RC4State *s, short cells[][N], Rect &r)"
    )
    state, cells, rect = found.signature.parameters
    assert (state.pointed[0].size, rect.pointed[0].size) == (3, 8)
    assert cells.declaration == "short (*cells)[3]"
    assert cells.pointed[0].shape == (3,)


def test_pascal_belongs_to_the_function_that_it_stands_beside() -> None:
    for text, expected in (
        ("pascal short F(short (*f)(short))", (True, False)),
        ("short F(pascal short (*f)(short))", (False, True)),
        ("short pascal F(short pascal (*f)(short))", (True, True)),
        ('extern "C" short F(short *(*f)(short));', (False, False)),
    ):
        signature = parse_prototype(text).signature
        function = signature.parameters[0].function
        assert function is not None
        assert (signature.is_pascal, function.is_pascal) == expected


def test_a_header() -> None:
    other = SourceText("#ifndef O\n#define O\n#define kSize 4\ntypedef short Cells[kSize];\n#endif")
    found = CDeclarations(find_file={"other.h": other}.get)
    left_out = found.read_header(
        SourceText(
            """
            #pragma once
            #include <other.h>
            #include "other.h"
            #ifdef __cplusplus
            extern "C" {
            #endif
            #if defined(kSize) && kSize >= 4 && !defined(kOther)
            extern short gCells[2] = {1, 2}, gCount;
            pascal OSErr Open(ConstStr255Param name, Cells *cells) = 0xA000;
            EXTERN_API( OSErr ) Close(short refNum) ONEWORDINLINE(0xA9FF);
            static inline long Twice(long n) { if (n) { return 2 * n; } return 0; }
            #else
            broken broken
            #endif
            class List { public: void Add(long n); };
            unsigned short Sum(const Cells cells, short (*visit)(short, void *));
            #ifdef __cplusplus
            }
            #endif
            """,
            "own.h",
        )
    )
    assert sorted(found.prototypes) == ["Close", "Open", "Sum", "Twice"]
    assert [found.prototypes[name].is_pascal for name in ("Close", "Open", "Sum")] == [1, 1, 0]
    assert [one.name for one in found.prototypes["Sum"].signature.parameters] == ["cells", "visit"]
    assert [str(one).partition(";")[0] for one in left_out] == [
        "own.h, line 16, column 26: there is no type public"
    ]


def test_the_headers_of_the_kit_are_read() -> None:
    """As the compilers lay them out: records of the Toolbox have even addresses everywhere."""
    folder = mac_sources() / "compat"

    def find(name: str) -> SourceText | None:
        path = folder / name
        return SourceText(path.read_text(), name) if path.is_file() else None

    found = CDeclarations(find_file=find)
    for path in sorted(folder.glob("*.h")):
        if path.name != "iostream.h":
            assert found.read_header(SourceText(path.read_text(), path.name)) == [], path
    sizes = {name: found.types[name].size for name in ("EventRecord", "WindowRecord", "TERec")}
    assert sizes == {"EventRecord": 16, "WindowRecord": 156, "TERec": 98}
    assert len(found.prototypes) > 900


def size_of(text: str) -> int:
    found: GuestType = parse_types(f"typedef char T[{text}];")["T"]
    return found.size


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-7 / 2 + 10", 7),
        ("-7 % 4 + 10", 7),
        ("1 << 4 | 0x0F", 31),
        ("010", 8),
        ("sizeof(Rect) + sizeof(short *)", 12),
        ("'A'", 65),
        ("3 > 2 && !(2 > 3)", 1),
        ("~0 + 5", 4),
        ("7L", 7),
    ],
)
def test_numbers_of_elements(text: str, number: int) -> None:
    assert size_of(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("typedef char T[1 / 0];", "column 18: it is divided by 0"),
        ("typedef char T[09];", "09 is no number"),
        ("typedef char T[(2];", "column 18: a \\) is missing"),
        ("typedef char T[3 - 3];", "column 16: 0 is no number of elements"),
        ("typedef enum { kOne } Kind; struct A { Kind kind; };", "how large an enum is depends"),
        ("struct B; struct A { struct B b; };", "B is declared without its members"),
        ("struct __attribute__((packed)) A { char a; };", "packed changes where members lie"),
        ("#pragma pack(3)\nstruct A { char a; };", "line 1, column 1: #pragma pack . 3 . may"),
        ("#pragma options align=power68\n", "may change where members lie"),
        ("#if 1\nstruct A { char a; };", "#endif is missing"),
        ("#endif\n", "#endif stands without #if"),
        ("#if\n#endif", "#if names nothing"),
        ("#error no\n", "an #error is met"),
        ("struct A {\n    short a\n};", r"line 3, column 1: , is missing or ; behind a \(\};\)"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        parse_types(text)


def test_pragmas_nest() -> None:
    text = (
        "#pragma pack(push, 2)\n%s A { %s };\n#pragma pack(pop)\n%s B { %s };\n"
        "#pragma pack(1)\n%s C { %s };"
    )
    found = parse_types(text % (("struct", "char a; long b;") * 3))
    assert [found[name].size for name in "ABC"] == [6, 8, 5]


DOUBLING = "".join(f"#define A{n} A{n + 1} A{n + 1}\n" for n in range(64))
NESTED = "".join(f"struct A{n + 1} {{ struct A{n} a, b; }};" for n in range(30))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("typedef char x[" + "(" * 20_000 + "1", "nested too deeply"),
        ("typedef char x[" + "-" * 20_000 + "1];", "nested too deeply"),
        ("typedef long " + "*" * 20_000 + "a;", "nested too deeply"),
        ("typedef long a" + "[1]" * 100 + ";", "nested too deeply"),
        ("struct A { " * 5_000, "} is missing"),
        ("struct A { struct { " * 50 + "} a; };" * 100, "nested too deeply"),
        ("typedef void (*f)(" + "void (*a)(" * 1_000 + ")" * 1_001 + ";", "nested too deeply"),
        (f"{DOUBLING}typedef char x[A0];", "over 200,000 words"),
        ("#define A A\ntypedef char x[A];", "A is no number of elements"),
        ("typedef char x[1 << 99999999999];", "is no number of elements"),
        ("typedef char a[1000000000]; typedef a b[1000000000];", "1,000,000,000,000,000,000 bytes"),
        (f"struct A0 {{ char a; }}; {NESTED}", "A21 has 2,097,152 bytes"),
        ("x" * 2_000_000, "over 1,048,576 characters"),
        ('#include "itself"', "it includes itself"),
    ],
)
def test_hostile_declarations_are_refused(text: str, message: str) -> None:
    itself = SourceText('#include "itself"', "itself")
    with pytest.raises(DeclarationError, match=message):
        CDeclarations(find_file=lambda name: itself).read_types(text)


def test_another_reader_of_c_gets_what_it_understands() -> None:
    text = "#define N 4\ntypedef struct { short key[N]; } Item; // one\npascal void F(Item *i);"
    expected = "typedef struct { short key [ 4 ] ; } Item ; void F ( Item * i ) ;"
    assert spelling(text).split() == expected.split()
    text = "struct A { short a, (*f)(int, int); enum { B, C }; union { struct { int d; }; }; } e;"
    assert "} ; union { struct { int d ; } member_0 ; } member_2 ; } e ;" in spelling(text)


def test_a_message_names_file_line_and_column() -> None:
    (problem,) = CDeclarations().read_header(SourceText("short a;\n  Recr F(short);\r\n", "own.h"))
    assert str(problem) == (
        "own.h, line 2, column 3: there is no type Recr; did you mean Rect? (Recr F(short);)"
    )


@pytest.mark.parametrize(("cast", "shape"), [("(long) 3", 3), ("(unsigned char)(1 + 4)", 5)])
def test_a_constant_may_be_cast(cast: str, shape: int) -> None:
    found = CDeclarations()
    found.read_header(
        SourceText(f"enum {{ kRows = {cast} }};\ntypedef short Row[kRows];", "rows.h")
    )
    assert found.types["Row"].shape == (shape,)
