"""Prototypes as ``macproof new`` reads them, and what it says to the others."""

from __future__ import annotations

import re

import pytest

from emu.base.errors import UsageError
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
        ("short F(Rect r)", "values of the type Rect"),
        ("short F(Rect *r, short n)", "values of the type Rect"),
        ("short F(UInt16 a)", "values of the type UInt16"),
        ("extended F(short a)", "no scene can be made with values of the type extended"),
        ("short F(long double a)", "no scene can be made with values of the type long double"),
        ("short F(signed unsigned a)", "signed unsigned is no type of C"),
        ("pascal short F(short a)", "a new case cannot have pascal, ..., or over 26 parameters"),
        ("short *F(short a)", "values of the type short *"),
        ("short F(short **a, short n)", "short **a is a pointer to a pointer"),
        ("short F(short a[4][4], short n)", "is a pointer to a pointer"),
        ("short F(short a, ...)", "a new case cannot have pascal, ..., or over 26 parameters"),
        ("short F(short a,)", "a type is missing"),
        ("short F(void)", "it has no parameters"),
        ("void F(const short *a, short n)", "it returns nothing and changes nothing"),
        (f"short F({', '.join(['short'] * 27)})", "or over 26 parameters"),
    ],
)
def test_another_is_refused_with_what_there_is(text: str, problem: str):
    with pytest.raises(UsageError, match=re.escape(problem)) as refused:
        read_prototype(text)
    assert "whole numbers (char to long long" in str(refused.value)
