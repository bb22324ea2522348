"""The routine of another program says what is right."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CaseError, GuestError, ProgramError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.programs import programs_of
from emu.verify.explain_failure import explain
from emu.verify.verification import verify
from tests.small_cases import PYTHON

OLD = """
short gCalls;
long Total(short *values, short count, short *largest)
{
    long total = 0;
    short n;
    ++gCalls;
    for (n = 0; n < count; ++n) {
        total += values[n];
        if (n == 0 || values[n] > *largest)
            *largest = values[n];
    }
    return total;
}
"""
NEW = """
int sum_of(const short *values, short count, short *largest)
{
    int total = 0;
    short n;
    for (n = 0; n < count; ++n) {
        total += values[n];
        if (n == 0 || *largest < values[n])
            *largest = values[n];
    }
    return total;
}
"""
CASE = """
schema: macproof.case/1
name: ported
title: A port beside the program it came from
cpus: [68000, 68040, 601]
sources: [new.c]
call: sum_of
arguments: {values: {points_to: values, count: 12}, count: objects, largest: {count: 1}}
scene: {make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 24}
observe: [return, "*largest"]
reference: {program: old.elf, symbol: Total, ignore: [gCalls]}
"""


@pytest.fixture
def ported(tmp_path: Path, compilers: Callable[..., None]) -> Porting:
    compilers("68000", "601")
    return Porting(tmp_path)


class Porting:
    """Writes an old program, a new source and a case that ties them together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = 0

    def case(
        self, *changes: tuple[str, str], old: str = OLD, new: str = NEW, debug: str = ""
    ) -> Case:
        text = CASE
        for before, after in changes:
            assert before in text
            text = text.replace(before, after)
        self.made += 1  # processes that are kept know a case by its path
        folder = self.folder / f"case_{self.made}"
        folder.mkdir()
        (folder / "scenes.py").write_text(PYTHON)
        (folder / "new.c").write_text(new)
        (folder / "old.c").write_text(old)
        (folder / "case.yaml").write_text(text)
        words = ["m68k-linux-gnu-gcc", "-m68000", "-O1", "-ffreestanding", "-nostdlib", "-static"]
        words += ["-Wl,--build-id=none", "-Wl,-e,Total", "-o", "old.elf", "old.c", *debug.split()]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        return read_case(folder / "case.yaml")


def verdict(case: Case, **options: object) -> str:
    programs = programs_of(case, cpus=["68000", "601"], builds=["O2"])
    return verify(case, programs, jobs=1, **options).verdict  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_port_is_compared_with_the_program_it_came_from(ported: Porting) -> None:
    assert verdict(ported.case()) == "verified"
    assert verdict(ported.case(debug="-g")) == "verified"


@pytest.mark.slow
def test_a_port_that_does_otherwise_is_refuted_and_explained(ported: Porting) -> None:
    case = ported.case(new=NEW.replace("n == 0 ||", "n == 1 ||"))
    found = verify(case, programs_of(case, cpus=["601"], builds=["O2"]), jobs=1)
    assert found.verdict == "refuted"
    explained = explain(found)
    assert explained is not None
    assert "largest" in str(explained.explanation.divergence)


def test_what_the_old_routine_does_not_write_stays_as_it_was(ported: Porting) -> None:
    """Without values, neither writes the largest; a port that does is refuted."""
    eager = NEW.replace("short n;", "short n; if (count == 0) *largest = 0;")
    assert verdict(ported.case(new=eager)) == "refuted"


def test_the_receipt_names_the_old_program(ported: Porting) -> None:
    case = ported.case()
    assert case.reference == "Total of old.elf"
    assert "old.elf" in case.read_from
    found = verify(case, programs_of(case, cpus=["601"], builds=["O2"]), scenes=6, jobs=1)
    assert "compared with Total of old.elf" in " ".join(str(one) for one in found.document.sections)


def test_a_prototype_in_the_case(ported: Porting) -> None:
    given = "symbol: Total, prototype: 'long Total(short values[], short count, short *largest)'"
    assert verdict(ported.case(("symbol: Total", given))) == "verified"
    wrong = "symbol: Total, prototype: 'long Total(shirt values[], short count)'"
    with pytest.raises(CaseError, match=r"line 11: column 12: there is no type shirt"):
        verdict(ported.case(("symbol: Total", wrong)))


@pytest.mark.slow
def test_the_globals_of_both_have_one_name(ported: Porting) -> None:
    new = "short gCalls;\n" + NEW.replace("short n;", "short n; ++gCalls;")
    observed = ("observe: [return,", "input: {gCalls: objects}\nobserve: [gCalls, return,")
    assert verdict(ported.case(observed, new=new)) == "verified"
    unset = ("observe: [return,", "observe: [gCalls, return,")
    with pytest.raises(CaseError, match="leaves in gCalls depends on memory that the scene does"):
        verdict(ported.case(unset, new=new))
    with pytest.raises(ProgramError, match=r"old\.elf.*no .*gOther"):
        more = ("observe: [return,", "input: {gOther: objects}\nobserve: [return,")
        verdict(ported.case(more, new=f"short gOther;\n{NEW}"))


@pytest.mark.slow
def test_each_program_has_its_own_routines_called_before(ported: Porting) -> None:
    new = f"short gUnit;\nvoid Init(void) {{ gUnit = 3; }}\n{NEW}".replace("n];", "n] + gUnit;", 1)
    old = f"short gStep;\nvoid Start(void) {{ gStep = 3; }}\n{OLD}".replace("n];", "n] + gStep;", 1)
    first = ("scene:", "before: [Init]\nscene:")
    own = ("symbol: Total", "symbol: Total, before: [Start]")
    assert verdict(ported.case(first, own, new=new, old=old)) == "verified"
    none = ("symbol: Total", "symbol: Total, before: []")
    assert verdict(ported.case(first, none, new=new, old=old)) == "refuted"
    with pytest.raises(ProgramError, match="there is no function Init"):
        verdict(ported.case(first, new=new, old=old))


def test_a_fault_of_the_old_routine_is_no_verdict(ported: Porting) -> None:
    faulting = OLD.replace("long total = 0;", "long total = *(volatile short *) 0x7ffffff0;")
    with pytest.raises(GuestError, match=r"Total of old\.elf, which says what is right, did not"):
        verdict(ported.case(old=faulting))
    breaking = OLD.replace("++gCalls;", '__asm__ volatile ("moveq #3,%d7");')
    with pytest.raises(GuestError, match="broke a rule of its calls: register d7 was"):
        verdict(ported.case(old=breaking))


def test_what_comes_from_memory_without_a_meaning_is_no_answer(ported: Porting) -> None:
    reading = OLD.replace("long total = 0;", "long total = *largest;")
    with pytest.raises(CaseError, match="leaves in return depends on memory"):
        verdict(ported.case(old=reading))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("old.elf", "older.elf", "line 11: there is no file older.elf beside it"),
        ("symbol: Total", "symbol: Totals", "there is no function Totals"),
        ("symbol: Total", "symbol: CODE 1+2", "it has no code CODE 1"),
        ("symbol: Total", "symbol: Total, cpu: 68050", "line 11: there is no CPU 68050; did you"),
        (
            "symbol: Total",
            "symbol: Total, cpu: 601",
            "line 11: old.elf is a m68k program",
        ),
        (
            "symbol: Total",
            "symbol: Total, convention: thinkc-16",
            "line 11: there is no calling convention thinkc-16; did you mean think-c-16",
        ),
        (
            "symbol: Total",
            "symbol: Total, convention: ppc-sysv",
            "line 11: ppc-sysv is for powerpc programs, and",
        ),
        (
            "{program: old.elf, symbol: Total, ignore: [gCalls]}",
            "scenes:make_numbers",
            "line 10: observe is a list",
        ),
        (
            'observe: [return, "*largest"]',
            "observe: {return: total}",
            "line 10: observe names attributes of an answer, but",
        ),
        (", symbol: Total", "", "line 11: .*symbol"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    ported: Porting, before: str, after: str, message: str
) -> None:
    with pytest.raises((CaseError, ProgramError), match=message):
        verdict(ported.case((before, after)))


ASSEMBLED = """
        .text
        .globl  _Minus
_Minus: move.l  (%sp)+, %a0     | as Pascal: the routine takes its arguments off the stack
        move.w  (%sp)+, %d1
        move.w  (%sp)+, %d0
        sub.w   %d1, %d0
        move.w  %d0, (%sp)
        jmp     (%a0)
"""
ASSEMBLED_CASE = """
schema: macproof.case/1
name: minus
title: A routine in assembler
cpus: [68000]
sources: [minus.s]
call: _Minus
prototype: pascal short Minus(short a, short b)
arguments: {a: objects, b: seed}
scene: {make: "scenes:make_numbers", generators: [any], objects: [0, 3, 9], count: 12}
observe: {return: total}
reference: scenes:minus
"""
MINUS = """
def minus(scene):
    return answer(total=scene.objects - scene.seed)
"""


def test_a_routine_in_assembler_is_declared_by_the_case(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")

    def verdict_of(text: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        (folder / "scenes.py").write_text(PYTHON + MINUS)
        (folder / "minus.s").write_text(ASSEMBLED)
        (folder / "case.yaml").write_text(text)
        case = read_case(folder / "case.yaml")
        return verify(case, programs_of(case, builds=["O2"]), jobs=1).verdict

    assert verdict_of(ASSEMBLED_CASE) == "verified"
    assert verdict_of(ASSEMBLED_CASE.replace("pascal ", "")) == "refuted"
    named = ASSEMBLED_CASE.replace("pascal short", "short").replace(
        "scene:", "convention: pascal\nscene:"
    )
    assert verdict_of(named) == "verified"
    with pytest.raises(
        CaseError, match=r'line 7: nothing is known.*prototype: "short _Minus\(short'
    ):
        verdict_of(ASSEMBLED_CASE.replace("prototype: pascal short Minus(short a, short b)\n", ""))
    with pytest.raises(CaseError, match=r"line 8: column 20: there is no type shirt"):
        verdict_of(ASSEMBLED_CASE.replace("Minus(short", "Minus(shirt"))
    with pytest.raises(CaseError, match=r"has no parameter b"):
        verdict_of(ASSEMBLED_CASE.replace(", short b", ", short c"))


ITEMS_OLD = """
typedef struct entry { char tag; long weight; struct entry *best; } entry;
long Total(entry *items, short count)
{
    short n;
    for (n = 1; n < count; ++n)
        items[n].best = items[n].weight > items[n - 1].weight ? &items[n] : items[n - 1].best;
    return count ? items[count - 1].weight : -1;
}
"""
ITEMS_NEW = ITEMS_OLD.replace("Total", "sum_of")
TYPES = "  types: 'typedef struct item { char tag; long weight; struct item *best; } Item;'\n"
ITEMS_CASE = (
    (
        "arguments: {values: {points_to: values, count: 12}, count: objects, largest: {count: 1}}",
        "arguments:\n"
        "  items: {points_to: {weight: values, best: values into *items}, count: 1000}\n"
        "  count: objects",
    ),
    ('[return, "*largest"]', '[return, "*items.best into *items"]'),
    (
        "{program: old.elf, symbol: Total, ignore: [gCalls]}",
        "\n  program: old.elf\n  symbol: Total\n"
        f"  prototype: long Total(Item *items, short count)\n{TYPES}",
    ),
)


TABLE = """
#define kRows 3
#define kColumns (kRows - 1)
typedef struct item *ItemPtr;
typedef struct item {
    struct { char tag; struct { long weight; }; } first;
    unsigned char marks[kRows][kColumns + 0x1];
    union { struct { ItemPtr best; }; long number; };
} Item;
"""
TABLE_OLD = f"""{TABLE}
long Total(ItemPtr items, short count)
{{
    short n;
    for (n = 1; n < count; ++n) {{
        items[n].marks[kRows - 1][kColumns] = items[n].first.weight;
        items[n].best = &items[n - 1];
    }}
    return count ? items[count - 1].first.weight : -1;
}}
"""


@pytest.mark.slow
def test_types_without_names_behind_pointers_with_names_and_sizes_that_are_defined(
    ported: Porting,
) -> None:
    """The prototype of the old program has a pointer whose name only the case declares."""
    declared = "".join(f"    {line}\n" for line in TABLE.strip().splitlines())
    changes = (
        ITEMS_CASE[0],
        ("{weight: values, best: values into *items}", "{first.member_1.weight: values}"),
        (
            '[return, "*largest"]',
            '[return, "*items.marks", "*items.member_2.member_0.best into *items"]',
        ),
        (
            "{program: old.elf, symbol: Total, ignore: [gCalls]}",
            "\n  program: old.elf\n  symbol: Total\n"
            f"  prototype: long Total(ItemPtr items, short count)\n  types: |\n{declared}",
        ),
    )
    new = TABLE_OLD.replace("Total", "sum_of")
    assert verdict(ported.case(*changes, old=TABLE_OLD, new=new), scenes=6) == "verified"
    wrong = new.replace("[kRows - 1]", "[kRows - 2]")
    assert verdict(ported.case(*changes, old=TABLE_OLD, new=wrong), scenes=6) == "refuted"


@pytest.mark.slow
def test_the_case_declares_structs_of_an_old_program(ported: Porting) -> None:
    """Its own program has them under another name."""
    case = ported.case(*ITEMS_CASE, old=ITEMS_OLD, new=ITEMS_NEW)
    assert verdict(case, scenes=6) == "verified"
    wrong = ITEMS_NEW.replace("items[n - 1].best", "items[n].best")
    case = ported.case(*ITEMS_CASE, old=ITEMS_OLD, new=wrong)
    assert verdict(case, scenes=6) == "refuted"
    for change, message in (
        (
            ("{ char tag;", "{ chur tag;"),
            r"line 17: column 23: there is no type chur; did you mean char\?",
        ),
        ((TYPES, ""), "line 16: column 12: there is no type Item"),
    ):
        with pytest.raises(CaseError, match=message):
            verdict(ported.case(*ITEMS_CASE, change, old=ITEMS_OLD, new=ITEMS_NEW))
