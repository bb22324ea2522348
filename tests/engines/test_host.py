"""The engine host: real native programs, and every way in which one can differ or go wrong."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile

from emu.base.errors import CompileError, ToolMissingError
from emu.cases.case import Case
from emu.cases.case_file import read_case
from emu.cases.programs.sources import source_tree
from emu.cli import main
from emu.engines import host, host_layout
from emu.engines.base.driven_process import DrivenProcess
from emu.engines.registry import ENGINES
from emu.machine.calls.other_engine import EngineRefusal
from emu.toolchain.programs import native
from emu.toolchain.programs.native import compile_native
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.program_runs import run_programs
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import Result
from emu.verify.scenes.scene_plan import plan_scenes
from tests.small_cases import SmallCases

ADDS = """
struct Entry {{ char tag; long value; short small; struct Entry* next; }};
short gValues[9]; short gCount; long gSum; Entry gEntries[9]; Entry* gLast;
extern "C" void Run()
{{
    gSum = 0;
    for (short n = 0; n < gCount; n++) {{
        gSum += gValues[n];
        gEntries[n].tag = (char) n;
        gEntries[n].value = -gValues[n];
        gEntries[n].small = gValues[n];
        gEntries[n].next = n ? &gEntries[n - 1] : 0;
        gLast = &gEntries[n];
    }}
    {}
}}
"""
REFERENCE = """
count = len(scene.values)
return answer(total=int(scene.values.sum()), negative=-scene.values, tags=np.arange(count),
              before=np.arange(count) - 1, last=count - 1, same=scene.values)
"""
OBSERVE = (
    "{gSum: total, gEntries: {value: negative, tag: tags, small: same, next: before}, gLast: last}"
)


@pytest.fixture(autouse=True)
def _compiler() -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")


def native_symbols(made: Path) -> dict[str, int]:
    with made.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        return {one.name: one["st_value"] for one in table.iter_symbols()}


def small(folder: Path, mistake: str = "", text: str = ADDS) -> tuple[SmallCases, Case]:
    cases = SmallCases(folder)
    return cases, cases.make(text.format(mistake), REFERENCE, OBSERVE)


def on_host(folder: Path, mistake: str = "", cpu: str = "68040", engine: str = "host") -> Result:
    """What becomes of `ADDS`, with a mistake in it, on this computer."""
    cases, case = small(folder, mistake)
    made = compile_native(
        source_tree(case), case.builds["O1"], has_sanitizers=ENGINES[engine].has_sanitizers
    )
    subject = replace(cases.subject(case, cpu, "O1"), engine=engine, native=made)
    (result,) = verify(case, [subject], plan_scenes(case, 12, 1), jobs=1)
    return result


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "engine"), [("68040", "host"), ("601", "host-sanitizers")])
def test_values_pointers_and_structs_are_compared_by_meaning(
    tmp_path: Path, cpu: str, engine: str
) -> None:
    result = on_host(tmp_path, cpu=cpu, engine=engine)
    assert [str(one) for one in result.failures] == []
    assert (result.verdict, result.scenes) == ("verified", 12)
    assert result.engine.startswith(f"{engine} g++")


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("if (gValues[0] > 500) gSum += 1;", "gSum is "),
        pytest.param(
            "gEntries[1].next = &gEntries[2];",
            "gEntries[1].next is &gEntries[2]",
            marks=pytest.mark.slow,
        ),
        pytest.param("gValues[8] = 1;", "gValues[8]", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_value_is_refuted(tmp_path: Path, mistake: str, words: str) -> None:
    result = on_host(tmp_path, mistake)
    assert result.verdict == "refuted"
    assert words in str(result.failures[0])
    assert str(result.failures[0]).endswith("; the same on unicorn")


def test_a_routine_reaches_nothing_of_the_computer(tmp_path: Path) -> None:
    """It can make no file, as guest code on the other engines cannot."""
    mark = tmp_path / "mark"
    call = f'int creat(const char*, unsigned) asm("creat"); creat("{mark}", 0644);'
    _, case = small(tmp_path, call)
    made = compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)
    process = DrivenProcess([str(made)], 10.0, byte_order=sys.byteorder)
    place = native_symbols(made)["Run"]
    plan = [*process.descriptors, place, 0, 0]
    assert process.begin(np.array(plan, np.int64).tobytes()) == ""
    size = host._ARGUMENTS.itemsize
    process.calls.resized(size)
    process.made.resized(size)
    done, why = process.make(1, size)
    process.close()
    assert (done, why) == (1, "")
    assert not mark.exists()


@pytest.mark.slow
def test_a_crash_is_told_by_its_scene(tmp_path: Path) -> None:
    result = on_host(tmp_path, "if (gValues[0] > 500) *(volatile int*) 0x00400008 = 1;")
    assert result.verdict == "refuted"
    assert "x86_64: the call ended with signal 11" in result.fault
    assert "(any, " in result.fault


@pytest.mark.slow
def test_a_call_that_never_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "SECONDS", 0.3)
    cases, case = small(
        tmp_path, "for (volatile int n = 0; gValues[0] > 500; n++) {}".replace("{}", ";")
    )
    made = compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)
    subject = replace(cases.subject(case, "68040", "O1"), engine="host", native=made)
    scenes = Scenes.make(case, plan_scenes(case, 12, 1))
    (result,) = run_programs(case, [subject], scenes, is_first=False)
    assert result.verdict == "inconclusive"  # a slow routine is not a wrong one
    assert "the call did not return within 0.3 seconds" in result.undecided


@pytest.mark.slow
def test_a_sanitizer_finds_what_no_value_shows(tmp_path: Path) -> None:
    """It reads beyond an array, and multiplies the result by 0."""
    mistake = "volatile int n = 9; gSum += gValues[n] * 0;"
    (tmp_path / "plain").mkdir()
    assert on_host(tmp_path / "plain", mistake).verdict == "verified"
    result = on_host(tmp_path, mistake, engine="host-sanitizers")
    assert result.verdict == "inconclusive"
    assert "index 9 out of bounds for type 'short int [9]'" in result.undecided


@pytest.mark.slow
def test_results_arguments_and_doubles(tmp_path: Path) -> None:
    cases = SmallCases(tmp_path)
    case = cases.make(
        "double gFactor; double Scale(short a, double b, long c, float d)"
        " { gFactor = b; return a * b + c - d; }",
        "v = scene.values\nreturn answer(scaled=v[0] * 2.5 + v[1] - 0.25, factor=2.5)",
        "{return: scaled, gFactor: factor}",
        given="{gFactor: half}",
        python="Numbers.half = 0.25\nNumbers.factor = 2.5\n"
        "Numbers.first = property(lambda s: s.values[0])\n"
        "Numbers.second = property(lambda s: s.values[1])",
    )
    text = case.path.read_text().replace("call: Run", "call: Scale")
    text += "arguments: {a: first, b: factor, c: second, d: half}\n"
    case.path.write_text(text)
    case = read_case(case.path)
    made = compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)
    for cpu in ("68040", "601"):
        subject = replace(cases.subject(case, cpu, "O1"), engine="host", native=made)
        (result,) = verify(case, [subject], plan_scenes(case, 6, 1), jobs=1)
        assert (result.verdict, result.undecided) == ("verified", "")


@pytest.mark.parametrize(
    ("code", "observe"),
    [
        ("short Middle(Spot spot) { return (spot.v + spot.h) / 2; }", "{return: v}"),
        ("Spot Middle(short v) { Spot spot = {v, v}; return spot; }", "{return: {v: v, h: v}}"),
    ],
    ids=["given", "returned"],
)
def test_a_struct_that_a_register_holds_is_refused(tmp_path: Path, code: str, observe: str) -> None:
    cases = SmallCases(tmp_path)
    python = "Numbers.v = property(lambda scene: scene.values[0])"
    text = f"struct Spot {{ short v, h; }}; short gNone; {code}"
    case = cases.make(text, "return answer(v=scene.v)", observe, given="{gNone: v}", python=python)
    value = "spot: {v: v, h: v}" if "Spot spot)" in code else "v: v"
    text = case.path.read_text().replace("call: Run", f"call: Middle\narguments: {{{value}}}")
    case.path.write_text(text)
    case = read_case(case.path)
    made = compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)
    subject = replace(cases.subject(case, "68040", "O1"), engine="host", native=made)
    with pytest.raises(EngineRefusal, match="a struct or a long double is passed or returned"):
        verify(case, [subject], plan_scenes(case, 2, 1), jobs=1)


def test_the_toolbox_is_refused_by_the_linker(tmp_path: Path) -> None:
    text = "#include <Events.h>\n" + ADDS
    _, case = small(tmp_path, "gSum += TickCount();", text)
    with pytest.raises(
        CompileError, match=r"TickCount is not defined.* a routine of the Toolbox, which this"
    ):
        compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)


def test_other_functions_may_lack_what_this_computer_lacks(tmp_path: Path) -> None:
    """Of these, only the Toolbox, another file's table and their callers stay out."""
    text = (
        "#include <Events.h>\nextern short weights[8];\n"
        "short gWaits; long Wait() {{ gWaits++; return TickCount(); }}\n"
        "long Twice() {{ return 2 * Wait(); }}\n"
        "short Weigh() {{ return weights[1]; }}\nshort One() {{ return 1; }}\n"
    ) + ADDS.replace('extern "C" void', "static void")
    cases, case = small(tmp_path, text=text)
    made = compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)
    names = set(native_symbols(made))
    assert {"_ZL3Runv", "_Z3Onev", "gEntries"} <= names  # even if nothing calls a static routine
    assert not {"_Z4Waitv", "_Z5Twicev", "_Z5Weighv", "gWaits"} & names
    subject = replace(cases.subject(case, "68040", "O1"), engine="host", native=made)
    (result,) = verify(case, [subject], plan_scenes(case, 3, 1), jobs=1)
    assert (result.undecided, result.verdict) == ("", "verified")


@pytest.mark.slow
def test_assembler_of_another_processor_is_refused(tmp_path: Path) -> None:
    _, case = small(tmp_path, 'asm volatile("moveq #1,%d0");')
    with pytest.raises(CompileError, match=r"g\+\+ refused it"):
        compile_native(source_tree(case), case.builds["O1"], has_sanitizers=False)


def test_a_program_without_sources_is_refused(tmp_path: Path) -> None:
    cases, case = small(tmp_path)
    subject = replace(cases.subject(case, "68040", "O1"), engine="host")
    scenes = Scenes.make(case, plan_scenes(case, 1, 1))
    with pytest.raises(EngineRefusal, match="of this program there are none"):
        run_programs(case, [subject], scenes, is_first=False)


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "compiler_version", lambda command: None)
    with pytest.raises(ToolMissingError, match=r"apt-get install g\+\+") as caught:
        ENGINES["host"].describe()
    assert caught.value.exit_code == 3


def test_places_are_found_in_a_table_and_by_a_search() -> None:
    places = np.array([0, 5, 9], np.uint64)
    wanted = np.array([9, 0, 5, 4, 10, 1 << 40], np.uint64)
    table = host_layout._numbers(places)
    assert table is not None
    for numbers in (table, None):
        found = places[host_layout._nearest(places, wanted, numbers)] == wanted
        assert found.tolist() == [True, True, True, False, False, False]
    assert host_layout._numbers(np.array([0, 1 << 31], np.uint64)) is None


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = "verify four-shifts --build O2 --cpu 601 --programs prebuilt --scenes 7"
    assert main([*words.split(), "--engine", "host"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "601 O2 on host: executed by host g++" in told
    assert "which does not check registers, the stack, instructions, and memory that no" in told
