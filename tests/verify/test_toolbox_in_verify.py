"""Routines that call the Toolbox: in verify, in explain, and as functions of a machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import macproof
from emu.checks.memory import LeftCalls
from tests.rows import slow_but

CPUS = ("68000", "68040", "601")
OBSERVED = "gKept: rolls, gTicks: rolls, gBox: rolls, gArea: rolls, gCopy: rolls, gBits: rolls"

SOURCE = """
#include <Events.h>
#include <FixMath.h>
#include <Memory.h>
#include <Quickdraw.h>

long gTicks[3];
short gRolls[6];
Rect gBox;
Fixed gArea;
char gText[8], gCopy[8];
unsigned char gBits[8], gOut[8];
short gSides;

void Roll(short count)
{
    short n;
    for (n = 0; n < count; n++)
        gRolls[n] = (short) ((unsigned short) Random() % gSides + 1);
}

void Everything(void)
{
    Handle block;
    BitMap from, to;
    short n;

    for (n = 0; n < 3; n++)
        gTicks[n] = TickCount();
    SetRect(&gBox, 0, 0, 16, 4);
    gArea = FixMul(0x18000, -0x28000);
    block = NewHandle(8);
    BlockMove(gText, *block, 8);
    BlockMove(*block, gCopy, 8);
    DisposeHandle(block);
    from.baseAddr = (Ptr) gBits;
    to.baseAddr = (Ptr) gOut;
    from.rowBytes = to.rowBytes = 2;
    from.bounds = to.bounds = gBox;
    CopyBits(&from, &to, &gBox, &gBox, srcCopy, NULL);
}

short Null(const short *p) { return (short) TickCount() + *p; }
void Twice(void) { Handle h = NewHandle(4); DisposeHandle(h); DisposeHandle(h); }
void Forever(void) { TickCount(); for (;;) ; }
void Nowhere(void) { SetRect((Rect *) 0x12345678, 1, 2, 3, 4); }
void Leave(void) { ExitToShell(); }
short Either(const short *p) { return p ? *p : (short) TickCount(); }
short Plain(short a) { return a + 1; }
#ifdef powerc
void Unknown(void) { asm volatile ("sc" : : : "memory"); }
#else
void Unknown(void) { asm volatile (".short 0xA08D" : : : "memory"); }
#endif
"""

CASE = """
schema: macproof.case/1
name: dice
title: Dice that Random rolls
sources: [dice.c]
call: Roll
cpus: [68000, 68040, 601]
arguments: {count: objects}
input: {gSides: sides}
environment: {random_seed: 1}
scene:
  make: dice_reference:make_scene
  generators: [any]
  objects: [0, 1, 6]
  count: 12
observe: {gRolls: rolls}
reference: dice_reference:roll
"""

REFERENCE = """
from dataclasses import dataclass, replace

@dataclass(frozen=True)
class Table:
    objects: int
    sides: int
    generator: str
    seed: int
    def keep(self, indices): return replace(self, objects=len(indices))
    @property
    def answers(self): return [self.seed * 7 % 50 - n for n in range(self.objects)]
    @property
    def same(self): return -self.seed

@dataclass(frozen=True)
class Rolled:
    rolls: list

def make_scene(generator, objects, seed, *, width, height):
    return Table(objects, 2 + seed % 19, generator, seed)

def roll(table):
    seed, rolls = 1, []
    for _ in range(table.objects):
        seed = seed * 16807 % 0x7FFFFFFF
        low = 0 if seed & 0xFFFF == 0x8000 else seed & 0xFFFF
        rolls.append(low % table.sides + 1)
    return Rolled(rolls)

def answered(table):
    return Rolled([(answer & 0xFFFF) % table.sides + 1 for answer in table.answers])

def always(table):
    return Rolled([(table.same & 0xFFFF) % table.sides + 1] * table.objects)
"""


@pytest.fixture
def folder(tmp_path: Path, compilers: Callable[..., None]) -> Path:
    compilers(*CPUS)
    for name, text in (("dice.c", SOURCE), ("case.yaml", CASE), ("dice_reference.py", REFERENCE)):
        (tmp_path / name).write_text(text.lstrip())
    return tmp_path


def replace(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)


def verify(folder: Path, builds: tuple[str, ...] = ("O2",)) -> macproof.Verification:
    case = macproof.load_case(folder)
    return macproof.verify(case, macproof.programs_of(case, builds=builds), jobs=1)


@pytest.fixture(params=slow_but(["68040"], CPUS))
def machine(request: pytest.FixtureRequest, folder: Path) -> macproof.Machine:
    """A machine with all functions of the source."""
    names = "Everything Either Null Twice Forever Nowhere Leave Plain Unknown"
    keep = "".join(f"(void *) {name}, " for name in names.split())
    source = folder / "dice.c"
    source.write_text(f"{source.read_text()}void *gKept[] = {{ {keep} }};\n")
    replace(
        folder / "case.yaml",
        ("{gSides: sides}", "{gSides: sides, gText: sides}"),
        ("{gRolls: rolls}", f"{{gRolls: rolls, gOut: rolls, {OBSERVED}}}"),
    )
    case = macproof.load_case(folder)
    program = macproof.programs_of(case, cpus=[request.param], builds=["O1"])[0]
    return macproof.Machine(program, budget=macproof.Budget(seconds=1))


# -- in verify -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_random_rolls_the_same_dice_from_a_given_seed_on_every_processor(folder: Path) -> None:
    found = verify(folder, ("O0", "O2"))
    assert found.verdict == "verified", found.text


@pytest.mark.slow
def test_calls_that_ask_the_toolbox_are_not_all_checked_on_every_access_which_is_said(
    folder: Path,
) -> None:
    found = verify(folder)
    old, *newer = found.report.results
    for result in newer:
        assert result.memory is not None and result.toolbox is not None
        asked = result.toolbox.asked
        assert 0 < asked < result.calls
        assert result.memory.left == (LeftCalls(asked, "a call of the operating system"),)
    assert old.memory is not None and newer[0].memory is not None
    assert 0 < old.memory.left_calls < newer[0].memory.left_calls, "hooks look at eight scenes"
    calls = sum(result.calls for result in found.report.results)
    left = sum(result.memory.left_calls for result in found.report.results if result.memory)
    assert f"on every access in {calls - left:,} of {calls:,} calls" in str(found.document.outcome)
    case = macproof.load_case(folder)
    programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
    full = macproof.verify(case, programs, checks="full", jobs=1).report.results[0]
    assert full.memory is not None and full.memory.left == ()


@pytest.mark.slow
def test_a_wrong_use_is_refuted_and_explained_at_its_line(folder: Path) -> None:
    replace(folder / "dice.c", ("% gSides + 1)", "% gSides)"))
    report = verify(folder)
    assert report.verdict == "refuted"
    found = macproof.explain(report).explanation
    assert found is not None and found.divergence is not None
    assert found.divergence.place == "gRolls[0]"
    assert "Roll+" in str(found.writer) and "dice.c:18" in str(found.writer)


@pytest.mark.slow
def test_what_a_routine_of_the_toolbox_wrote_is_told_by_the_line_that_calls_it(
    folder: Path,
) -> None:
    """On the 68K that is the line behind the glue, which has none."""
    replace(
        folder / "dice.c",
        ("void Roll(short count)\n{", "void Roll(short count)\n{\n    short wrong = 77;"),
        (" % gSides + 1);\n", " % gSides + 1);\n    if (count) BlockMove(&wrong, gRolls, 2);\n"),
    )
    report = verify(folder, ("O1",))
    for cpu in ("68040", "601"):
        found = macproof.explain(report, cpus=[cpu]).explanation
        assert found is not None and found.divergence is not None
        assert (found.divergence.place, found.divergence.found) == ("gRolls[0]", "77")
        assert "Roll+" in str(found.writer) and "dice.c:" in str(found.writer)


@pytest.mark.slow
def test_a_mistake_that_the_toolbox_notices_is_refuted(folder: Path) -> None:
    replace(
        folder / "dice.c",
        (
            "    short n;\n    for (n = 0; n < count",
            "    short n;\n    Twice();\n    for (n = 0; n < count",
        ),
        ("void Roll", "void Twice(void);\nvoid Roll"),
    )
    report = verify(folder)
    assert report.verdict == "refuted"
    assert "had disposed of (found in a call of DisposeHandle)" in report.to_json()


@pytest.mark.slow
def test_what_calls_no_toolbox_is_not_slowed_and_needs_no_glue(folder: Path) -> None:
    source = folder / "dice.c"
    replace(source, ("(unsigned short) Random()", "(unsigned short) (n + 1)"))
    case = macproof.load_case(folder)
    for subject in macproof.programs_of(case, builds=["O2"]):
        machine = macproof.Machine(subject)
        machine.functions.Roll(0)
        assert machine.calls._slow.system is None
    source.write_text(source.read_text().partition("void Everything")[0])
    for subject in macproof.programs_of(case, builds=["O2"]):
        machine = macproof.Machine(subject)
        machine.functions.Roll(0)
        names = {symbol.name for symbol in machine.program.symbols}
        assert not {"Random", "TickCount"} & names
        assert machine.calls._slow.system is None


# -- answers from the scene ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("attribute", "reference"), [("answers", "answered"), ("same", "always")])
def test_a_routine_is_answered_from_the_scene(folder: Path, attribute: str, reference: str) -> None:
    case = folder / "case.yaml"
    replace(case, ("dice_reference:roll", f"dice_reference:{reference}"))
    case.write_text(f"{case.read_text()}toolbox: {{Random: {attribute}}}\n")
    assert verify(folder).verdict == "verified"


@pytest.mark.slow
def test_more_calls_than_answers_are_refuted(folder: Path) -> None:
    case = folder / "case.yaml"
    replace(case, ("dice_reference:roll", "dice_reference:answered"))
    replace(folder / "dice.c", ("n < count; n++)", "n <= count - (count == 6 ? 0 : 1); n++)"))
    case.write_text(f"{case.read_text()}toolbox: {{Random: answers}}\n")
    report = verify(folder)
    assert report.verdict == "refuted"
    assert (
        "Random was called more often than the 6 times that the scene answers" in report.to_json()
    )


@pytest.mark.slow
def test_a_misspelled_routine_is_refused_with_its_line(folder: Path) -> None:
    case = folder / "case.yaml"
    case.write_text(f"{case.read_text()}toolbox: {{Randum: same}}\n")
    with pytest.raises(macproof.CaseError, match=r"line \d+: .*no routine Randum .*Random"):
        verify(folder)


def test_an_answer_that_is_no_number_is_refused(folder: Path) -> None:
    case = folder / "case.yaml"
    case.write_text(f"{case.read_text()}toolbox: {{Random: big}}\n")
    replace(
        folder / "dice_reference.py",
        (
            "    @property\n    def same",
            "    @property\n    def big(self): return 1 << 33\n    @property\n    def same",
        ),
    )
    with pytest.raises(
        macproof.CaseError, match="gives answers of Random, has a number of more than"
    ):
        verify(folder)


# -- functions of a machine ------------------------------------------------------------------------


def test_routines_of_many_managers_do_their_work(machine: macproof.Machine) -> None:
    machine.globals["gText"][...] = list(b"toolbox!")
    machine.globals["gBits"][...] = list(range(8))
    machine.functions.Everything()
    # A run begins a minute after start-up.
    assert machine.globals["gTicks"].tolist() == [3609, 3610, 3611]
    assert machine.globals["gBox"].tolist() == (0, 0, 4, 16)
    assert int(machine.globals["gArea"]) == -0x3C000
    assert bytes(machine.globals["gCopy"]) == b"toolbox!"
    assert bytes(machine.globals["gOut"]) == bytes(range(8))


def test_no_call_influences_the_next(machine: macproof.Machine) -> None:
    machine.globals["gSides"][...] = 1000
    machine.functions.Roll(6)
    first = machine.globals["gRolls"].tolist()
    machine.functions.Everything()
    machine.functions.Roll(6)
    assert machine.globals["gRolls"].tolist() == first
    assert machine.functions.Plain(4) == 5


def test_of_many_calls_the_first_that_faults_is_told(machine: macproof.Machine) -> None:
    """Calls of one batch that fault, ask the Toolbox, and do neither."""
    routine = machine.program.function("Either")
    site = machine.typed_site(routine, ["p"], [machine.program.type("long")], None)
    place = machine.allocate(16)
    site = dataclasses.replace(site, address=place)
    images = np.tile(machine.data.copy(), (4, 1))
    start = machine.data.offset(place)
    for row, address in enumerate((place, 0, 8, 0)):
        images[row, start : start + 4] = list(address.to_bytes(4, "big"))
    batch = machine.calls.run(site, images)
    assert batch.completed == 2
    assert batch.fault is not None and batch.fault.kind == "access"


def test_a_null_pointer_is_a_fault_although_the_toolbox_has_low_memory(
    machine: macproof.Machine,
) -> None:
    with pytest.raises(macproof.GuestFault, match=r"at 0x00000000[^\n]*\n  at .*Null\+.*dice.c:42"):
        machine.functions.Null(None)


def test_a_bad_address_is_told_with_the_routine(machine: macproof.Machine) -> None:
    with pytest.raises(macproof.GuestFault, match=r"SetRect \(0x12345678, 1, 2, 3, 4\): there"):
        machine.functions.Nowhere()


def test_a_handle_that_is_disposed_of_twice_breaks_the_contract(machine: macproof.Machine) -> None:
    with pytest.raises(macproof.ContractViolation, match="found in a call of DisposeHandle"):
        machine.functions.Twice()


@pytest.mark.slow
def test_a_loop_without_end_and_an_early_end_are_faults(machine: macproof.Machine) -> None:
    with pytest.raises(macproof.GuestFault, match="did not end within 1 seconds"):
        machine.functions.Forever()
    with pytest.raises(macproof.GuestFault, match="it ended the program"):
        machine.functions.Leave()


def test_a_routine_that_the_toolbox_lacks_is_told(machine: macproof.Machine) -> None:
    what = (
        "system call" if machine.cpu.name == "601" else r"trap 0xA08D \(DebugUtil\), which macproof"
    )
    with pytest.raises(macproof.GuestFault, match=what):
        machine.functions.Unknown()


def test_a_routine_that_the_toolbox_lacks_makes_a_verdict_inconclusive(folder: Path) -> None:
    replace(
        folder / "dice.c",
        (
            "void Roll(short count)\n{",
            'void Roll(short count)\n{\n    asm volatile (".short 0xA08D");',
        ),
    )
    case = macproof.load_case(folder)
    report = macproof.verify(
        case, macproof.programs_of(case, cpus=["68040"], builds=["O1"]), jobs=1
    )
    assert report.verdict == "inconclusive"
    assert "trap 0xA08D (DebugUtil), which macproof does not have" in report.to_json()


def test_traps_of_an_application_are_answered() -> None:
    path = Path(__file__).parents[2] / "mac_src/prebuilt/mac/68000/Four Shifts.bin"
    program = macproof.read_program(path, architecture="m68k")
    machine = macproof.Machine(program, "68000")
    box = machine.allocate(8)
    machine.call("SetRect", box, 1, 2, 3, 4)
    assert machine.read(box, 8) == bytes([0, 2, 0, 1, 0, 4, 0, 3])


def test_a_routine_that_no_header_declares_is_named_by_the_linker(folder: Path) -> None:
    replace(folder / "dice.c", ("(unsigned short) Random()", "PBMystery()"))
    with pytest.raises(macproof.CompileError, match="PBMystery"):
        verify(folder)
