"""Ports that declare their routine or their globals otherwise than what says what is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from tests.rows import slow_but
from tests.verify.small_cases import SmallCase, compiled, library

OWN = """
unsigned short gTotal; short gLast[8];
long Sum(const unsigned char *bytes, short count)
{ long sum = 0; gTotal = count; gLast[3] = count; while (count-- > 0) sum += *bytes++; return sum; }
"""
KEYS = """call: Sum
arguments: {bytes: {points_to: bytes, count: 8}, count: objects}
"""
OBSERVE = "observe: {return: sum, gTotal: objects, gLast: last}\nreference: small:expect\n"
PYTHON = """
Numbers.bytes = property(lambda self: self.values % 256)


def expect(scene):
    count = scene.objects
    last = np.array([0, 0, 0, count, 0, 0, 0, 0])
    return SimpleNamespace(sum=int(scene.bytes.sum()), objects=count, last=last)
"""
CLEARED = OWN.replace(
    "gTotal = count;", "gTotal = count; for (sum = 8; sum--;) gLast[sum] = 0;sum = 0;"
)
HEAD = "long Sum(const unsigned char *bytes, short count)"
OTHER = {
    "wider": (HEAD, HEAD.replace("unsigned char", "unsigned short")),
    "exchanged": (HEAD, "long Sum(short count, const unsigned char *bytes)"),
    "float": (HEAD, HEAD.replace("long", "double")),
    "fewer elements": ("gLast[8]", "gLast[4]"),
    "fewer parameters": (HEAD, "static short count; long Sum(const unsigned char *bytes)"),
    "no result": ("return sum; }", "}"),
    "no global": ("unsigned short gTotal;", "#define gTotal sum\n"),
}
QUICK = slow_but(["wider", "fewer parameters", "no global"], OTHER)


def port_of(text: str, way: str) -> str:
    before, after = OTHER[way]
    text = text.replace(before, after).replace(
        "sum = 8", "sum = 4" if way[:7] == "fewer e" else "sum = 8"
    )
    return text.replace("long Sum", "void Sum") if way == "no result" else text


@pytest.mark.parametrize("way", QUICK)
def test_other_declarations_than_those_of_the_cases_own_program_are_refuted(
    tmp_path: Path, compilers: Callable[..., None], way: str
) -> None:
    compilers("68040")
    case = SmallCase(tmp_path, CLEARED, KEYS + OBSERVE, PYTHON).case
    port = tmp_path / "port.c"
    port.write_text(port_of(CLEARED, way))
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"], source=port)
    found = macproof.verify(case, programs, jobs=1)
    assert found.verdict == "refuted"
    told = found.report.results[0].failures[0].summary
    assert "the case's own program has it as" in told
    assert ("gTotal is not there" in told) == (way == "no global")


@pytest.mark.parametrize("oracle", ["program", "library"])
def test_pointers_to_other_numbers_than_those_of_the_reference_are_refuted(
    tmp_path: Path, compilers: Callable[..., None], oracle: str
) -> None:
    compilers("68040")
    plain = OWN.replace("gTotal = count; gLast[3] = count;", "")
    prototype = "int32_t Sum(const uint8_t *bytes, int16_t count)"
    if oracle == "program":
        compiled(plain, "Sum", tmp_path / "old.elf")
        right = "{program: old.elf, symbol: Sum}"
    else:
        library(plain.replace("long", "int"), tmp_path / "libold.so")
        right = f'{{library: libold.so, function: Sum, prototype: "{prototype}"}}'
    keys = f"{KEYS}observe: [return]\nreference: {right}\n"
    found = SmallCase(tmp_path, port_of(plain, "wider"), keys, PYTHON).verify()
    assert found.verdict == "refuted"
    assert "Sum is declared long Sum(const unsigned short *bytes" in str(
        found.report.results[0].failures[0].summary
    )
    assert SmallCase(tmp_path, plain, keys, PYTHON).verify().verdict == "verified"


def test_a_case_that_fits_not_even_its_own_program_is_an_error(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    keys = (KEYS + OBSERVE).replace("gTotal", "gTotals")
    case = SmallCase(tmp_path, OWN, keys, PYTHON).case
    port = tmp_path / "port.c"
    port.write_text(OWN)
    with pytest.raises(macproof.MacproofError, match="gTotals"):
        macproof.verify(
            case,
            macproof.programs_of(case, cpus=["68040"], builds=["O2"], source=port),
            jobs=1,
        )
