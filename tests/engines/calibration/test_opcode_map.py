"""The whole opcode map: every form is in it, all of it is legal, and mistakes in it are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emu.checks.isa_m68k import check_68000, check_68040
from emu.checks.isa_model import NOTE
from emu.checks.isa_ppc import check_601
from emu.engines.calibration import operands, stubs
from emu.engines.calibration.calibration import calibrate
from emu.engines.calibration.instructions import ProbeInstruction
from emu.engines.calibration.opcodes.opcode_map import opcode_map
from emu.engines.calibration.probes import ProbePlan, ask, program_of
from emu.engines.calibration.rulings import Ruling
from emu.machine import CPUS
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import Cpu
from emu.machine.memory.memory import GuestMemory
from emu.program import Program
from emu.program.instructions.m68k.forms import forms, mode_of
from emu.program.instructions.m68k.instruction_words import read_instruction
from tests.engines.calibration.test_calibration import Altered, Like

Run = Callable[..., Any]
CHECKS = {"68000": check_68000, "68040": check_68040, "601": check_601}
ASL_MEMORY = bytes.fromhex("e1d3")  # ASL.W (A3)


def probe(processor: str, code: str) -> ProbeInstruction:
    """The instruction of the map with some bytes."""
    (found,) = (one for one in opcode_map(processor).instructions if one.code.hex() == code)
    return found


@pytest.mark.parametrize(("name", "least"), [("68000", 3000), ("68040", 11000), ("601", 700)])
def test_every_instruction_is_one_that_the_processor_has(name: str, least: int) -> None:
    instructions = opcode_map(name).instructions
    assert len(instructions) >= least
    assert len({one.code for one in instructions}) == len(instructions)
    lacking = [
        (one.text, str(finding))
        for one in instructions
        for finding in CHECKS[name](0, one.code)
        if finding.weight != NOTE
    ]
    assert lacking == []


@pytest.mark.parametrize("name", ["68000", "68040"])
def test_every_form_has_every_addressing_mode(name: str) -> None:
    is_68000 = name == "68000"
    seen: dict[tuple[int, int], set[str]] = {}
    for one in opcode_map(name).instructions:
        word = int.from_bytes(one.code[:2], "big")
        words = read_instruction(one.code, full=not is_68000) if word >> 12 != 15 else None
        if words is not None:
            assert words.size == len(one.code), one.text
            key = words.form.mask, words.form.value
            seen.setdefault(key, set()).add(mode_of(word) if words.form.modes else "-")
    for form in forms():
        if form.value >> 12 == 15 or (form.mask, form.value) not in seen:
            continue
        field = next((field for field in form.fields if field.place == "ea"), None)
        wanted = (field.modes if is_68000 else field.later_modes) if field else "-"
        assert seen[form.mask, form.value] == set(wanted), form
    left_out = {name for kind in opcode_map(name).left_out for name in kind.mnemonics}
    for form in forms():
        is_here = form.since == "68000" or (not is_68000 and form.since != "68020only")
        if is_here and form.value >> 12 != 15:
            assert ((form.mask, form.value) in seen) != (form.mnemonic in left_out), form.mnemonic


def test_what_cannot_be_probed_is_counted_by_its_kind() -> None:
    kinds = {one.kind: one for one in opcode_map("68040").left_out}
    assert set(kinds) == {
        "branches, calls, returns and traps",
        "privileged instructions",
        "operations that a 68040 leaves to software",
    }
    assert {"movec", "rte", "stop"} <= set(kinds["privileged instructions"].mnemonics)
    assert "fsin" in kinds["operations that a 68040 leaves to software"].mnemonics
    power = opcode_map("601").left_out
    assert any("doz" in kind.mnemonics and "maskg" in kind.mnemonics for kind in power)
    assert all(kind.kind and kind.instructions >= len(kind.mnemonics) for kind in power)


def test_every_instruction_has_a_text_with_its_operands() -> None:
    for name in CHECKS:
        for one in opcode_map(name).instructions:
            assert "0x" not in one.text.split(" ")[0], one
            assert "invalid" not in one.text and "a16" not in one.text, one
            assert not one.text.endswith(f"(0x{one.code.hex()})"), one
    assert probe("601", "7e863c15").text == "addco. r20, r6, r7"
    assert probe("601", "fe863840").text == "fcmpo cr5, f6, f7"


def test_reserved_fields_of_powerpc_are_zero() -> None:
    for opcode, reserved in (
        (0x7C000026, 0x001FF800),  # MFCR: A and B
        (0x7C0000D0, 0x0000F800),  # NEG: B
        (0xFC000090, 0x001F0000),  # FMR: A
        (0xFC000032, 0x0000F800),  # FMUL: B
        (0x7C000000, 0x00600001),  # CMP: L, and the bit before it
    ):
        mask = 0xFC0007FE if opcode & 0x3F != 0x32 else 0xFC00003E
        words = (int.from_bytes(one.code, "big") for one in opcode_map("601").instructions)
        matching = [word for word in words if word & mask == opcode & mask]
        assert matching
        assert all(word & reserved == 0 for word in matching), hex(opcode)


def test_states_have_all_flags_and_all_modes() -> None:
    fadd = probe("68040", "f2000522")  # FADD.X FP1,FP2
    states = operands.states(CPUS["68040"], fadd, 32, seed=1)
    assert set(states["ccr"].tolist()) == set(range(32))
    modes = {int(value) >> 4 & 15 for value in states["fpcr"]}
    assert modes == set(range(12))
    states = operands.states(CPUS["601"], probe("601", "fe86382a"), 8, seed=1)
    assert {int(value) >> 29 for value in states["xer"]} == set(range(8))
    assert {int(value) for value in states["fpscr"]} == {0, 1, 2, 3}


def test_memory_indirect_operands_lie_in_the_probe_s_memory() -> None:
    pointer = np.frombuffer(operands.memory(1), ">u4")[(stubs.TABLE - stubs.DATA) // 4 :]
    assert ((pointer >= stubs.DATA) & (pointer < stubs.DATA + stubs.DATA_SIZE)).all()
    plan = ProbePlan("68040", tuple(
        one for one in opcode_map("68040").instructions
        if one.text.startswith("add.l") and "([" in one.text
    ), 4, 1)  # fmt: skip
    assert len(plan) > 20
    _, answers = ask(plan, None)
    assert all(answer is not None and not answer.stopped for answer in answers)


def test_a_sample_has_all_mnemonics_first_and_depends_on_the_seed() -> None:
    whole = opcode_map("601")
    names = {one.text.split(" ")[0] for one in whole.instructions}
    some = whole.sample(len(names), 7)
    assert {one.text.split(" ")[0] for one in some} == names
    assert some == whole.sample(len(names), 7)
    assert some != whole.sample(len(names), 8)
    assert whole.sample(0, 7) == whole.sample(10**6, 7) == whole.instructions


@pytest.mark.parametrize("name", ["68000", "601"])
def test_a_planted_mistake_is_found_in_the_map(name: str) -> None:
    whole = opcode_map(name)
    plan = ProbePlan(name, whole.sample(100, 3), 4, 3)
    found = calibrate(plan, {"unicorn": None, "altered": Altered})
    assert {one.part for one in found.open} == {"ccr" if name == "68000" else "xer"}
    assert calibrate(plan, {"unicorn": None, "like": Like}).open == ()


class OneRefused(Like):
    """Refuses every program that has a certain instruction."""

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        if ASL_MEMORY in program.segments[0].data:
            raise EngineRefusal("it executes ASL of a word in memory otherwise")
        super().__init__(cpu, program, memory)


def test_one_instruction_that_an_engine_refuses_does_not_silence_it() -> None:
    codes = ("d441", ASL_MEMORY.hex(), "45fb4820")  # ADD.W D1,D2; LEA $20(PC,D4.L),A2
    chosen = {one.code.hex(): one for one in opcode_map("68000").instructions}
    plan = ProbePlan("68000", tuple(chosen[code] for code in codes if code in chosen), 2, 1)
    assert len(plan.instructions) >= 2
    at = plan.instructions.index(probe("68000", ASL_MEMORY.hex()))
    found = calibrate(plan, {"unicorn": None, "one": OneRefused})
    assert found.disagreements == ()  # LEA of the PC too, since stubs stay where they are
    assert found.engines["one"].answered == len(plan) - plan.states
    assert program_of(plan)[1] == program_of(plan, {at})[1]


def test_a_ruling_may_be_about_other_modes_only() -> None:
    plan = ProbePlan("601", (probe("601", "fe86382a"),), 16, 1)  # fadd f20, f6, f7
    about = Ruling("powerpc", ("fadd",), ("f20",), frozenset({"nearest"}), "Rounds.", "601", True)
    engines = {"unicorn": None, "nearest": Nearest}
    found = calibrate(plan, engines, [about])
    assert found.disagreements
    assert all(one.in_modes for one in found.disagreements)
    assert found.open == ()
    assert calibrate(plan, engines, []).open == tuple(
        replace(one, judgement=None) for one in found.disagreements
    )


class Nearest(Like):
    """Rounds to nearest whatever FPSCR says, and leaves it as it was."""

    def execute(self, start: int, until: int) -> str:
        fields: Any = stubs.state_of(self.cpu).fields
        mode = self.memory.view(stubs.BEFORE + int(fields["fpscr"][1]) + 7, 1)
        before, mode[0] = int(mode[0]), 0
        super().execute(start, until)
        mode[0] = before
        self.memory.view(stubs.AFTER + int(fields["fpscr"][1]) + 7, 1)[0] = before
        return ""


def test_two_rulings_together_explain_what_none_does_alone() -> None:
    plan = ProbePlan("601", (probe("601", "fe86382a"),), 16, 1)
    engines = {"unicorn": None, "nearest": Nearest, "zero": Zero}
    rulings = [
        Ruling("powerpc", ("fadd",), ("f20",), frozenset({name}), "Adds.", "601")
        for name in ("nearest", "zero")
    ]
    found = calibrate(plan, engines, rulings)
    three = [one for one in found.disagreements if len(one.camps) == 3]
    assert three
    assert all(one.judgement and one.judgement.wrong == {"nearest", "zero"} for one in three)
    everybody = [*rulings, replace(rulings[0], wrong=frozenset({"unicorn"}))]
    assert [one for one in calibrate(plan, engines, everybody).open if len(one.camps) == 3]


class Zero(Like):
    """Has 0 for the sum."""

    def execute(self, start: int, until: int) -> str:
        super().execute(start, until)
        fields: Any = stubs.state_of(self.cpu).fields
        self.memory.view(stubs.AFTER + int(fields["f20"][1]), 8)[:] = 0
        return ""


def test_the_command_says_what_it_did_not_probe(macproof: Run, qemu: None) -> None:
    words = ("calibrate", "--cpu", "68000", "--most", 4, "--states", 1)
    done = macproof(*words, "--engine", "unicorn", "--engine", "qemu-user")
    assert "4 instructions of" in done.out
    more = len(opcode_map("68000").instructions) - 4
    assert f"{more:,} more instructions of the opcode map were not probed" in done.out
    assert "19 privileged instructions" in done.out
