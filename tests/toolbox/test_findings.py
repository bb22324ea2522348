"""Every check has its name in the list by which users allow what it finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from emu.toolbox.findings import CHECKS
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac

TOOLBOX = Path(__file__).parents[2] / "emu" / "toolbox"
REPORTING = {"report", "heap_finding"}


def constants(node: ast.expr) -> list[str]:
    return [c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and c.value]


def names_in_source() -> dict[str, Path]:
    found = {}
    for path in sorted(TOOLBOX.rglob("*.py")):
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


def test_every_name_that_is_reported_is_in_the_list() -> None:
    names = names_in_source()
    assert len(names) > 25
    assert names.keys() <= CHECKS, f"add to CHECKS: {sorted(names.keys() - CHECKS)}"


def test_every_name_in_the_list_is_somewhere_in_the_source() -> None:
    text = "".join(path.read_text() for path in TOOLBOX.rglob("*.py") if path.name != "findings.py")
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
