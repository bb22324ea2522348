"""Calibration: equal engines agree, an altered one is found, a judgement explains a difference."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from emu.commands.calibrate import EXIT_CODES
from emu.engines.calibration import operands, stubs
from emu.engines.calibration.calibration import Calibration, calibrate
from emu.engines.calibration.instructions import (
    ProbeInstruction,
    find_instructions,
    form_of,
    m68k_instruction,
    ppc_instruction,
)
from emu.engines.calibration.judgements import JUDGEMENTS
from emu.engines.calibration.probes import ProbePlan
from emu.engines.calibration.rulings import Ruling
from emu.machine import CPUS
from emu.machine.calls.other_engine import EngineRefusal, SequentialEngine
from emu.machine.cpu import Cpu
from emu.machine.engine.fast_engine import FastEngine
from emu.machine.memory.memory import GuestMemory
from emu.program import Program, read_program
from emu.report.document import CheckStatus, Tone
from emu.verify.documents.calibration_document import calibration_document

Run = Callable[..., Any]

M68K = {"sub.l d3, d2": "9483", "lsl.l #2, d0": "e588", "move.l (a2), d1": "2212"}
PPC = {"subfc r3,r4,r5": "7c642810", "srawi r3,r4,3": "7c831e70", "stw r3,8(r4)": "90640008"}


class Like(SequentialEngine):
    """An engine that executes as Unicorn does."""

    version = "like unicorn"

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        self.cpu, self.memory = cpu, memory
        self.fast = FastEngine(cpu, memory)

    def execute(self, start: int, until: int) -> str:
        self.fast.run(start, until)
        return ""


class Altered(Like):
    """Subtracts without the carry, as far as flags go."""

    def execute(self, start: int, until: int) -> str:
        super().execute(start, until)
        name, bit = ("ccr", 1) if self.cpu.architecture == "m68k" else ("xer", 0x20)
        fields = stubs.state_of(self.cpu).fields or {}
        place = stubs.AFTER + fields[name][1] + (1 if name == "ccr" else 0)
        self.memory.view(place, 1)[0] &= 0xFF - bit
        return ""


class Crashing(Like):
    """Ends its process on every second probe or so."""

    def execute(self, start: int, until: int) -> str:
        if self.memory.view(stubs.BEFORE + 3, 1)[0] & 1:
            os._exit(9)
        return super().execute(start, until)


class Refusing(Like):
    """Executes nothing."""

    def __init__(self, cpu: Cpu, program: Program, memory: GuestMemory) -> None:
        raise EngineRefusal("it has no such processor")


def plan(name: str, states: int = 12) -> ProbePlan:
    cpu = CPUS[name]
    if cpu.architecture == "m68k":
        made = tuple(m68k_instruction(cpu, bytes.fromhex(code)) for code in M68K.values())
    else:
        found = [ppc_instruction(bytes.fromhex(code)) for code in PPC.values()]
        made = tuple(one for one in found if one is not None)
    return ProbePlan(name, made, states, seed=1)


def verdict(calibration: Calibration) -> Tone:
    document = calibration_document([calibration], command=["macproof"], seconds=1.0)
    assert document.outcome is not None
    is_red = any(check.fate is CheckStatus.FAILURE for check in document.checks)
    assert is_red == (document.outcome.tone is Tone.BAD)
    return document.outcome.tone


@pytest.mark.parametrize("name", ["68000", "68040", "601"])
def test_equal_engines_agree(name: str) -> None:
    found = calibrate(plan(name), {"unicorn": None, "like": Like})
    assert found.disagreements == ()
    assert found.agreement == {("unicorn", "like"): (36, 36)}
    assert found.engines["like"].version == "like unicorn"
    assert found.engines["unicorn"].answered == 36
    assert verdict(found) is Tone.GOOD


def test_engines_that_answer_nothing_are_not_calibrated() -> None:
    found = calibrate(plan("601"), {"unicorn": None, "other": Refusing})
    assert found.compared == 0
    document = calibration_document([found], command=["macproof"], seconds=1.0)
    assert document.outcome is not None
    assert document.outcome.word == "nothing compared"
    (check,) = document.checks
    assert (check.fate, check.message) == (CheckStatus.ERROR, "it has no such processor")
    assert EXIT_CODES[document.data.verdict] == 4


@pytest.mark.parametrize(
    ("name", "form", "part"), [("68040", "sub.l d, d", "ccr"), ("601", "subfc", "xer")]
)
def test_an_engine_altered_on_purpose_is_found(name: str, form: str, part: str) -> None:
    found = calibrate(plan(name), {"unicorn": None, "altered": Altered})
    assert {one.part for one in found.disagreements} == {part}
    (first,) = [one for one in found.disagreements if one.form == form]
    assert first.camps == (("unicorn",), ("altered",))
    assert 0 < first.probes <= 12
    assert first.results["unicorn"] != first.results["altered"]
    assert part in first.begins
    assert found.open == found.disagreements
    assert verdict(found) is Tone.BAD


@pytest.mark.slow
def test_a_judgement_explains_a_disagreement() -> None:
    """Unless it calls another engine wrong."""
    blamed = Ruling("m68k", ("*",), ("ccr",), frozenset({"altered"}), "Carry is set.", "PRM")
    engines = {"unicorn": None, "like": Like, "altered": Altered}
    found = calibrate(plan("68040"), engines, [blamed])
    assert found.disagreements[0].camps == (("unicorn", "like"), ("altered",))
    assert found.open == ()
    assert verdict(found) is Tone.GOOD
    for wrong in ({"unicorn"}, {"like"}):
        other = [replace(blamed, wrong=frozenset(wrong))]
        assert calibrate(plan("68040", 4), engines, other).open


def test_an_engine_that_ends_its_process_is_asked_no_more_about_that_instruction() -> None:
    found = calibrate(plan("68040"), {"unicorn": None, "crashing": Crashing})
    assert found.engines["crashing"].crashed == 3
    assert found.engines["crashing"].answered < 36
    assert {one.part for one in found.disagreements} == {"stops"}
    assert "ended its process" in {one.results["crashing"] for one in found.disagreements}


def test_an_engine_that_refuses_is_told() -> None:
    found = calibrate(plan("601", 2), {"unicorn": None, "refusing": Refusing})
    assert found.refusals == {"refusing": "it has no such processor"}
    assert list(found.engines) == ["unicorn"]


def test_instructions_are_found_by_their_form_in_programs() -> None:
    for name, wanted in (("68040", "add.l d, d"), ("601", "stwu")):
        program = read_program(f"mac_src/prebuilt/four-shifts-{name}-O2.elf")
        found = find_instructions(CPUS[name], [program], encodings=2)
        forms = [one.form for one in found]
        assert wanted in forms
        assert max(map(forms.count, forms)) == 2
        assert len({one.code for one in found}) == len(found)
        jumps = ("b", "bl", "bc", "mtspr", "rts", "jsr (a)", "bra.b n", "beq.b n", "jmp (a)")
        assert not set(forms) & set(jumps)


def test_forms_and_the_registers_of_addresses() -> None:
    assert form_of("add.l $c(a3), d0") == form_of("add.l -$8(sp), d7") == "add.l n(a), d"
    assert form_of("moveq #$fd, d1") == "moveq n, d"
    cpu = CPUS["68040"]
    one = m68k_instruction(cpu, bytes.fromhex("20340c00"))  # move.l (a4, d0.l * 4), d0
    names = cpu.general_registers
    assert {names[index] for index in one.bases} == {"a4", "a7"}
    assert {names[index] for index in one.indexes} == {"d0"}
    load = ppc_instruction(bytes.fromhex("7c0a482e"))  # lwzx r0, r10, r9
    assert load is not None
    assert (load.bases, load.indexes) == ({1, 10}, {9})
    assert ppc_instruction(bytes.fromhex("4e800020")) is None  # blr


def test_states_depend_on_the_seed_and_the_instruction_alone() -> None:
    cpu = CPUS["601"]
    one = ProbeInstruction("add", "add r0, r3, r4", bytes.fromhex("7c032214"), frozenset({1}))
    first = operands.states(cpu, one, 40, 7)
    assert first.tobytes() == operands.states(cpu, one, 40, 7).tobytes()
    assert first.tobytes() != operands.states(cpu, one, 40, 8).tobytes()
    assert {0, 0x80000000, 0xFFFFFFFF} <= set(first["r3"].tolist())
    inside = (first["r1"] >= stubs.DATA) & (first["r1"] < stubs.DATA + stubs.DATA_SIZE)
    assert inside.all()


def test_every_judgement_has_a_sentence_and_a_source() -> None:
    for one in JUDGEMENTS:
        assert one.says.endswith(".")
        assert one.source
        assert one.architecture in ("m68k", "powerpc")


@pytest.mark.slow
def test_the_command_on_a_program(macproof: Run) -> None:
    program = "mac_src/prebuilt/four-shifts-68000-O2.elf"
    words = ("calibrate", program, "--cpu", "68000", "--states", 2, "--encodings", 1)
    done = macproof(*words, "--engine", "unicorn", "--engine", "qemu-user")
    assert done.code == 0, done.err
    assert "The engines agree in every probe that they answered." in done.out


def test_what_the_command_refuses(macproof: Run) -> None:
    for words, code, says in (
        (("--engine", "unicorn"), 2, "one engine alone has nothing to be compared with"),
        (("--engine", "unicorm"), 2, "there is no engine unicorm; did you mean unicorn?"),
        (("--states", "0"), 2, "have to be at least 1"),
        (("no-such-file",), 2, "no-such-file: "),
    ):
        done = macproof("calibrate", *words)
        assert (done.code, says in done.err) == (code, True), done.err


def test_without_another_engine_there_is_nothing_to_compare(
    macproof: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(importlib.metadata, "version", absent)
    done = macproof("calibrate")
    assert done.code == 3
    assert "there is nothing to compare Unicorn with" in done.err
    assert "pip install 'macproof[musashi]'" in done.err
