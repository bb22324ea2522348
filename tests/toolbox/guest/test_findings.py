"""Every check has its name in the list by which users allow what it finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from emu.program.mac_file.resource_fork import Resource
from emu.toolbox.guest.findings import CHECKS, Sureness
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.windows import TERec
from tests.toolbox.conftest import do, make_mac
from tests.toolbox.window_kit import Desktop

TOOLBOX = Path(__file__).parents[3] / "emu" / "toolbox"
RUNNER = TOOLBOX.parent / "runner"
UNUSUAL = Sureness.UNUSUAL
REPORTING = {"report", "heap_finding"}


def constants(node: ast.expr) -> list[str]:
    return [c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and c.value]


def names_in_source() -> dict[str, Path]:
    found = {}
    for path in sorted((*TOOLBOX.rglob("*.py"), *RUNNER.rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in REPORTING
                and node.args
                and isinstance(node.args[0], ast.Constant | ast.IfExp)
            ):
                first = node.args[0]
                choices = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                found.update({name: path for choice in choices for name in constants(choice)})
    return found


@pytest.mark.slow
def test_every_name_that_is_reported_is_in_the_list() -> None:
    names = names_in_source()
    assert len(names) > 25
    assert names.keys() <= CHECKS.keys(), f"add: {sorted(names.keys() - CHECKS.keys())}"


def test_every_name_in_the_list_is_somewhere_in_the_source() -> None:
    paths = (path for folder in (TOOLBOX, RUNNER) for path in folder.rglob("*.py"))
    text = "".join(path.read_text() for path in paths if path.name != "findings.py")
    assert {name for name in CHECKS if f'"{name}"' not in text} == set()


def test_a_finding_keeps_its_first_place() -> None:
    mac = make_mac()
    mac.host.report("debugger", "seen")
    assert [(f.routine, f.caller) for f in mac.outputs.findings.values()] == [("", "")]
    mac.host.report("debugger", "seen")
    (finding,) = mac.outputs.findings.values()
    assert finding.times == 2
    assert finding.routine == ""


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_variable_in_low_memory_is_a_finding(cpu: str) -> None:
    mac = make_mac(cpu)
    do(mac, "SetRect", 0x100, 1, 2, 3, 4)
    (finding,) = mac.outputs.findings.values()
    assert finding.check == "low memory"
    assert "SetRect was given address 0x100 for its variable r" in finding.problem


def test_a_variable_in_a_scratch_area_is_unusual() -> None:
    mac = make_mac()
    do(mac, "SetRect", 0x9FA, 1, 2, 3, 4)  # Scratch8, where the System's own WDEF has a rectangle
    assert [finding.sureness for finding in mac.outputs.findings.values()] == [Sureness.UNUSUAL]


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("DisableItem", (0, 1), None),
        ("CountMItems", (0,), 0),
        ("GetWRefCon", (0,), 0),
        ("GetControlValue", (0,), 0),
        ("HiliteControl", (0, 255), None),
    ],
)
def test_a_routine_that_is_given_nil_goes_on(
    mac: Macintosh, name: str, arguments: tuple[int, ...], result: int | None
) -> None:
    assert do(mac, name, *arguments) == result
    (finding,) = mac.outputs.findings.values()
    assert (finding.check, finding.routine) == ("nil argument", name)
    assert "is nil" in finding.problem


@pytest.mark.parametrize(
    ("address", "data", "problem", "sureness"),
    [
        (0xAB0, b"\0\7", "the program set the system's global TEScrpLength (0x0ab0)", UNUSUAL),
        (0xBAE, b"\0\1\0\0", "global HighHeapMark (0x0bae)", UNUSUAL),  # threads' libraries do
        (0xBAA, b"\0\0", "the program set the system's global MBarHeight (0x0baa)", UNUSUAL),
        # Programs that move the mouse set these three.
        (0x829, b"\7", "the program set the system's global MTemp (0x0828)", UNUSUAL),
        (0x82C, b"\0\7\0\7", "the program set the system's global RawMouse (0x082c)", UNUSUAL),
        (0x8CE, b"\1", "the program set the system's global CrsrNew (0x08ce)", UNUSUAL),
        (0xA1C, b"\0\0\0\7", "MenuList (0x0a1c) to 0x7, which is no address", Sureness.SOME),
        (
            0xA06,
            b"\0\0\0\7",
            "the program wrote to low memory at 0x0a06",
            Sureness.SOME,
        ),  # MinusOne
        (0xC0, b"\7\7", "the program wrote to low memory at 0x00c0", Sureness.SOME),
        (2, b"\7", "wrote to low memory through a nil pointer, to address 0", Sureness.SOME),
    ],
)
def test_a_write_to_low_memory_is_as_sure_as_its_place_says(
    address: int, data: bytes, problem: str, sureness: Sureness
) -> None:
    mac = make_mac()
    do(mac, "TickCount")
    mac.guest.write(address, data)
    do(mac, "TickCount")
    (finding,) = mac.outputs.findings.values()
    assert problem in finding.problem
    assert finding.sureness is sureness


def test_what_programs_may_set_in_low_memory_is_no_finding() -> None:
    """FPState, the sound buffer behind SoundBase, the hooks of menus, and RomMapInsert."""
    mac = make_mac()
    do(mac, "TickCount")
    mac.guest.put32(0xA4A, 0x12340000)
    mac.guest.put32(0xA2C, mac.memory.new_pointer(8))  # MBarHook
    mac.guest.write(mac.guest.u32(0x266), b"\x80\0" * 370)
    mac.guest.put16(0xB9E, 0xFFFF)  # to find a resource of the ROM
    do(mac, "TickCount")
    assert not mac.outputs.findings


def test_a_nil_variable_of_delay_is_named() -> None:
    """On a 68K, glue stores what the trap returns: Delay(10, NULL) writes to address 0."""
    mac = make_mac()
    ticks = do(mac, "Delay", 10)
    mac.guest.put32(0, ticks)
    do(mac, "TickCount")
    (finding,) = mac.outputs.findings.values()
    assert "wrote the result of Delay through a nil pointer" in finding.problem


@pytest.mark.parametrize(
    ("name", "check"), [("DisposePtr", "not a pointer"), ("SetPort", "nil port")]
)
def test_nil_that_does_no_harm_is_unusual(name: str, check: str) -> None:
    desktop = Desktop("68040")
    desktop.call(name, 0)
    (finding,) = desktop.mac.outputs.findings.values()
    assert (finding.check, finding.sureness) == (check, UNUSUAL)


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_handle_that_no_argument_is_was_found_and_not_given(cpu: str) -> None:
    desktop = Desktop(cpu)
    desktop.call("DisposeHandle", 0xD5D5D5D4)
    desktop.call("SetPort", desktop.window(40, 40, 100, 200))
    edited = desktop.call("TENew", desktop.rect(0, 0, 20, 90), desktop.rect(0, 0, 20, 90))
    TERec(desktop.guest, desktop.mac.memory.address(edited)).hText = 0xD5D5D5D4
    desktop.call("TEDispose", edited)
    problems = [finding.problem for finding in desktop.mac.outputs.findings.values()]
    assert problems[0] == "DisposeHandle was given 0xd5d5d5d4, which is no handle"
    assert problems[1].startswith("TEDispose found, in what it was given or in a global, 0xd5d5")


def test_memory_stays_at_a_resource_that_is_there_already() -> None:
    desktop = Desktop("68040", Resource("TEXT", 128, "", 0, b"some text"))
    handle = desktop.call("GetResource", "TEXT", 128)
    other = desktop.mac.memory.new_handle(100)
    before = [desktop.mac.memory.address(one) for one in (handle, other)]
    for type_, number in (("TEXT", 128), ("TEXT", 999)):
        desktop.call("GetResource", type_, number)
        assert [desktop.mac.memory.address(one) for one in (handle, other)] == before
    desktop.call("NewHandle", 10)
    assert desktop.mac.memory.address(other) != before[1], "other calls move blocks"
