"""Vectors of our own, right by the manuals, in the forms of public collections; some are wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import InputError
from emu.engines.conformity import m68k_runner
from emu.engines.conformity.conform import conform, find_vectors
from emu.engines.conformity.figures import FIGURES, figures_digest
from emu.engines.conformity.m68k_runner import M68000Runner
from emu.engines.conformity.power_tables import read_power_table
from emu.engines.conformity.ppc_runner import PPC601Runner
from emu.engines.conformity.single_step import read_single_steps
from emu.engines.conformity.vectors import VectorOutcome
from tests.engines.conformity.single_step_file import WrittenVector, write_single_steps
from tests.generated_pages import docs_module
from tests.report.schemas import read as read_report

pytest.importorskip("llvmlite", reason="full checks need llvmlite")

Command = Callable[..., Any]

ADD = WrittenVector("ADD.W D0,D1", [0xD240], {"d0": 2, "d1": 0xFFFF}, {"d1": 1, "sr": 0x2711})
STORE = WrittenVector(
    "MOVE.W D0,(A0)", [0x3080], {"d0": 0x1234, "a0": 0x2000}, {}, {0x2000: 0}, {0x2000: 0x1234}
)
JUMP = WrittenVector("JMP (A0)", [0x4ED0], {"a0": 0x3000}, goes_on=0x3000)
ODD = WrittenVector("MOVE.W D0,(A0)", [0x3080], {"a0": 0x12002001}, exception=3)
CHECKED = WrittenVector("CHK D0,D1", [0x4380], {"d0": 2, "d1": 5}, exception=6)
RIGHT = (ADD, STORE, JUMP, ODD, CHECKED)
POWER = (
    "ADD,0x7C632214,rD=0x80000000,rA=0x7FFFFFFF,rB=0x00000001,XER=0x00000000,CR=0x00000000\n"
    "ADDCO.,0x7C632415,rD=0x0,rA=0x80000000,rB=0x80000000,XER=0xE0000000,CR=0x30000000\n"
    "CMP,0x7C032000,rA=0x80000000,rB=0x00000001,XER=0x00000000,CR=0x80000000\n"
    "FADD,0xFC64282A,round=RTN,frD=0x4000000000000000,frA=1.0,frB=1.0,FPSCR=0x00004000,CR=0x0\n"
    "FDIV,0xFC642824,round=RPI,frD=0x7FF0000000000000,frA=1.0,frB=0.0,FPSCR=0x84005002,CR=0x0\n"
)


@pytest.fixture(scope="module")
def m68000() -> M68000Runner:
    return M68000Runner()


def test_right_vectors_of_both_processors(macproof: Command, tmp_path: Path) -> None:
    write_single_steps(tmp_path / "MIXED.json.bin", RIGHT)
    (tmp_path / "own.csv").write_text(f"# of our own\n{POWER}")
    (tmp_path / "listing.csv").write_text("0xFFF03000,0x48000802,ba,0x00000800\n")
    done = macproof("conform", tmp_path, "--jobs", "1", "--json", tmp_path / "report.json")
    assert done.code == 0, done.out
    report = read_report(tmp_path / "report.json", "macproof.conformity/1")
    m68k, power = report["processors"]
    (mixed,) = m68k["instructions"]
    assert (mixed["instruction"], mixed["passed"], mixed["reported"]) == ("MIXED", 3, 2)
    assert (power["cpu"], power["files"]) == ("601", 1)
    assert {one["passed"] for one in power["instructions"]} == {1}
    assert not any(one["wrong"] for one in (*m68k["instructions"], *power["instructions"]))


@pytest.mark.parametrize(
    ("vector", "why"),
    [
        (WrittenVector("a", [0xD240], {"d0": 2}, {"d1": 3}), "d1 is 00000002 and must be 00000003"),
        (WrittenVector("b", [0xD240], {"d0": 2}, {"d1": 2, "sr": 0x2708}), "sr is 2700"),
        (
            WrittenVector("c", [0x3080], {"a0": 0x2000}, {"sr": 0x2704}, {}, {0x2000: 0x5678}),
            "002000 holds 00 and must hold 56",
        ),
        (WrittenVector("d", [0x4E71], goes_on=0x1010), "it must go on at 001010"),
        (WrittenVector("e", [0x4E71], exception=3), "it must take exception 3"),
    ],
)
def test_what_differs_is_wrong(
    vector: WrittenVector, why: str, m68000: M68000Runner, tmp_path: Path
) -> None:
    (read,) = read_single_steps(write_single_steps(tmp_path / "NOP.json.bin", [vector]))
    result = m68000.ask(read)
    assert result.outcome is VectorOutcome.WRONG
    assert why in result.why


def test_what_never_ends_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(m68k_runner, "_SECONDS", 0.1)
    endless = WrittenVector("f", [0x60FE], goes_on=0x3000)
    (read,) = read_single_steps(write_single_steps(tmp_path / "NOP.json.bin", [endless]))
    result = M68000Runner().ask(read)
    assert result.outcome is VectorOutcome.WRONG
    assert "it must go on at 003000" in result.why


@pytest.mark.parametrize(
    "vector",
    [
        pytest.param(
            WrittenVector(
                "ASR.W 2(A0,D0.W)",
                [0xE0F0, 0x0702],
                {"a0": 0x2000, "d0": 4},
                {"sr": 0x2719},
                {0x2006: 0x8001},
                {0x2006: 0xC000},
            ),
            id="a shift in memory, with bits of its index word that a 68000 ignores",
        ),
        pytest.param(
            WrittenVector(
                "MOVE.W 16(A0),D1",
                [0x3228, 0x0010],
                {"a0": 0xFFFFF8},
                {"d1": 0x1234, "sr": 0x2700},
                {0x8: 0x1234},
            ),
            id="an address with a carry into bit 24",
        ),
        pytest.param(
            WrittenVector(
                "RTS",
                [0x4E75],
                {"ssp": 0x350},
                {"ssp": 0x354},
                {0x350: 0, 0x352: 0x3000},
                goes_on=0x3000,
                reads=(0x350, 0x352),
            ),
            id="a return address among the vectors of exceptions",
        ),
    ],
)
def test_what_is_right_passes(vector: WrittenVector, m68000: M68000Runner, tmp_path: Path) -> None:
    (read,) = read_single_steps(write_single_steps(tmp_path / "NOP.json.bin", [vector]))
    result = m68000.ask(read)
    assert result.outcome is VectorOutcome.PASSED, result.why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ADD,0x7C632214,rD=0x4,rA=0x1,rB=0x2,XER=0x0,CR=0x0", "r3 is 00000003"),
        ("ADD.,0x7C632215,rD=0x3,rA=0x1,rB=0x2,XER=0x0,CR=0x0", "cr is 40000000"),
        ("LWZ,0x80640000,rD=0x3,rA=0x0,rB=0x70000000,XER=0x0,CR=0x0", "it does not go on"),
        ("TRAP,0x7FE00008,rD=0x0,rA=0x0,rB=0x0,XER=0x0,CR=0x0", "it takes exception"),
    ],
)
def test_what_differs_on_a_powerpc_is_wrong(line: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(line)
    (vector,) = read_power_table(tmp_path / "own.csv")
    result = PPC601Runner().ask(vector)
    assert result.outcome is VectorOutcome.WRONG
    assert why in result.why


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        # The quotient of a division by zero and its comparison with 0 are undefined; SO is not.
        ("DIVWO.,0x7C6327D7,rD=0x5,rA=0x7,rB=0x0,XER=0xC0000000,CR=0xF0000000", "passed"),
        ("DIVWO.,0x7C6327D7,rD=0x5,rA=0x7,rB=0x0,XER=0xC0000000,CR=0x00000000", "wrong"),
        ("DIVW,0x7C6323D6,rD=0x5,rA=0x80000000,rB=0xFFFFFFFF,XER=0x0,CR=0x0", "passed"),
        ("DIVW,0x7C6323D6,rD=0x5,rA=0x80000000,rB=0x1,XER=0x0,CR=0x0", "wrong"),
        ("DIVWU,0x7C632396,rD=0x5,rA=0x80000000,rB=0xFFFFFFFF,XER=0x0,CR=0x0", "wrong"),
    ],
)
def test_what_the_manual_leaves_undefined_is_not_compared(
    line: str, outcome: str, tmp_path: Path
) -> None:
    (tmp_path / "own.csv").write_text(line)
    (vector,) = read_power_table(tmp_path / "own.csv")
    assert PPC601Runner().ask(vector).outcome.value == outcome


def test_wrong_vectors_refute(macproof: Command, tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text("ADD,0x7C632214,rD=0x4,rA=0x1,rB=0x2,XER=0x0,CR=0x0")
    done = macproof("conform", tmp_path, "--jobs", "1", "--verbose")
    assert done.code == 1
    assert "r3 is 00000003 and must be 00000004" in " ".join(done.out.split())


def test_what_the_engine_does_not_execute_is_inconclusive(
    macproof: Command, tmp_path: Path
) -> None:
    (tmp_path / "own.csv").write_text("MTSPR,0x7C7403A6,rD=0x0,rA=0x0,XER=0x0,CR=0x0")  # RTCU
    assert macproof("conform", tmp_path / "own.csv", "--jobs", "1").code == 4


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json.bin", b"", "these are no vectors of SingleStepTests"),
        ("a.json.bin", b"\x71\x5d\x3f\x1a\1\0\0\0" + bytes(8), "0x00000000 at byte"),
        ("a.csv", b"ADD,0x7C632214,rA,CR=0x0", "line 1 is no vector of DingusPPC"),
        ("a.csv", b"ADD,0x7C632214,rA=0x100000000,CR=0x0", "line 1 is no vector"),
        ("a.csv", b"ADD,1.5,rA=0x1,CR=0x0", "line 1 is no vector"),
        ("a.csv", b"ADD", "it has no test vectors that are known"),
        ("a.txt", b"", "it has no test vectors that are known"),
    ],
)
def test_broken_files(name: str, data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        conform(find_vectors([path]), jobs=1)


def test_a_broken_file_ends_the_command(macproof: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.json.bin"
    path.write_bytes(bytes(8))
    done = macproof("conform", path, "--jobs", "1")
    assert (done.code, done.out) == (2, "")
    assert f"{path}: these are no vectors of SingleStepTests: 0x00000000 at byte" in done.err


def test_only_some_vectors_of_each_instruction(macproof: Command, tmp_path: Path) -> None:
    path = write_single_steps(tmp_path / "ADD.w.json.bin", [ADD] * 5)
    report = tmp_path / "report.json"
    assert macproof("conform", path, "--jobs", "1", "--most", "2", "--json", report).code == 0
    (processor,) = json.loads(report.read_text())["processors"]
    assert (processor["most"], processor["instructions"][0]["passed"]) == (2, 2)


def test_the_figures_are_whole() -> None:
    figures = json.loads(FIGURES.read_text())
    assert {each["cpu"] for each in figures["processors"]} == {"68000", "601"}
    assert len(figures_digest()) == 64
    assert "/" not in "".join(figures)


def test_figures_of_other_processors_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def processor(cpu: str, files: int) -> dict[str, Any]:
        return {"cpu": cpu, "files": files, "instructions": []}

    def figures(*processors: dict[str, Any]) -> str:
        return json.dumps({"engine": "unicorn", "processors": processors})

    page = docs_module("conformity_page")
    kept, report = tmp_path / "figures.json", tmp_path / "report.json"
    kept.write_text(figures(processor("68000", 1), processor("601", 1)), encoding="utf-8")
    report.write_text(figures(processor("601", 2)), encoding="utf-8")
    monkeypatch.setattr(page, "FIGURES", kept)
    page.keep([report])
    found = json.loads(kept.read_text(encoding="utf-8"))["processors"]
    assert found == [processor("68000", 1), processor("601", 2)]
