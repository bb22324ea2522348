"""The Toolbox goes on from call to call of one scene, and begins anew with the next scene."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof

CPUS = ("68000", "68040", "601")

SOURCE = """
#include <Events.h>
#include <Memory.h>
#include <Quickdraw.h>

short gCalls;
static Handle gList;

void Begin(void) { gCalls = 0; gList = NewHandle(0); }
void Reserve(void) { SetHandleSize(gList, 2); *(short *) *gList = 7; }
short Add(short n)
{
    long size = GetHandleSize(gList);
    gCalls++;
    if (!n)
        return 0;
    SetHandleSize(gList, size + 2);
    *(short *) (*gList + size) = n;
    return Random();
}
short First(void) { gCalls++; return *(short *) *gList; }
short Plain(short n) { return ++gCalls + n; }
short Roll(short n) { gCalls++; return n ? Random() : 0; }
"""
CASE = """
schema: macproof.case/1
name: listing
title: A list in a handle
sources: [listing.c]
before: [Begin, Reserve]
calls:
  - Plain: {n: one}
  - Add: {n: one}
  - Plain: {n: two}
  - Add: {n: two}
  - First
ignore: [gList]
environment: {random_seed: 1}
cpus: [68000, 68040, 601]
scene: {make: "listing_reference:make_scene", generators: [any], objects: [0], count: 20}
observe: {return: results, gCalls: calls}
reference: listing_reference:answer
"""
REFERENCE = """
from dataclasses import dataclass
from types import SimpleNamespace

@dataclass(frozen=True)
class Numbers:
    one: int
    two: int
    generator: str
    seed: int
    objects: int
    times = 3
    @property
    def three(self): return [self.one] * 3
    def keep(self, indices): return self
    @property
    def ticks(self): return [self.one, self.two, 5, 6]

def make_scene(generator, objects, seed, *, width, height):
    return Numbers(seed % 3 * 5, seed % 7, generator, seed, objects)

def rolls(*numbers):
    seed, found = 1, []
    for number in numbers:
        if number:
            seed = seed * 16807 % 0x7FFFFFFF
            low = seed & 0xFFFF
            found.append(low - 0x10000 if low > 0x8000 else 0 if low == 0x8000 else low)
        else:
            found.append(0)
    return found

def answer(scene):
    first, second = rolls(scene.one, scene.two)
    results = [1 + scene.one, first, 3 + scene.two, second, 7]
    return SimpleNamespace(results=results, calls=5)

def one_call(scene):
    return SimpleNamespace(results=7, calls=1)

def rolled(scene):
    return SimpleNamespace(results=rolls(*[scene.one] * 3), calls=3)

def ticked(scene):
    return SimpleNamespace(results=scene.ticks[:3], calls=3)
"""


class Folder:
    """A case's folder, with what is changed in its files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        files = {"listing.c": SOURCE, "case.yaml": CASE, "listing_reference.py": REFERENCE}
        for name, text in files.items():
            (path / name).write_text(text.lstrip())

    def change(self, name: str, *pairs: tuple[str, str]) -> None:
        path = self.path / name
        text = path.read_text()
        for old, new in pairs:
            assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {name}"
            text = text.replace(old, new)
        path.write_text(text)

    def calls(self, lines: str, reference: str) -> None:
        """Let the case call something else, checked by another function of the reference."""
        text = (self.path / "case.yaml").read_text()
        start, end = text.index("calls:"), text.index("ignore:")
        text = f"{text[:start]}{lines}\n{text[end:]}".replace(":answer", f":{reference}")
        text = text.replace("objects: [0]", "objects: [0, 3]")  # as many as there are calls
        (self.path / "case.yaml").write_text(text)

    def verify(self, *cpus: str, build: str = "O1") -> macproof.Verification:
        case = macproof.load_case(self.path)
        programs = macproof.programs_of(case, cpus=cpus or None, builds=[build])
        return macproof.verify(case, programs, jobs=1)


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Folder:
    compilers(*CPUS)
    return Folder(tmp_path)


@pytest.mark.slow
def test_handles_and_random_numbers_go_on_over_all_calls_of_a_scene(folder: Folder) -> None:
    """Also over calls that ask nothing, and over those before; each scene begins anew."""
    found = folder.verify()
    assert found.verdict == "verified"
    assert len(found.report.results) == 3


@pytest.mark.slow
def test_a_single_call_finds_what_the_calls_before_left(folder: Folder) -> None:
    """It reads a handle's memory and asks the Toolbox nothing itself."""
    folder.calls("call: First\narguments: {}", "one_call")
    found = folder.verify()
    assert found.verdict == "verified"


@pytest.mark.slow
def test_random_goes_on_over_repeated_calls(folder: Folder) -> None:
    folder.calls("call: Roll\nrepeat: times\narguments: {n: three}", "rolled")
    found = folder.verify()
    assert found.verdict == "verified"


@pytest.mark.slow
def test_answers_of_the_scene_go_on_over_the_calls(folder: Folder) -> None:
    folder.calls("call: Roll\nrepeat: times\narguments: {}\ntoolbox: {TickCount: ticks}", "ticked")
    folder.change(
        "listing.c",
        (
            "Roll(short n) { gCalls++; return n ? Random() : 0; }",
            "Roll(void) { gCalls++; return TickCount(); }",
        ),
    )
    found = folder.verify()
    assert found.verdict == "verified"


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
def test_a_wrong_call_is_refuted_and_its_store_is_found(folder: Folder, cpu: str) -> None:
    folder.change("listing.c", ("*(short *) *gList;", "*(short *) *gList + 1;"))
    report = folder.verify(cpu)
    assert report.verdict == "refuted"
    found = macproof.explain(report).explanation
    assert found is not None and found.divergence is not None
    assert (found.divergence.found, found.divergence.expected) == ("8", "7")
    assert "call 5 of 5" in found.divergence.note


@pytest.mark.slow
@pytest.mark.parametrize("cpu", CPUS)
def test_the_last_store_is_found_in_a_call_that_needs_the_toolbox(folder: Folder, cpu: str) -> None:
    folder.change(
        "listing.c",
        (
            "{ gCalls++; return *(short *) *gList;",
            "{ gCalls += *(short *) *gList - 5; return *(short *) *gList;",
        ),
    )
    found = macproof.explain(folder.verify(cpu)).explanation
    assert found is not None and found.divergence is not None
    assert (found.divergence.place, found.divergence.found) == ("gCalls", "6")
    assert "First+" in str(found.writer) and found.call == "call 5 of 5, First"


@pytest.mark.slow
def test_a_mistake_and_a_fault_name_their_call(folder: Folder) -> None:
    read = "short n = *(short *) *gList; DisposeHandle(gList);"
    folder.change(
        "listing.c", ("return *(short *) *gList;", f"{{ {read} DisposeHandle(gList); return n; }}")
    )
    mistaken = folder.verify("68040")
    assert mistaken.verdict == "refuted"
    assert "call 5 of 5, First: DisposeHandle" in mistaken.to_json()
    folder.change("listing.c", ("DisposeHandle(gList); return", "return *(short *) *gList +"))
    assert "(in call 5 of 5, First), at" in folder.verify("68040").to_json()


def test_a_routine_before_that_faults_after_the_toolbox_was_asked_is_named(folder: Folder) -> None:
    folder.change("listing.c", ("*(short *) *gList = 7;", "*(short *) 0 = 7;"))
    found = folder.verify("68040").to_json()
    assert "Reserve, which is called before Plain" in found


def test_more_calls_than_objects_are_refused(folder: Folder) -> None:
    """There are records for as many calls as a scene may have objects."""
    folder.calls("call: Roll\nrepeat: times\narguments: {n: three}", "rolled")
    folder.change("listing_reference.py", ("times = 3", "times = 4"))
    message = r"line 7: the scene's times is 4, more than the 3 of the most objects"
    with pytest.raises(macproof.CaseError, match=message):
        folder.verify("68040")
