"""The headers declare what the Toolbox has, and name its callbacks and results as Apple does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.machine import CPUS, BareMachine
from emu.program import read_elf
from emu.runner.runner import RunRequest, run_request
from emu.toolbox.computer.settings import Settings
from emu.toolbox.records.results import ResultCode
from emu.toolchain.builds import BUILDS, TARGETS
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_app.glue import entries
from emu.toolchain.programs.gcc import compile_program
from emu.toolchain.sources import mac_sources
from tests.generated_pages import docs_module
from tests.toolchain.test_units import tree_of

COMPAT = mac_sources() / "compat"
C_LIBRARY = {"c_strings", "c_sorting", "standard_c", "math_library"}
NOT_FROM_C = {
    "ButtonDefinition", "StandardMenuDefinition", "WindowDefinition", "MethodDispatch",
    "RelStringCase", "RelStringCaseMarks", "RelStringMarks", "Key1Trans", "X2Fix", "X2Frac",
}  # fmt: skip
BOTH = ("68000", "601")


def test_every_routine_of_the_toolbox_is_declared_by_a_header():
    words = set(re.findall(r"\w+", "".join(path.read_text() for path in COMPAT.rglob("*.h"))))
    managers = docs_module("toolbox_headers").MANAGERS
    of = {
        routine.name: name
        for name, manager in managers.items()
        for routine, _ in docs_module("toolbox_headers").routines_of(manager)
    }
    names = {e.name: of[e.routine.name] for cpu in ("m68k", "powerpc") for e in entries(cpu)}
    missing = {n for n, m in names.items() if n not in words and m not in C_LIBRARY} - NOT_FROM_C
    assert missing == set()
    assert len(names) > 1700


def test_result_codes_are_those_of_the_toolbox():
    text = (COMPAT / "Errors.h").read_text()
    codes = {name: int(number) for name, number in re.findall(r"(\w+) = (-?\d+)\b", text)}
    same = {code.name for code in ResultCode if codes.get(code.name) == code.value}
    assert {code.name for code in ResultCode} - same - {"noErr"} == set()


# What Apple's MixedMode headers print for them.
INFORMATION = {
    "ControlAction": 0x2C0, "UserItem": 0x2C0, "ModalFilter": 0xFD0, "AEEventHandler": 0xFE0,
    "SndCallBack": 0x3C0, "VBL": 0x9802, "Timer": 0xB802, "DlgHook": 0x3A0, "FileFilter": 0xD0,
    "GrowZone": 0xF0, "NM": 0xC0, "QDText": 0x3F80, "ListSearch": 0x2BE0,
}  # fmt: skip


@pytest.mark.parametrize("cpu", BOTH)
def test_the_mixed_mode_manager_is_told_what_apple_tells_it(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    headers = sorted(path.name for path in (COMPAT / "callbacks").glob("*.h"))
    text = "".join(f"#include <{name}>\n" for name in headers)
    inside = ", ".join(f"upp{name}ProcInfo" for name in INFORMATION)
    text += f"long gAll[] = {{ {inside} }};\nvoid Go(void) {{ gAll[0] = gAll[0]; }}\n"
    tree = tree_of(tmp_path, {"go.c": text}, ("gAll",))
    program = compile_program(tree, BUILDS["O1"], TARGETS[cpu])
    machine = BareMachine(read_elf(program.path), CPUS[cpu])
    machine.call("Go")
    assert dict(zip(INFORMATION, machine.globals["gAll"], strict=True)) == INFORMATION


TASK = """
#include <Events.h>
#include <Timer.h>
#include <stdio.h>

static volatile TMTaskPtr gSeen;

static pascal void Wake(TMTaskPtr task) { gSeen = task; }

int main(void)
{
    TMTask task = { 0 };
    long end = TickCount() + 60;
    task.tmAddr = NewTimerProc(Wake);
    InsTime((QElemPtr) &task);
    PrimeTime((QElemPtr) &task, 50);
    while (gSeen == 0 && TickCount() < end)
        SystemTask();
    printf("%d\\n", gSeen == &task);
    return 0;
}
"""


@pytest.mark.parametrize("cpu", BOTH)
def test_a_procedure_gets_its_arguments_from_registers(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    source = tmp_path / "program.c"
    source.write_text(TASK)
    path = build_application([source], "Task", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == ["1"], result.problem


@pytest.mark.parametrize(
    "line", ["Timer.h Timer void TMTaskPtr", "Timer.h Timer void (TMTaskPtr)", "Timer.h"]
)
def test_a_bad_line_of_callbacks_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
):
    module = docs_module("callback_headers")
    table = tmp_path / "callbacks.txt"
    table.write_text(f"# procedures\n{line}\n")
    monkeypatch.setattr(module, "_TABLE", table)
    with pytest.raises(ValueError, match=r"callbacks\.txt: not .*Timer\.h"):
        module.callbacks()
