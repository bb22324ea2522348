"""What a reference that is another program, or a library, leaves of the Toolbox is compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.cases.keys.toolbox_state import MEMBERS
from tests.verify import small_cases
from tests.verify.small_cases import SmallCase

HEADERS = "#include <Memory.h>\n#include <Quickdraw.h>\n"
TWICE = HEADERS + "Ptr gKept; long Go(short x) { BODY return 2L * x; }"
KEYS = "call: Go\narguments: {x: number}\nignore: [gKept]\nobserve: [return, PLACES]\n"
OLD = "reference: {program: old.elf, symbol: Go, ignore: [gKept]}\n"
LIBRARY = "reference: {library: ./old.so, function: twice, prototype: long twice(short x)}\n"
LEAK = "gKept = NewPtr(x & 7);"


@pytest.fixture
def verify(tmp_path: Path, compilers: Callable[..., None]) -> Callable[..., macproof.Verification]:
    """Verifies a routine with a body against an old one; the places are what is observed."""
    compilers("68040")

    def verified(body: str, places: str, old: str | None = None) -> macproof.Verification:
        reference = tmp_path / ("old.so" if old is None else "old.elf")
        if old is None:
            small_cases.library("long twice(short x) { return 2L * x; }", reference)
        elif not reference.exists():
            small_cases.compiled(TWICE.replace("BODY", old), "Go", reference)
        keys = KEYS.replace("PLACES", places) + (LIBRARY if old is None else OLD)
        return SmallCase(tmp_path, TWICE.replace("BODY", body), keys).verify()

    return verified


def test_a_program_and_its_old_form_leave_the_same(
    verify: Callable[..., macproof.Verification],
) -> None:
    found = verify(f"long n = x; {LEAK} x = n;", "toolbox.heap, toolbox.random", LEAK)
    assert found.verdict == "verified", found.report.results[0].failures
    assert found.report.results[0].toolbox is not None
    assert found.report.results[0].toolbox.compared == tuple(MEMBERS)
    more = verify(f"{LEAK} NewPtr(4);", "toolbox.heap, toolbox.random", LEAK)
    assert more.verdict == "refuted"
    assert "toolbox.heap.blocks is 2, expected 1" in more.report.results[0].failures[0].summary


@pytest.mark.slow
def test_pixels_of_a_program_are_those_of_its_old_form(
    verify: Callable[..., macproof.Verification],
) -> None:
    old = "Rect r; SetRect(&r, 0, 0, 9, 9); PaintRect(&r);"
    again = "Rect r; SetRect(&r, 0, 0, 9, 9); EraseRect(&r); PaintRect(&r);"
    assert verify(again, "toolbox.pixels", old).verdict == "verified"
    moved = verify(old.replace("9, 9", "9, 8"), "toolbox.pixels", old)
    assert "toolbox.pixels" in moved.report.results[0].failures[0].summary


def test_a_library_leaves_the_toolbox_as_it_was(
    verify: Callable[..., macproof.Verification],
) -> None:
    right = "DisposeHandle(NewHandle(5)); DisposePtr(NewPtr(9));"
    assert verify(right, "toolbox.heap, toolbox.port").verdict == "verified"
    leaked = verify(LEAK, "toolbox.heap, toolbox.port")
    assert leaked.verdict == "refuted"
    assert "toolbox.heap.blocks is 1, expected 0" in leaked.report.results[0].failures[0].summary


GROW = HEADERS + (
    "void Go(short **h, short x) { long size = GetHandleSize((Handle) h); "
    "SetHandleSize((Handle) h, size + MORE); (*h)[size / 2] = x; }"
)


def test_a_handle_is_as_large_as_an_old_program_leaves_it(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68040")
    small_cases.compiled(GROW.replace("MORE", "2"), "Go", tmp_path / "old.elf")
    keys = (
        "call: Go\narguments: {h: {handle_to: values, count: 9}, x: number}\n"
        "observe: ['**h', toolbox.heap]\nreference: {program: old.elf, symbol: Go}\n"
    )
    found = [SmallCase(tmp_path, GROW.replace("MORE", more), keys).verify() for more in "24"]
    assert [one.verdict for one in found] == ["verified", "refuted"]
