"""Prototypes as ``macproof new`` reads them, and what it says to the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emu.base.errors import InputError, UsageError
from emu.cases.skeletons.prototype import read_prototype


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("short Neg(short a, short b)", "short Neg(short a, short b)"),
        (
            " int  F ( unsigned,long unsigned , short int c ) ; ",
            "int F(unsigned int a, unsigned long b, short c)",
        ),
        ("void Fill(char *to, int n)", "void Fill(char *to, int n)"),
        ("long Sum(short const values[], short n)", "long Sum(const short *values, short n)"),
        ("float F(const double* x, Byte n)", "float F(const double *x, Byte n)"),
        ("Boolean F(signed)", "Boolean F(int a)"),
    ],
)
def test_a_prototype_is_read(text: str, meaning: str):
    assert str(read_prototype(text)) == meaning


@pytest.mark.parametrize(
    ("written", "words", "dtype"),
    [
        ("char", "char", "int8"),
        ("unsigned char", "unsigned char", "uint8"),
        ("signed short int", "short", "int16"),
        ("int long", "long", "int32"),
        ("unsigned", "unsigned int", "uint32"),
        ("long unsigned int long", "unsigned long long", "uint64"),
        ("double", "double", "float64"),
        ("OSErr", "OSErr", "int16"),
    ],
)
def test_the_numbers_of_a_type(written: str, words: str, dtype: str):
    (parameter,) = read_prototype(f"long F({written} x)").parameters
    assert (parameter.type.dtype, parameter.type.words) == (dtype, words)
    assert parameter.type.is_of_the_macintosh == (written == "OSErr")


def test_a_pointer_has_the_next_whole_number_as_its_length():
    prototype = read_prototype("short F(const float *x, double d, Boolean b, Byte *y, long n)")
    assert [one.length for one in prototype.parameters] == ["n", "", "", "n", ""]
    assert [one.is_constant for one in prototype.parameters] == [True, False, False, False, False]
    assert prototype.lengths == {"n"}


@pytest.mark.parametrize(
    ("written", "words", "text", "most", "is_constant"),
    [
        ("const char *s", "const char *s", "c", 255, True),
        ("char s[]", "char *s", "c", 255, False),
        ("Str255 s", "Str255 s", "pascal", 255, False),
        ("const Str31 s", "const Str31 s", "pascal", 31, True),
        ("StringPtr s", "StringPtr s", "pascal", 255, False),
        ("ConstStr255Param s", "ConstStr255Param s", "pascal", 255, True),
    ],
)
def test_characters_that_nobody_counts_are_a_text(
    written: str, words: str, text: str, most: int, is_constant: bool
):
    (one,) = read_prototype(f"long F({written})").parameters
    assert (str(one), one.text, one.most, one.is_constant) == (words, text, most, is_constant)
    assert one.type.is_of_the_macintosh == (text == "pascal")


def test_characters_that_are_counted_are_a_buffer():
    one, text, _ = read_prototype("long F(const char *s, Str255 t, short n)").parameters
    assert (one.text, one.length, text.length) == ("", "n", "")


@pytest.mark.parametrize(
    ("text", "meaning", "headers"),
    [
        ("pascal short F(short a)", "pascal short F(short a)", ["Types.h"]),
        ("Point F(Rect r, UInt16)", "Point F(Rect r, UInt16 b)", ["Types.h"]),
        ("short F(short a[4][4], short n)", "short F(short (*a)[4], short n)", []),
        ("void F(void)", "void F(void)", []),
        ("void F(DateTimeRec *d)", "void F(DateTimeRec *d)", ["OSUtils.h"]),
        # A header that declares a routine of this name would declare it otherwise.
        ("void SecondsToDate(DateTimeRec *d)",) * 2 + (["records/OSUtils.h"],),
        ("short F(Handle, Byte **)", "short F(Handle a, Byte **b)", ["Memory.h", "Types.h"]),
        ("struct S { short x[3]; }; void F(struct S *s)", "void F(struct S *s)", []),
        ("int F(int (*a)(Ptr, short), int b)",) * 2 + (["Types.h"],),
    ],
)
def test_what_mac_prototypes_are_made_of(text: str, meaning: str, headers: list[str]):
    found = read_prototype(text)
    assert (str(found), found.headers) == (meaning, headers)


def test_structs_are_their_numbers():
    (node,) = read_prototype(
        "typedef struct Node { struct Node *next; Rect box; char name[2][3]; } Node;"
        "short F(const Node *node)"
    ).parameters
    assert [(one.path, one.type.dtype, one.shape) for one in node.parts] == [
        *((f"box.{side}", "int16", ()) for side in ("top", "left", "bottom", "right")),
        ("name", "int8", (2, 3)),
    ]
    pointers = (("next", "Node"),)
    assert (node.nulls, node.pointers, node.is_constant, node.length) == (pointers, 1, True, "")


def test_who_says_how_many_there_are():
    found = read_prototype("short F(Rect *one, Point *some, short n, Handle h, Ptr p, short **q)")
    assert [one.length for one in found.parameters] == ["", "n", "", "", "", ""]
    assert [one.is_memory for one in found.parameters] == [False, False, False, True, True, True]
    assert [one.is_handle for one in found.parameters] == [False, False, False, True, False, False]
    number, handles = read_prototype("short F(short m, Handle *list)").parameters
    assert (number.is_one, handles.pointers) == (False, 3)
    assert read_prototype("short F(Handle *list, short n)").parameters[1].is_one


def test_a_function_that_gets_or_gives_nothing_has_a_global():
    for text in ("short F(void)", "void F(const short *a, short n)", "void F(short gState)"):
        (state,) = read_prototype(text).globals
        assert state.name == ("gState_" if "gState" in text else "gState")
    assert read_prototype("void F(short *a)").globals == ()


def test_a_header_declares_structs_and_functions(tmp_path: Path):
    (tmp_path / "sizes.h").write_bytes(b"#define kBox 4\r")
    header = tmp_path / "box.h"
    header.write_bytes(
        b'#include "sizes.h"\r#include <Types.h>\r'
        b"typedef struct { char bytes[kBox]; Point at; } Box;\r"
        b"void Fill(Box *box);\rvoid Wrong(Bux box);\r"
    )
    (box,) = read_prototype("Fill", header).parameters
    assert box.parts[0].shape == (4,)
    assert read_prototype("short Two(Box *a, Box b)", header).header == header
    for text, problem in (
        ("Fil", "box.h: it declares no function Fil; did you mean Fill?"),
        ("Wrong", "box.h: line 5, column 12: there is no type Bux; did you mean Box?"),
    ):
        with pytest.raises(InputError, match=re.escape(problem)):
            read_prototype(text, header)
    header.write_text("struct A {")
    with pytest.raises(InputError, match=r"box\.h: column 10: } is missing"):
        read_prototype("Fill", header)


@pytest.mark.parametrize(
    "text",
    ["short F(short *a)", "void F(short n, short *a)", "short F(short *a, double n, Boolean b)"],
)
def test_a_pointer_without_a_length_is_one_to_a_single_number(text: str):
    prototype = read_prototype(text)
    assert {one.length for one in prototype.parameters} == {""}
    assert prototype.lengths == set()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "column 1: a type is missing"),
        ("Neg(short a)", "column 1: there is no type Neg"),
        ("short (*F)(short a)", "column 7: the routine's name is missing"),
        ("short Caf\u00e9(short a)", "column 10"),
        ("short for(short a)", "for is a reserved word"),
        ("short F(short if)", "if is a reserved word"),
        ("short F(short null)", "null is a reserved word"),
        ("short F(short a, short a)", "there are two parameters a"),
        ("short F(short, short a)", "the name a is used twice"),
        ("short F(short F)", "the name F is used twice"),
        ("extended F(short a)", "no scene can be made with values of the type extended"),
        ("short F(long double a)", "no scene can be made with values of the type long double"),
        ("short F(signed unsigned a)", "signed unsigned is no type of C"),
        ("short *F(short a)", "values of the type short *"),
        ("short F(short ****a)", "short ****a leads to memory by too many pointers"),
        ("short F(ProcPtr p)", "a ProcPtr does not say how the function is called"),
        (
            "short F(void (*visit)(Rect), short n)",
            "visit gets a struct, and no such call is written",
        ),
        ("short F(union { long a; short b; } u)", "no scene can be made with values of the type"),
        ("short F(struct { extended x; } *p)", "no scene can be made with values of the type"),
        ("Ptr F(short a)", "values of the type Ptr"),
        ("short F(short a, ...)", "a new case cannot have ... or over 26 parameters"),
        ("short F(short a,)", "a type is missing"),
        (f"short F({', '.join(['short'] * 27)})", "or over 26 parameters"),
    ],
)
def test_another_is_refused_with_what_there_is(text: str, problem: str):
    with pytest.raises(UsageError, match=re.escape(problem)) as refused:
        read_prototype(text)
    assert "whole numbers (char to long long" in str(refused.value)
