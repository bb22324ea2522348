"""Two executions of one scene side by side, and where they part."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import macproof
from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.programs.other_program import program_against
from emu.report.forms.terminal import text_of
from emu.verify.explain.divergence_point import SideBySide
from tests.small_cases import SmallCases

SOURCE = """
struct entry { short key; double share; struct entry *next; };
extern "C" {
short gValues[9], gCount;
long gSum;
short gLargest;
struct entry gEntries[9], *gFirst;
}
extern "C" void Run()
{
    gSum = gLargest = 0;
    gFirst = 0;
    for (short i = 0; i < gCount; ++i) {
        gSum += gValues[i];
        if (gValues[i] > gLargest)
            gLargest = gValues[i];
    }
    for (short i = 0; i < gCount; ++i) {
        gEntries[i].key = gValues[i] + EXTRA;
        gEntries[i].share = (double) gValues[i] / (gSum + 1);
        gEntries[i].next = gFirst;
        gFirst = &gEntries[i];
    }
}
"""
REFERENCE = """
total, largest = int(scene.values.sum()), int(scene.values.max(initial=0))
links = [-1, *range(scene.objects - 1)]
return answer(keys=scene.values, shares=scene.values / (total + 1), links=links,
              first=scene.objects - 1, total=total, largest=largest)
"""
OBSERVE = (
    "{gEntries: {key: keys, share: shares, next: links}, gFirst: first, gSum: total, "
    "gLargest: largest}"
)


@pytest.fixture
def make(small_cases: SmallCases, compilers: Callable[..., None]) -> Callable[[str], Case]:
    compilers("68040", "601")
    return lambda extra: small_cases.make(SOURCE.replace("EXTRA", extra), REFERENCE, OBSERVE)


def beside(case: Case, cpu: str, build: str, word: str) -> SideBySide:
    """The failing program of a processor and build, beside that of a word."""
    programs = macproof.programs_of(case, cpus=[cpu], builds=[build])
    failed = macproof.verify(case, programs, scenes=8, jobs=1)
    assert failed.verdict == "refuted"
    found = macproof.explain(failed, against=word)
    assert found is not None and found.explanation.beside is not None
    return found.explanation.beside


# A mistake of one processor, and of the other.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("cpu", "other", "defined"), [("68040", "601", "__m68k__"), ("601", "68040", "__PPC__")]
)
def test_two_processors_part_where_one_is_wrong(
    make: Callable[[str], Case], cpu: str, other: str, defined: str
) -> None:
    case = make(f"0\n#ifdef {defined}\n + (gValues[i] == gLargest)\n#endif\n")
    found = beside(case, cpu, "O2", other)
    parting = found.parting
    assert (found.one, found.other, found.problem) == (f"{cpu} O2", f"{other} O2", "")
    assert parting is not None and parting.place.startswith("gEntries[")
    assert parting.place.endswith("].key")
    assert parting.differing == 1
    assert parting.one.stored is not None and parting.other.stored is not None
    assert int(parting.one.value) == int(parting.other.value) + 1
    assert "(small.cpp:" in parting.one.stored.location
    assert len(parting.one.stored.registers) in (16, 32)
    before = [
        {(stored.place, stored.value) for stored in side.before}
        for side in (parting.one, parting.other)
    ]
    assert before[0] & before[1]


@pytest.mark.slow
def test_two_builds_and_two_sources_part(make: Callable[[str], Case], tmp_path: Path) -> None:
    case = make("0\n#ifdef __OPTIMIZE__\n + 2\n#endif\n")
    parting = beside(case, "68040", "O1", "O0").parting
    assert parting is not None and parting.place == "gEntries[0].key"
    source = tmp_path / "other.cpp"
    source.write_text(SOURCE.replace("EXTRA", "0"))
    found = beside(case, "68040", "O1", str(source))
    assert found.other == "the other 68040 O1"
    assert found.parting is not None
    assert found.parting.other.stored is not None
    assert "(other.cpp:" in found.parting.other.stored.location


@pytest.mark.slow
def test_what_both_do_wrong_is_no_difference(make: Callable[[str], Case]) -> None:
    found = beside(make("1"), "601", "O2", "68040")
    assert found.parting is None
    assert min(found.stores) > 5


@pytest.mark.slow
def test_what_only_one_stores(small_cases: SmallCases, compilers: Callable[..., None]) -> None:
    compilers("68040", "601")
    source = """
    extern "C" { short gValues[9], gCount, gLast; }
    extern "C" void Run()
    {
    #ifdef __m68k__
        gLast = gCount;
    #endif
    }
    """
    case = small_cases.make(source, "return answer(last=scene.objects)", "{gLast: last}")
    parting = beside(case, "601", "O1", "68040").parting
    assert parting is not None and parting.place == "gLast"
    assert parting.one.stored is None
    assert parting.other.stored is not None
    assert parting.other.value in ("5", "9", "0", "1")


@pytest.mark.slow
def test_a_call_in_a_row_is_named(
    small_cases: SmallCases, compilers: Callable[..., None], tmp_path: Path
) -> None:
    compilers("68040", "601")
    (tmp_path / "steps.c").write_text(
        "short gSum; void Begin(void) { gSum = 0; }\n"
        "void Add(short n) { gSum += n;\n#ifdef __m68k__\n gSum += n > 3;\n#endif\n }\n"
    )
    (tmp_path / "steps.py").write_text(
        "from dataclasses import dataclass\nfrom types import SimpleNamespace\n"
        "@dataclass(frozen=True)\nclass Two:\n    one: int\n    two: int\n    generator: str\n"
        "    seed: int\n    objects = 0\n    def keep(self, indices): return self\n"
        "def make(generator, objects, seed, *, width, height):\n"
        "    return Two(seed % 4, 4 + seed % 9, generator, seed)\n"
        "def total(scene): return SimpleNamespace(total=scene.one + scene.two)\n"
    )
    file = tmp_path / "case.yaml"
    file.write_text(
        "schema: macproof.case/1\nname: steps\ntitle: Steps\nsources: [steps.c]\n"
        "calls: [Begin, {Add: {n: one}}, {Add: {n: two}}]\n"
        "scene: {make: 'steps:make', generators: [any], objects: [0], count: 8}\n"
        "observe: {gSum: total}\nreference: steps:total\n"
    )
    parting = beside(macproof.load_case(file), "68040", "O1", "601").parting
    assert parting is not None and parting.one.stored is not None
    assert parting.one.stored.call == "call 3 of 3, Add"


def test_the_document_tells_both_sides(make: Callable[[str], Case]) -> None:
    case = make("0\n#ifdef __m68k__\n + 1\n#endif\n")
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O1"])
    failed = macproof.verify(case, programs, scenes=8, jobs=1)
    other = program_against(case, programs[0], "601")
    found = macproof.explain(failed, against=other)
    assert found is not None
    text = text_of(found.document)
    assert "68040 O1 beside 601 O1" in text
    assert "The two part at gEntries[0].key." in text
    assert "Registers of 601 O1 just before this store:" in text


@pytest.mark.slow
def test_a_routine_that_calls_the_toolbox_is_not_compared(
    small_cases: SmallCases, compilers: Callable[..., None]
) -> None:
    compilers("68040", "601")
    source = """
    extern "C" { short gValues[9], gCount; long gLast; }
    #include <Memory.h>
    extern "C" void Run()
    {
        Ptr block = NewPtr(8);
        gLast = gCount + (block != 0) + 1;
    }
    """
    case = small_cases.make(source, "return answer(last=scene.objects)", "{gLast: last}")
    found = beside(case, "68040", "O1", "O0")
    assert "calls the Toolbox" in found.problem
    assert found.parting is None


def test_a_word_that_stands_for_nothing(make: Callable[[str], Case]) -> None:
    case = make("1")
    program = macproof.programs_of(case, cpus=["68040"], builds=["O1"])[0]
    with pytest.raises(UsageError, match=r"nowhere\.txt is none of these"):
        program_against(case, program, "nowhere.txt")
