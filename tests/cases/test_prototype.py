"""Prototypes as ``macproof new`` reads them, and what it says to the others."""

from __future__ import annotations

import re

import pytest

from emu.base.errors import UsageError
from emu.cases.prototype import read_prototype


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("short Neg(short a, short b)", "short Neg(short a, short b)"),
        (
            " int  F ( unsigned,long unsigned , short int c ) ; ",
            "int F(unsigned a, long unsigned b, short int c)",
        ),
        ("void Fill(char *to, int n)", "void Fill(char *to, int n)"),
        ("long Sum(short const values[], short n)", "long Sum(const short *values, short n)"),
        ("float F(const double* x, Byte n)", "float F(const double *x, Byte n)"),
        ("Boolean F(signed)", "Boolean F(signed a)"),
    ],
)
def test_a_prototype_is_read(text: str, meaning: str):
    assert str(read_prototype(text)) == meaning


@pytest.mark.parametrize(
    ("words", "dtype"),
    [
        ("char", "int8"),
        ("unsigned char", "uint8"),
        ("signed short int", "int16"),
        ("int long", "int32"),
        ("unsigned", "uint32"),
        ("long unsigned int long", "uint64"),
        ("double", "float64"),
        ("OSErr", "int16"),
    ],
)
def test_the_numbers_of_a_type(words: str, dtype: str):
    (parameter,) = read_prototype(f"long F({words} x)").parameters
    assert (parameter.type.dtype, parameter.type.words) == (dtype, words)


def test_a_pointer_has_the_next_whole_number_as_its_length():
    prototype = read_prototype("short F(const float *x, double d, Boolean b, Byte *y, long n)")
    assert [one.length for one in prototype.parameters] == ["n", "", "", "n", ""]
    assert [one.is_constant for one in prototype.parameters] == [True, False, False, False, False]
    assert prototype.lengths == {"n"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is not the prototype of one function"),
        ("Neg(short a)", "it is not the prototype of one function"),
        ("short (*F)(short a)", "it is not the prototype of one function"),
        ("short Caf\u00e9(short a)", "it is not the prototype of one function"),
        ("short for(short a)", "for cannot be the name of a function"),
        ("short F(short if)", "if cannot be the name of a parameter"),
        ("short F(short null)", "null cannot be the name of a parameter"),
        ("short F(short a, short a)", "two things in it are called a"),
        ("short F(short, short a)", "two things in it are called a"),
        ("short F(short F)", "two things in it are called F"),
        ("short F(struct Rect r)", "the type struct Rect is not known"),
        ("short F(Rect *r, short n)", "the type Rect is not known"),
        ("extended F(short a)", "the type extended is not known"),
        ("short F(long double a)", "the type long double is not known"),
        ("short F(short long a)", "the type short long is not known"),
        ("short F(int signed char a)", "the type int signed char is not known"),
        ("short F(signed unsigned a)", "the type signed unsigned is not known"),
        ("short F(short short a)", "the type short short is not known"),
        ("pascal short F(short a)", "the type pascal short is not known"),
        ("short *F(short a)", "the type short * is not known"),
        ("short F(short **a, short n)", "the parameter short **a is not known"),
        ("short F(short a[4][4], short n)", "the parameter short a[4][4] is not known"),
        ("short F(short a, ...)", "the parameter ... is not known"),
        ("short F(short a,)", "the parameter without a type is not known"),
        ("short F(short *a)", "no whole number after short *a says how many elements"),
        ("short F(short n, short *a)", "no whole number after short *a says how many elements"),
        ("short F(short *a, double n)", "no whole number after short *a says how many elements"),
        ("short F(void)", "it has no parameters"),
        ("void F(const short *a, short n)", "it returns nothing and changes nothing"),
        (f"short F({', '.join(['short'] * 27)})", "it has more than 26 parameters"),
    ],
)
def test_another_is_refused_with_what_there_is(text: str, problem: str):
    with pytest.raises(UsageError, match=re.escape(problem)) as refused:
        read_prototype(text)
    assert "whole numbers (char to long long" in str(refused.value)
