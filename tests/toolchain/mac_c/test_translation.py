"""Sources of the time as text for GCC; what is compiled of them is in `test_sources`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolchain.mac_c.characters import decoded
from emu.toolchain.mac_c.pragmas import TypeSizes
from emu.toolchain.mac_c.translation import gcc_text


def translated(text: str | bytes, *, is_c: bool = True, layout: TypeSizes | None = None) -> bytes:
    content = text.encode("mac_roman") if isinstance(text, str) else text
    return gcc_text(content, layout or TypeSizes(), is_c=is_c)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a;\rb;\r\nc;\n\rd;", b"a;\nb;\nc;\n\nd;"),
        ("if (a ≠ b && a ≤ c || a ≥ d)\r", b"if (a != b && a <= c || a >= d)\n"),
        ("int\u00a0a;\r", b"int a;\n"),
        ("int ƒoo, π;", "int ƒoo, π;".encode()),
        ("int ∂x;", b"int _u2202_x;"),
        (
            "\"≠ \u00a0©\" '©' // “≤”\r",
            b"\"\xad \xca\xa9\" '\xa9' // \xe2\x80\x9c\xe2\x89\xa4\xe2\x80\x9d\n",
        ),
        ('"©", "日"; a ≠ b'.encode(), '"\0", "日"; a != b'.encode().replace(b"\0", b"\xa9")),
        ("\ufeffint a;".encode(), b"int a;"),
        ("#if 0\rdon't\r#endif\ra ≠ b", b"#if 0\ndon't\n#endif\na != b"),
    ],
)
def test_characters(before: str | bytes, after: bytes) -> None:
    assert translated(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#pragma options align=mac68k", "#pragma pack(push, 2)"),
        ("#pragma options align=reset", "#pragma pack(pop)"),
        ("# pragma align = packed", "#pragma pack(push, 1)"),
        ("#pragma options align=native", "#pragma pack(push, 8)"),
        ("#pragma pack(2)", "#pragma pack(2)"),
        ("#pragma segment Main", "#pragma segment Main"),
        ("#pragma once", "#pragma once"),
        ("#pragma enumsalwaysints on", "#pragma enumsalwaysints on"),
        ("// #pragma options align=mac68k", "// #pragma options align=mac68k"),
        ("pascal void F(void) = 0xA9F4;", "pascal void F(void) ;"),
        (
            "extern long F(long a,\n Ptr b) =\n {0x303C, 0xA823};",
            "extern long F(long a,\n Ptr b) \n;",
        ),
        ("extern short MemErr : 0x220;", 'extern short MemErr __asm__("0x220");'),
        ("extern Ptr *a [4]: 2304;", 'extern Ptr *a [4]__asm__("2304");'),
        (
            "struct S { short a : 0x3, b: 4; } s; extern short c;",
            "struct S { short a : 0x3, b: 4; } s; extern short c;",
        ),
        ("extern short c; x = a ? b : 0x3;", "extern short c; x = a ? b : 0x3;"),
        ('extern "C" { struct S { short a : 3; }; }', 'extern "C" { struct S { short a : 3; }; }'),
        ("#define ONEWORDINLINE(w1) = w1", "#define ONEWORDINLINE(w1)"),
        ("#define INLINED(...) = { __VA_ARGS__ }", "#define INLINED(...)"),
        ("#pragma parameter __D0 F(__A0)\nlong F(Ptr p) = 0xA02E;", None),
        ("{ *f(a) = 0xA000; }", "{ *f(a) = 0xA000; }"),
        ("{ return f(a), g(b) = 0xA000; }", "{ return f(a), g(b) = 0xA000; }"),
        ("struct A { virtual int f() = 0; };", "struct A { virtual int f() = 0; };"),
        (
            'asm("nop"); asm volatile ("nop"); int asmx;',
            'asm("nop"); asm volatile ("nop"); int asmx;',
        ),
        ("asm void f(void);", " void f(void);"),
        ("#if __option(profile)", "#if 0"),
        ("short  double d;", "double d;"),
        ("void f(...);", "void f();"),
        ("#define M(...) f(__VA_ARGS__)", "#define M(...) f(__VA_ARGS__)"),
    ],
)
def test_pragmas_and_machine_code(before: str, after: str | None) -> None:
    if after is None:
        after = "#pragma parameter __D0 F(__A0)\nlong F(Ptr p) ;"
    assert translated(before).decode() == after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void f() {\n asm {\n  move.l d0, d1 ; don't\n }\n}", "cannot compile this asm block"),
        ("asm long f(void)\n{\n  moveq #0, d0\n}\n", "cannot compile this asm function"),
        ("asm 68020 { nop }", "cannot compile this asm block"),
        ("#pragma options align=odd", "does not know the alignment odd"),
        ("#pragma options align=power", "align_power_needs_a_PowerPC"),
        ("#pragma structalign 4", "does not know #pragma structalign"),
        ("#pragma parameter __D0 F(__A0)\nlong F(Ptr p);", "wants the arguments of F in registers"),
        ("#pragma fourbyteints off", "add -mshort to cflags"),
        ("#pragma enumsalwaysints off", "add -fshort-enums to cflags"),
        ("#pragma unsigned_char on", "add -funsigned-char to cflags"),
        ("#pragma cplusplus on", "suffix .cpp"),
        ("long GetA5(void) = 0x200D;", "GetA5 is declared by its machine code"),
        ("struct CThing : CObject { int a; };", "objects of THINK C are not C"),
        (b"int a;\rint\0b;", "line 2 has a NUL byte"),
    ],
)
def test_what_cannot_be_obeyed_is_an_error_in_its_place(text: str | bytes, said: str) -> None:
    made = translated(text).decode()
    assert said in made
    if b"\0" not in (text if isinstance(text, bytes) else b""):
        assert made.count("\n") == text.count("\n" if isinstance(text, str) else b"\n")  # type: ignore[arg-type]


def test_flags_that_a_pragma_asks_for_make_it_silent() -> None:
    text = b"#pragma fourbyteints off\n#pragma enumsalwaysint off\n#pragma unsigned_char on\n"
    layout = TypeSizes.of(["-mshort", "-fshort-enums", "-funsigned-char"])
    assert translated(text, layout=layout) == text
    assert b"leave -mshort out of" in translated(b"#pragma fourbyteints on", layout=layout)


def test_c_plus_plus_keeps_what_is_its_own() -> None:
    text = b"struct A : B { }; void f(...);"
    assert translated(text, is_c=False) == text
    assert b"objects of THINK C" in translated(b"struct A : indirect { };", is_c=False)


@given(st.binary(max_size=300))
def test_no_line_is_lost_and_none_is_added(content: bytes) -> None:
    if b"\0" not in content:
        assert gcc_text(content, TypeSizes(), is_c=True).count(b"\n") == decoded(content).count(
            "\n"
        )


@given(st.text("abc(){};='\"\\/*\n#asm 0xA12 INLINE", max_size=200))
def test_code_of_any_form_keeps_its_lines(text: str) -> None:
    assert translated(text).count(b"\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [b"\\'" * 100_000, b") = 0x1;" * 20_000, b"asm " * 20_000, b"/*" * 100_000, b"\xff" * 100_000],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_texts_are_translated(text: bytes) -> None:
    """They would take hours if the time grew with the square of their length."""
    assert translated(text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("t = 'TEXT';", b"t = 0x54455854L;"),
        ("case 'abc':", b"case 0x616263L:"),
        ("c = 'a'; d = 'ab'; e = '\\n';", b"c = 'a'; d = 'ab'; e = '\\n';"),
        ("'\\0abc' '\\xC9abc' '\\'abc'", b"0x00616263L 0xc9616263L 0x27616263L"),
        ("'\u2026abc'", b"0xc9616263L"),
        ("\"'TEXT'\" // don't 'TEXT'", b"\"'TEXT'\" // don't 'TEXT'"),
    ],
)
def test_constants_of_four_characters_are_long_where_int_is_short(
    before: str, after: bytes
) -> None:
    assert translated(before, layout=TypeSizes(has_short_int=True)) == after
    assert b"L" not in translated(before).replace(b"TEXT", b"")


MPW = TypeSizes.of(["-Dapplec"])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (rb"c == '\n'", rb"c == '\r'"),
        (rb'"a\r\n\t\\n\0"', rb'"a\n\r\t\\n\0"'),
        (rb"// don't change \n", rb"// don't change \n"),
        (b"#pragma mpwc_newline off\nc = '\\n';", b"#pragma mpwc_newline off\nc = '\\n';"),
    ],
)
def test_a_newline_is_a_return_in_mpw_c(before: bytes, after: bytes) -> None:
    assert translated(before, layout=MPW) == after
    assert translated(before) == before


def test_a_pragma_of_codewarrior_makes_newlines_returns_from_its_line_on() -> None:
    text = rb"""a = '\n';
#pragma mpwc_newline on
b = '\n';
#pragma mpwc_newline reset
c = '\n';"""
    assert translated(text) == text.replace(rb"b = '\n'", rb"b = '\r'")
    short = TypeSizes.of(["-mshort", "-Dapplec"])
    assert translated(rb"'TE\n\r'", layout=short) == b"0x54450d0aL"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("double x = 1.5;", "long double x = 1.5L;"),
        ("long  double a; short double b;", "long  double a; double b;"),
        ("x = .5e3 + 2. - 1e-3 * 4.0e+2;", "x = .5e3L + 2.L - 1e-3L * 4.0e+2L;"),
        ("f = 1.5f + 2.5L; n = 15; s.e1 = a1.b; x1e5 = 0x1e5;", None),
        ('f("double 1.5"); /* double 2.5 */ undouble;', None),
        (
            "#define PI (3.14)\ntypedef double Real;",
            "#define PI (3.14L)\ntypedef long double Real;",
        ),
    ],
)
def test_doubles_of_twelve_bytes_are_long_ones(before: str, after: str | None) -> None:
    expected = before if after is None else after
    assert translated(before, layout=TypeSizes(has_long_double=True)) == expected.encode()
    short = before.replace("short double", "double")
    assert translated(before) == short.encode()
