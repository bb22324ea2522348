"""Mutants of instructions."""

from __future__ import annotations

from pathlib import Path

import pytest

import emu.cli
from emu.base.errors import ProgramError, UsageError
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.machine.cpu import CPUS
from emu.program import read_program
from emu.program.model.patches import with_patches
from emu.search.selfcheck.broken_code import FromPrograms
from emu.search.selfcheck.instruction_changes import CHANGES
from emu.search.selfcheck.selfcheck import selfcheck
from emu.toolchain.sources import mac_sources
from tests.search.selfcheck.test_selfcheck import run, strong, weak
from tests.small_cases import SmallCases


@pytest.fixture
def cases(tmp_path: Path) -> SmallCases:
    return SmallCases(tmp_path)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("6704", ["condition: bne.b $6", "removal: nop"]),
        ("6004", ["removal: nop"]),  # BRA
        ("51c8fffe", ["condition: dbt d0, $0", "removal: nop"]),
        ("7003", ["constant: moveq #$4, d0", "removal: nop"]),
        ("d081", ["arithmetic: sub.l d1, d0", "removal: nop"]),
        ("5088", ["arithmetic: subq.l #$8, a0", "constant: addq.l #$1, a0", "removal: nop"]),
        ("c041", ["bitwise: or.w d1, d0", "removal: nop"]),
        ("c141", ["removal: nop"]),  # EXG
        ("c0c1", ["arithmetic: divu.w d1, d0", "removal: nop"]),
        ("e348", ["shift: lsr.w #$1, d0", "constant: lsl.w #$2, d0", "removal: nop"]),
        ("4440", ["unary: not.w d0", "removal: nop"]),
        ("0c400007", ["constant: cmpi.w #$6, d0", "removal: nop"]),
        ("0280000000ff", ["bitwise: ori.l #$ff, d0", "constant: andi.l #$fe, d0", "removal: nop"]),
        ("303c0010", ["constant: move.w #$11, d0", "removal: nop"]),
        ("08000003", ["constant: btst.b #$2, d0", "removal: nop"]),
        ("4e71", []),
    ],
)
def test_a_68k_instruction_is_changed(code: str, changes: list[str]) -> None:
    assert told("68040", code) == changes


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("41820008", ["condition: bne 8", "removal: nop"]),
        ("4d820020", ["condition: bnelr", "removal: nop"]),
        ("42000008", ["condition: bdz 8", "removal: nop"]),
        ("38600007", ["constant: li r3, 8", "removal: nop"]),
        ("2c03ffff", ["constant: cmpwi r3, 0", "removal: nop"]),
        ("7c632214", ["arithmetic: subf r3, r3, r4", "removal: nop"]),
        ("7c632378", ["bitwise: and r3, r3, r4", "removal: nop"]),
        ("7c832378", ["removal: nop"]),  # MR
        ("7c632030", ["shift: srw r3, r3, r4", "removal: nop"]),
        ("7c630e70", ["constant: srawi r3, r3, 0", "removal: nop"]),
        ("7c630734", ["unary: extsb r3, r3", "removal: nop"]),
        ("fc21102a", ["arithmetic: fsub f1, f1, f2", "removal: nop"]),
        ("48000008", ["removal: nop"]),
        ("60000000", []),
    ],
)
def test_a_powerpc_instruction_is_changed(code: str, changes: list[str]) -> None:
    assert told("601", code) == changes


def told(cpu: str, code: str) -> list[str]:
    piece, found = bytes.fromhex(code), []
    for operator, changed in CHANGES[CPUS[cpu].architecture](piece):
        assert len(changed) == len(piece)
        assert changed != piece
        found.append(f"{operator}: {CPUS[cpu].disassemble(changed)}")
    return found


def test_patches_take_the_place_of_code() -> None:
    program = read_program(mac_sources() / "prebuilt" / "four-shifts-601-O2.elf")
    address = program.function("_DetermineCollisions")
    changed = with_patches(program, [(address, b"abcd"), (address + 4, b"ef")])
    (code,) = (one for one in changed.segments if one.address <= address < one.end)
    start = address - code.address
    assert code.data[start : start + 6] == b"abcdef"
    (before,) = (one for one in program.segments if one.address <= address < one.end)
    assert before.data[start : start + 6] != b"abcdef"
    assert len(code.data) == len(before.data)
    with pytest.raises(ProgramError, match="it has no 4 bytes at 0x7fffffff"):
        with_patches(program, [(0x7FFFFFFF, b"abcd")])


@pytest.mark.slow
def test_instructions_of_a_routine_are_changed_and_found_out(cases: SmallCases) -> None:
    case = strong(cases)
    report = selfcheck(case, programs_of(case, cpus=["601"]), on_code=True, limit=60).report
    assert report.programs[0].startswith("601 ")
    assert report.score is not None
    assert report.score > 0.8
    assert {one.file for one in report.mutants} == {"small.cpp"}
    assert all(one.key.startswith("601 ") for one in report.mutants)
    assert all(one.survived_on in ((), (one.key.partition(",")[0],)) for one in report.mutants)


@pytest.mark.slow
def test_a_changed_constant_that_kind_scenes_miss_survives(cases: SmallCases) -> None:
    code, report = run(weak(cases), "--code", "--cpu", "601")
    assert code == 1
    constants = [one for one in report["mutants"] if one["operator"] == "constant"]
    survivors = [one["before"] for one in constants if one["fate"] == "survived"]
    assert any(before.endswith("0x1f3") for before in survivors)
    code, report = run(strong(cases), "--code", "--cpu", "601")
    killed = [one["before"] for one in report["mutants"] if one["fate"] == "diverged"]
    assert any(before.endswith("0x1f3") for before in killed)


@pytest.mark.slow
def test_a_program_that_is_given_has_its_instructions_changed(
    cases: SmallCases, capsys: pytest.CaptureFixture[str]
) -> None:
    case = strong(cases)
    program = cases.subject(case, "601", "O2").program
    words = ["selfcheck", str(case.path), "--program", str(program), "--cpu", "601", "--limit", "9"]
    assert emu.cli.main(words) in (0, 1)
    assert "Programs: 601 given." in " ".join(capsys.readouterr().out.split())


def test_a_processor_whose_instructions_nobody_changes_is_refused(cases: SmallCases) -> None:
    case = strong(cases)
    given = (Subject("mips", "given", case.path),)
    with pytest.raises(UsageError, match=r"instructions of a .* cannot be changed"):
        FromPrograms.of(Selection(case, (), "", given=given), [])
