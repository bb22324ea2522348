"""The headers declare what the Toolbox has, and name its callbacks and results as Apple does."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from emu.base.errors import CompileError
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
C_LIBRARY = {
    "c_strings",
    "pascal_strings",
    "c_sorting",
    "c_streams",
    "standard_c",
    "math_library",
    "float_inquiries",
    "float_conversions",
    "c_files",
}
NOT_FROM_C = {
    "ButtonDefinition", "StandardMenuDefinition", "WindowDefinition", "MethodDispatch",
    "RelStringCase", "RelStringCaseMarks", "RelStringMarks", "Key1Trans", "X2Fix", "X2Frac",
    "Fix2X", "Frac2X",
    "GetPrTypeStrings", "SetPrTypeStrings",  # private: no header of Apple's has them
    "vCheckLoad",  # private: packed programs patch it
    "PMgrOp", "IdleUpdateTrap", "IdleStateTrap", "SerialPowerTrap",  # one trap of Power.h
    "CommToolboxDispatch",  # glue of the Communications Toolbox
    "ComponentCall",  # inline code of each component's own routines
    "GetSoundHeaderOffset", "_AE_hdlr_insert",
    "PrintDialogItem",  # of the dialogs that PrStlInit and PrJobInit make
    "InsertFontResMenu", "InsertIntlResMenu",
    "SwitchThreads", "EndThread",  # what yielding and returning lead to
    "TextUtilFunctions",  # the 68K trap of LowercaseText and its like
    "CallComponent",  # CallComponentUPP leads to it; no header declares it
    "DrvrInstall", "DrvrRemove", "LongDateString", "LongTimeString", "IULDateString",
    "IULTimeString", "IUCompPString", "IUEqualPString", "TESetClickLoop", "TESetWordBreak",
    "GetComponentVersion", "GetDefFontSize", "PPCInit", "InstallExceptionHandler",
    *(f"{name}{form}" for form in ("Sync", "Async") for name in (
        "PPCOpen", "PPCStart", "PPCInform", "PPCAccept", "PPCReject", "PPCWrite", "PPCRead",
        "PPCEnd", "PPCClose", "IPCListPorts",
    )),
    "CallOSTrapUniversalProc",
    "InitTSMAwareApplication", "CloseTSMAwareApplication", "NewTSMDocument", "DeleteTSMDocument",
    "ActivateTSMDocument", "DeactivateTSMDocument", "FixTSMDocument", "UseInputWindow",
    "TSMEvent", "TSMMenuSelect", "SetTSMCursor", "OpenTextService", "CloseTextService",
    "SetDefaultInputMethod", "GetDefaultInputMethod", "SetTextServiceLanguage",
    "GetTextServiceLanguage", "GetFrontServiceWindow", "FindServiceWindow",
    "NewServiceWindow", "CloseServiceWindow",
    *(f"LM{way}{name}" for way in ("Get", "Set") for name in (
        "MenuDisable", "TopMenuItem", "AtMenuBottom", "FCBSPtr", "FSFCBLen", "MMU32Bit",
        "CPUFlag", "WidthTabHandle", "GNEFilter", "HiliteRGB", "DrvQHdr", "VCBQHdr",
    )),
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
    headers = ("Errors.h", "MacTCPCommonTypes.h", "OpenTransport.h")
    text = "".join((COMPAT / name).read_text() for name in headers)
    codes = {name: int(number) for name, number in re.findall(r"(\w+) = (-?\d+)\b", text)}
    same = {code.name for code in ResultCode if codes.get(code.name) == code.value}
    assert {code.name for code in ResultCode} - same - {"noErr"} == set()


# What Apple's MixedMode headers print for them.
INFORMATION = {
    "ControlAction": 0x2C0, "UserItem": 0x2C0, "ModalFilter": 0xFD0, "AEEventHandler": 0xFE0,
    "SndCallBack": 0x3C0, "VBL": 0x9802, "Timer": 0xB802, "DlgHook": 0x3A0, "FileFilter": 0xD0,
    "GrowZone": 0xF0, "NM": 0xC0, "QDText": 0x3F80, "ListSearch": 0x2BE0, "TEClickLoop": 0xF812,
    "WordBreak": 0x29812, "HighHook": 0xF, "EOLHook": 0x1F, "DrawHook": 0x4F, "MBarHook": 0xCF,
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


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("Boolean (TEPtr text) @D0", "parameter text"),
        ("void (Ptr one @A0, Ptr other)", "parameter other"),
        ("short (Ptr one @A0)", "result"),
        ("void (Ptr a @A0, Ptr b @A1, Ptr c @A2, Ptr d @A3, short e @D0)", "more than 4"),
    ],
)
def test_a_procedure_of_registers_needs_one_for_everything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, row: str, what: str
):
    module = docs_module("callback_headers")
    table = tmp_path / "callbacks.txt"
    table.write_text(f"TextEdit.h Loop {row}\n")
    monkeypatch.setattr(module, "_TABLE", table)
    with pytest.raises(ValueError, match=rf"callbacks\.txt: Loop has .*{what}"):
        module.callbacks()


@pytest.mark.parametrize("cpu", BOTH)
def test_every_macro_of_procedures_compiles(
    compilers: Callable[..., None], tmp_path: Path, cpu: str
):
    compilers(cpu)
    callbacks = [c for c in docs_module("callback_headers").callbacks() if c.text]
    headers = sorted({c.header for c in callbacks})
    lines = [f"#include <{name}>" for name in headers]
    for callback in callbacks:
        name, types = callback.name, [p.type for p in callback.parameters]
        inside = ", ".join(f"{t} p{n}" for n, t in enumerate(types)) or "void"
        given = "".join(f", p{n}" for n in range(len(types)))
        back = "" if callback.result == "void" else "return "
        lines += [
            f"{callback.result} Own{name}({inside});",
            f"{callback.result} Own{name}({inside})",
            f"{{ {name}UPP upp = New{name}Proc(Own{name}); {back}Call{name}Proc(upp{given}); }}",
        ]
    source = tmp_path / "program.c"
    source.write_text("\n".join([*lines, "int main(void) { return 0; }", ""]))
    assert len(callbacks) > 120
    assert build_application([source], "All", cpu, None, tmp_path / cpu).is_file()


UNIVERSAL = """
#include <Controls.h>
#include <Quickdraw.h>
#include <TextEdit.h>
#include <stdio.h>

static pascal short Sum(Point* at, short a, Boolean b, long c) { return at->h + a * 2 + b * 4 + c; }
static pascal Boolean Break(Ptr text, short at) { return text[at] == ' '; }
static long AsC(short a, long b) { return a - b; }

enum
{
    kSum = kPascalStackBased | RESULT_SIZE(kTwoByteCode) | STACK_ROUTINE_PARAMETER(1, kFourByteCode)
        | STACK_ROUTINE_PARAMETER(2, kTwoByteCode) | STACK_ROUTINE_PARAMETER(3, kOneByteCode)
        | STACK_ROUTINE_PARAMETER(4, kFourByteCode),
    kAsC = kCStackBased | RESULT_SIZE(kFourByteCode) | STACK_ROUTINE_PARAMETER(1, kTwoByteCode)
        | STACK_ROUTINE_PARAMETER(2, kFourByteCode)
};

#ifdef __powerpc__
static RoutineDescriptor gSum = BUILD_ROUTINE_DESCRIPTOR(kSum, Sum);
#define SUM ((UniversalProcPtr) &gSum)
#else
#define SUM NewRoutineDescriptor((ProcPtr) Sum, kSum, GetCurrentISA())
#endif

int main(void)
{
    Point at = { 3, -7 };
    WordBreakUPP word = NewWordBreakProc(Break);
    UniversalProcPtr plain = NewRoutineDescriptor((ProcPtr) AsC, kAsC, GetCurrentISA());

    printf("%d\\n", (short) CallUniversalProc(SUM, kSum, &at, -300, 1, 5L));
    printf("%d%d\\n", CallWordBreakProc(word, "a b", 1), CallWordBreakProc(word, "a b", 2));
    printf("%ld\\n", CallUniversalProc(plain, kAsC, 10, 300L));
    return 0;
}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize("cpu", BOTH)
def test_a_program_calls_procedures_by_their_descriptors(
    compilers: Callable[..., None], tmp_path: Path, cpu: str, suffix: str
):
    compilers(cpu)
    source = tmp_path / f"program.{suffix}"
    source.write_text(UNIVERSAL)
    path = build_application([source], "Universal", cpu, None, tmp_path / cpu)
    result = run_request(RunRequest(path, cpu=cpu, settings=Settings(timeout=120)))
    assert result.text.splitlines() == [str(-7 - 600 + 4 + 5), "10", "-290"], result.problem


def test_a_68k_program_has_no_descriptors_of_its_own(
    compilers: Callable[..., None], tmp_path: Path
):
    compilers("68000")
    source = tmp_path / "program.c"
    source.write_text(
        "#include <Controls.h>\n"
        "RoutineDescriptor gOne = BUILD_ROUTINE_DESCRIPTOR(uppThumbActionProcInfo, 0);\n"
        "int main(void) { return 0; }\n"
    )
    with pytest.raises(CompileError, match="alone_call_NewRoutineDescriptor"):
        build_application([source], "One", "68000", None, tmp_path / "app")
