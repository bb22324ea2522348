"""Routines that are declared with ``...``, called from cases and from Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import macproof
from emu.machine import CPUS as MODELS
from emu.machine.abi import CALLING_CONVENTIONS
from emu.program import GuestType
from tests.rows import slow_but

SOURCE = r"""
#include <stdarg.h>
long gCalls;

static char *Digits(char *to, unsigned long value)
{
    if (value > 9)
        to = Digits(to, value / 10);
    *to++ = (char) ('0' + value % 10);
    return to;
}

/* Both halves: after the upper one alone GCC 12 for the 68K goes on 4 bytes further, not 8. */
static long Folded(long long wide) { return (long) wide ^ (long) (wide >> 32); }

/* %c, %d (an int), %u, %l (a long), %f (eighths of a double), %s, %p (the text's first byte). */
static int Formatted(char *out, const char *format, va_list list)
{
    char *to = out;
    for (; *format; format++) {
        long value = 0;
        if (*format != '%') {
            *to++ = *format;
            continue;
        }
        switch (*++format) {
        case 'c': *to++ = (char) va_arg(list, int); continue;
        case 's': { const char *s = va_arg(list, const char *); while (*s) *to++ = *s++; } continue;
        case 'u': to = Digits(to, va_arg(list, unsigned)); continue;
        case 'd': value = va_arg(list, int); break;
        case 'l': value = va_arg(list, long); break;
        case 'f': value = (long) (va_arg(list, double) * 8); break;
        case 'w': value = Folded(va_arg(list, long long)); break;
        }
        if (value < 0) {
            *to++ = '-';
            value = -value;
        }
        to = Digits(to, value);
    }
    *to = 0;
    gCalls++;
    return (int) (to - out);
}

short Format(char *out, const char *format, ...)
{
    short length;
    va_list list;
    va_start(list, format);
    length = (short) Formatted(out, format, list);
    va_end(list);
    return length;
}

double Sum(double first, short count, ...)
{
    va_list list;
    va_start(list, count);
    while (count--)
        first += va_arg(list, double);
    va_end(list);
    return first;
}

void Read(const char *from, ...)
{
    va_list list;
    va_start(list, from);
    *va_arg(list, short *) = *from;
    va_end(list);
    gCalls++;
}
"""

CASE = """
schema: macproof.case/1
name: format
title: A routine that formats numbers
sources: [format.c]
call: Format
arguments:
  out: {count: 200}
  format: {points_to: c format, count: 80}
  "...":
    - char: letter
    - unsigned char: byte
    - short: small
    - float: single
    - double: real
    - char *: {points_to: c name, count: 20}
    - long long: wide
    - long: large
    - unsigned short: word
    - double: last
input: {gCalls: calls}
cpus: ["68000", "68040", "601", mips]
scene: {make: "format_reference:make_scene", generators: [any], objects: [0], count: 40}
observe: {return: length, "*out": c text, gCalls: calls_after}
reference: format_reference:formatted
"""

REFERENCE = """
from types import SimpleNamespace
from numpy.random import Generator, PCG64

class Scene(SimpleNamespace):
    def keep(self, kept):
        return self

def make_scene(generator, objects, seed, *, width, height):
    rng = Generator(PCG64(seed))
    return Scene(
        generator=generator, objects=objects, seed=seed,
        format="%c %u %d %f|%f %s %w %l %u %f", letter=int(rng.integers(48, 90)),
        byte=int(rng.integers(0, 256)), small=int(rng.integers(-32768, 32768)),
        single=float(rng.integers(-999, 999)) / 8, real=float(rng.integers(-99999, 99999)) / 8,
        name="name" + "x" * (seed % 9), wide=int(rng.integers(-(1 << 62), 1 << 62)),
        large=int(rng.integers(-(1 << 31) + 1, 1 << 31)), word=int(rng.integers(0, 65536)),
        last=float(seed) / 2, calls=seed % 7, plain=70000)

def formatted(scene):
    wide = scene.wide >> 32 ^ (scene.wide & 0xffffffff)
    wide = (wide + (1 << 31)) % (1 << 32) - (1 << 31)
    text = (f"{chr(scene.letter)} {scene.byte} {scene.small} {int(scene.single * 8)}|"
            f"{int(scene.real * 8)} {scene.name} {wide} {scene.large} {scene.word} "
            f"{int(scene.last * 8)}")
    return SimpleNamespace(text=text, length=len(text), calls_after=scene.calls + 1)
"""
CPUS = ("68000", "68040", "601", "mips")


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers(*CPUS)
    texts = {"format.c": SOURCE, "case.yaml": CASE, "format_reference.py": REFERENCE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text.lstrip())
    return tmp_path


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))


def verify(folder: Path, *cpus: str, build: str = "O1") -> macproof.Verification:
    case = macproof.load_case(folder)
    return macproof.verify(case, macproof.programs_of(case, cpus=cpus, builds=[build]), jobs=1)


@pytest.mark.parametrize("build", slow_but(["O2"], ["O0", "O2"]))
@pytest.mark.parametrize("cpu", CPUS)
def test_arguments_of_every_kind_arrive(folder: Path, cpu: str, build: str) -> None:
    report = verify(folder, cpu, build=build)
    assert report.verdict == "verified", report.to_json()[1000:3000]


def test_an_int_of_16_bits(folder: Path) -> None:
    change(folder / "case.yaml", "input:", "cflags: [-mshort]\ninput:")
    change(folder / "case.yaml", '"68040", "601", mips', '"68040"')
    assert verify(folder, "68000", "68040").verdict == "verified"


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_wrong_one_is_explained(folder: Path, cpu: str) -> None:
    change(folder / "format.c", "value = -value;", "value = -value - (value == -1);")
    change(folder / "format.c", "case 'd': value", "case 'd': value = 1; value")
    change(folder / "format.c", "va_arg(list, unsigned)", "va_arg(list, unsigned) / 2")
    report = verify(folder, cpu)
    assert report.verdict == "refuted"
    found = macproof.explain(report)
    assert found is not None and found.explanation.divergence is not None
    assert found.explanation.divergence.place.startswith(("return", "out["))


def test_what_a_further_pointer_leads_to_is_observed(folder: Path) -> None:
    case = folder / "case.yaml"
    text = case.read_text()
    start, end = text.index("call: Format"), text.index("cpus:")
    case.write_text(
        text[:start]
        + "call: Read\narguments:\n  from: {points_to: c format, count: 80}\n"
        + '  "...": [{short *: {count: 1}}]\ninput: {gCalls: calls}\n'
        + text[end:].replace('return: length, "*out": c text', '"*more1": first')
    )
    change(folder / "format_reference.py", "length=len(text)", "first=37")
    assert verify(folder, "68000", "601").verdict == "verified"
    change(folder / "format_reference.py", "first=37", "first=38")
    report = verify(folder, "601")
    assert report.verdict == "refuted"
    assert "*more1 is 37, expected 38" in report.to_json()


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("short: small", "short: plain", r"line 12: .*call.more3 \(short int\) cannot hold"),
        ("short: small", "shrot: small", r"line 12: .*'shrot': there is no type shrot"),
        ("short: small", "'short, long': small", r"line 12: .*'short, long'"),
        ("short: small", "short: {points_to: small}", r"line 12: .*short more3 is no pointer"),
        ("short: small", "short: smal", r"line 12: .*no smal.*did you mean small"),
        ('  "...":', '  "..":', "line"),
    ],
)
def test_what_does_not_fit(folder: Path, before: str, after: str, words: str) -> None:
    change(folder / "case.yaml", before, after)
    with pytest.raises(macproof.MacproofError, match=re.compile(words, re.DOTALL)):
        verify(folder, "68040")


def test_a_routine_without_dots_takes_no_more(folder: Path) -> None:
    dots = "const char *format, ...)\n{\n"
    change(
        folder / "format.c",
        dots,
        "const char *format)\n{ return 0; }\nstatic short X(char *out, char *format, ...)\n{\n",
    )
    with pytest.raises(macproof.CaseError, match=r"line 10: .*takes no further arguments"):
        verify(folder, "68040")


@pytest.mark.parametrize("cpu", CPUS)
def test_from_python(folder: Path, cpu: str) -> None:
    case = macproof.load_case(folder)
    change(folder / "case.yaml", "call: Format", "call: Format\nbefore: [Keep]")
    keep = "double (*gKept)(double, short, ...);\nvoid Keep(void) { gKept = Sum; }\n"
    change(folder / "format.c", "void Read(", f"{keep}void Read(")
    case = macproof.load_case(folder)
    (program,) = macproof.programs_of(case, cpus=[cpu], builds=["O2"])
    with macproof.Machine(program) as machine:
        out = machine.buffer(100)
        text = machine.c_string("%d %f %s %u %c")
        name = machine.c_string("name")
        count = machine.functions.Format(out, text, -5, 2.5, name, ("unsigned char", 200), 65)
        assert bytes(out)[:count] == b"-5 20 name 200 A"
        assert machine.functions.Sum(1.5, 0) == 1.5
        assert machine.functions.Sum(1.5, 3, 2.0, ("float", 0.5), -8.0) == -4.0
        assert machine.functions.Sum(0.0, 9, *(float(1 << n) for n in range(9))) == 511.0
        for wrong, words in (
            (("shrot", 5), "'shrot': there is no type shrot; did you mean short"),
            (("short", 70000), "70000 is given for the short int in place of ..."),
            (1 << 40, "is given for the int in place of ..."),
            ("text", "put it into guest memory first"),
        ):
            with pytest.raises(macproof.UsageError, match=re.escape(words)):
                machine.functions.Format(out, text, wrong)


def test_where_floats_go_by_the_convention_of_mac_os() -> None:
    """Both into a register for floats and where a whole number of that size would go."""
    double = GuestType("double", "float", np.dtype(">f8"))
    word = GuestType("int", "integer", np.dtype(">i4"))
    convention = CALLING_CONVENTIONS["ppc-poweropen"]
    form = convention.variadic_form(MODELS["601"], [word, double], [double, word, double], None)
    places: list[Any] = [
        [(piece.register, piece.at) for piece in passing.pieces] for passing in form.parameters
    ]
    assert places == [
        [("r3", 0)],
        [("f1", 0)],
        [("f2", 0), ("r6", 0), ("r7", 0)],
        [("r8", 0)],
        [("f3", 0), ("r9", 0), ("r10", 0)],
    ]
