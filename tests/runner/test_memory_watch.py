"""What full checks find while a whole program runs, and that correct programs are left alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.runner.runner import RunRequest, RunResult, run_request
from emu.toolchain.mac_app.application import build_application

MAC_PREBUILT = Path(__file__).parents[1] / "programs" / "mac" / "prebuilt"

pytestmark = pytest.mark.slow

SOURCE = """
#include <Memory.h>

int main()
{{
    Ptr block = NewPtr(200), other;
    block[100] = 1;
    DisposePtr(block);
    other = NewPtr(20);
    {body}
    return 0;
}}
"""
MISTAKES = {
    "free block": "other[1] = ((volatile char *)block)[100];",
    "odd address": "*(volatile short *)(other + 1) = 7;",
    "below the stack": "",
}
BELOW = {
    "68000": 'asm volatile("move.l %d0,-8(%sp)");',
    "601": 'asm volatile("stw 3,-240(1)");',
}


@pytest.fixture
def run(tmp_path: Path, compilers: Callable[..., None]) -> Callable[[str, str], RunResult]:
    compilers("68000", "601")

    def give(cpu: str, body: str) -> RunResult:
        source = tmp_path / "mistake.cpp"
        source.write_text(SOURCE.format(body=body))
        build_application([source], "mistake", cpu, None, tmp_path, debug=False)
        return run_request(RunRequest(tmp_path / "mistake.bin", cpu=cpu, checked=True))

    return give


@pytest.mark.parametrize("cpu", ["68000", "601"])
@pytest.mark.parametrize("check", MISTAKES)
def test_a_mistake_is_a_finding(run: Callable[[str, str], RunResult], cpu: str, check: str) -> None:
    result = run(cpu, MISTAKES[check] or BELOW[cpu])
    wanted = [] if (cpu, check) == ("601", "odd address") else [check]
    assert [one.check for one in result.findings] == wanted
    assert all("main" in one.problem for one in result.findings)


@pytest.mark.parametrize("cpu", ["68000", "601"])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("other[1] = ((volatile char *)block)[100];", "reads 1 byte in a free block, at"),
        ("((volatile char *)block)[100] = 1;", "stores 1 byte in a free block, at"),
        (
            "other = NewPtr(21); ((volatile char *)other)[21];",
            "beyond the end of a block of 21 bytes",
        ),
        ("((volatile char *)other)[-2];", "in front of a block of 20 bytes"),
    ],
)
def test_an_access_is_told_apart_by_what_lies_there(
    run: Callable[[str, str], RunResult], cpu: str, body: str, words: str
) -> None:
    findings = [one.problem for one in run(cpu, body).findings if one.check == "free block"]
    assert len(findings) == 1 and words in findings[0]


def test_a_flag_in_an_address_is_told_with_its_place(run: Callable[[str, str], RunResult]) -> None:
    read = "((volatile char *)((long)other | 0x80000000))[1]"
    result = run("68000", f"other[1] = 7; if ({read} != 7) block[0] = 1;")
    assert result.completed and {one.check for one in result.findings} == {"address"}
    (told,) = [one.problem for one in result.findings if "bits 24 to 31" in one.problem]
    assert "main" in told


@pytest.mark.parametrize("cpu", ["68000", "601"])
def test_a_correct_program_is_left_alone(cpu: str) -> None:
    result = run_request(RunRequest(MAC_PREBUILT / cpu / "heap.bin", cpu=cpu, checked=True))
    assert result.completed and not result.findings
