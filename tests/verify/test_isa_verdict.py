"""A program that needs what its processor has not is not verified, whatever it computes."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.base.errors import GuestError, WrongResultError
from emu.cases.case import Case
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.checks.isa import executes
from emu.checks.isa_model import NOTE, REFUTES, UNDECIDED, InstructionFinding
from emu.machine import CodeBlock
from emu.report.forms.junit import to_junit
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import print_document
from emu.report.json_form import plain
from emu.toolchain.builds import targets_of
from emu.toolchain.programs.prebuilt import provide
from emu.verify.batches.benches import bench_for
from emu.verify.documents.document import document_of
from emu.verify.documents.summary import summary_of
from emu.verify.report.make_report import make_report
from emu.verify.report.report import InstructionCheck, VerifyReport
from emu.verify.runs.prepared_scenes import Scenes
from emu.verify.runs.scene_runs import require_correct, run_scenes
from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import INCONCLUSIVE, REFUTED, VERIFIED, Result
from emu.verify.scenes.scene_plan import plan_scenes
from tests.verify.small_cases import SmallCase, compiled

Ports = dict[tuple[str, str, str], Subject]
PREBUILT = Path(__file__).parents[2] / "mac_src" / "prebuilt"
_BEGIN = "void _DetermineCollisions()\n{\n"

# Each needs something, and computes what it should.
NEEDS = {
    "extb": 'asm volatile(".short 0x49c0" : : : "d0");',
    "sometimes extb": "if (gObjects[99].obj_link == NULL) "
    '{ asm volatile(".short 0x49c0" : : : "d0"); }',
    "fetoxm1": "if (gObjects[99].obj_link == NULL) "
    '{ asm volatile("fetoxm1%.x %%fp0,%%fp0" : : ); }',
    "fsin": 'asm volatile("fsin%.x %%fp0,%%fp0" : : );',
    "mul": 'asm volatile(".long 0x7c6428d6" : : : "r3");',
    "mfmsr": 'asm volatile(".long 0x7c6000a6" : : : "r3");',
}


@pytest.fixture(scope="module")
def port(
    case: Case, changed: Callable[..., str], compile_ports: Callable[..., Ports]
) -> Callable[[str, str], Subject]:
    """Our port that needs something more, by what and by processor."""

    def compile_one(needs: str, cpu: str) -> Subject:
        text = changed({_BEGIN: f"{_BEGIN}    {NEEDS[needs]}\n"})
        return compile_ports({needs: text}, (cpu,), ("O1",))[needs, cpu, "O1"]

    return compile_one


@pytest.mark.parametrize(
    ("needs", "cpu", "verdict", "weights"),
    [
        ("extb", "68000", REFUTED, {REFUTES}),
        ("extb", "68040", VERIFIED, set()),
        ("fsin", "68040", INCONCLUSIVE, {UNDECIDED}),
        ("mul", "601", VERIFIED, {NOTE}),
        ("mfmsr", "601", REFUTED, {REFUTES}),
    ],
)
def test_the_verdict(
    case: Case,
    port: Callable[[str, str], Subject],
    needs: str,
    cpu: str,
    verdict: str,
    weights: set[str],
):
    (result,) = verify(case, [port(needs, cpu)], plan_scenes(case, 10, 7), jobs=1)
    assert (result.scenes, result.diverged, result.violated) == (10, 0, 0)
    assert result.verdict == verdict
    assert {finding.weight for finding in result.isa} == weights
    for finding in result.isa:
        assert finding.mnemonic.startswith(needs)
        assert f"({needs}.cpp:" in finding.place


ALWAYS = "long Go(short n) { __asm__ volatile(%r); return n; }"
GO = "call: Go\narguments: {n: objects}\n"


def test_an_instruction_that_is_lacking_on_every_scene_refutes(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    keys = GO + "observe: {return: objects}\nreference: small:same\n"
    python = "\n\ndef same(scene):\n    return scene\n"
    for code in (".short 0x4c41, 0x1001", ".short 0xf000"):
        source = ALWAYS.replace("%r", f'"{code}"')
        assert SmallCase(tmp_path, source, keys, python, "68000").verify().verdict == REFUTED


def test_an_old_program_that_would_not_run_says_nothing(
    tmp_path: Path, compilers: Callable[..., None]
) -> None:
    compilers("68000")
    compiled(ALWAYS.replace("%r", '"extb.l %%d0" : : : "d0"'), "Go", tmp_path / "old.elf")
    keys = GO + 'observe: [return]\nreference: {program: old.elf, symbol: Go, cpu: "68000"}\n'
    plain = "long Go(short n) { return n; }"
    with pytest.raises(GuestError, match=r"on its 68000: .*extb\.l is no instruction"):
        SmallCase(tmp_path, plain, keys, "", "68000").verify()
    later = keys.replace('"68000"', '"68040"')
    assert SmallCase(tmp_path, plain, later, "", "68000").verify().verdict == VERIFIED


@pytest.mark.slow
def test_it_does_not_depend_on_the_number_of_workers(case: Case, port: Callable[..., Subject]):
    """The instruction is only executed in some scenes, of chunks that any worker may run."""
    specs = plan_scenes(case, 300, 3)
    subject = port("sometimes extb", "68000")
    one, three = (verify(case, [subject], specs, jobs=jobs)[0] for jobs in (1, 3))
    assert one == three
    assert one.verdict == REFUTED
    assert len(one.isa) == 1


def test_a_kept_machine_says_only_what_these_scenes_executed(
    case: Case, port: Callable[..., Subject]
):
    subject = port("sometimes extb", "68000")
    bench = bench_for(case, subject)
    many, few = (Scenes.make(case, plan_scenes(case, 2, 1, [objects])) for objects in (200, 50))
    found = [len(run_scenes(subject, bench, s).isa) for s in (many, few, many, few, few)]
    assert found == [0, 1, 0, 1, 1]


def test_an_instruction_that_only_the_engine_lacks(case: Case, port: Callable[..., Subject]):
    """In some scenes it is executed."""
    (result,) = verify(case, [port("fetoxm1", "68040")], plan_scenes(case, 30, 1), jobs=1)
    assert result.scenes > 0
    assert "the engine cannot execute FETOXM1, so this decides nothing" in result.crash
    assert (result.fault, result.verdict) == ("", INCONCLUSIVE)


@pytest.mark.parametrize(
    ("cpu", "code", "has"),
    [
        ("68040", "4e77", True),
        ("68000", "4e77", True),
        ("68040", "00d01000", True),  # cmp2.b (a0),d1
        ("68000", "00d01000", False),
        ("68040", "4afc", False),  # is there to be illegal
        ("68040", "a9f4", False),
        ("68040", "4e41", False),
        ("68040", "ffff", False),
        ("68000", "49c0", False),
        ("601", "7c6428d6", True),
        ("601", "fc2220ee", False),
        ("601", "00000000", False),
        ("601", "0fe00000", False),  # twi
        ("mips", "00000000", False),
    ],
)
def test_which_instructions_a_processor_executes(cpu: str, code: str, has: bool):
    assert executes(cpu, CodeBlock(0x1000, bytes.fromhex(code))) is has


def test_explain_names_the_instruction(
    case: Case, report: VerifyReport, tmp_path: Path, macproof: Callable[..., Any]
):
    file = tmp_path / "report.json"
    file.write_text(report.to_json())
    done = macproof("explain", file, "--trust")
    assert done.code == 1
    assert (
        "68000 O2 did not fail on a scene; its fault is that extb.l is no instruction of a 68000"
        in done.err
    )


def test_a_program_that_would_not_run_is_not_timed():
    result = _result(Subject("68000", "O2", Path("some.elf")), REFUTES)
    with pytest.raises(WrongResultError, match="extb"):
        require_correct(result, "a program")
    require_correct(_result(result.subject, NOTE), "a program")


def _result(subject: Subject, *weights: str, **values: Any) -> Result:
    findings = tuple(
        InstructionFinding(n, "extb.l", "is none", weight) for n, weight in enumerate(weights)
    )
    ran = Result(
        subject,
        scenes=3,
        changed_scenes=3,
        inputs=frozenset({b"a", b"b", b"c"}),
        comparisons=9,
        isa=findings,
    )
    return dataclasses.replace(ran, **values)


def test_what_a_finding_weighs():
    subject = Subject("68000", "O2", Path("some.elf"))
    assert _result(subject, NOTE).verdict == VERIFIED
    assert _result(subject, NOTE, UNDECIDED).verdict == INCONCLUSIVE
    assert _result(subject, UNDECIDED, REFUTES).verdict == REFUTED
    assert _result(subject, UNDECIDED, diverged=1).verdict == REFUTED
    # One that never returned was perhaps not called as it should be.
    assert _result(subject, REFUTES, scenes=0, fault="it jumped").verdict == INCONCLUSIVE
    both = _result(subject, NOTE, REFUTES) + _result(subject, NOTE)
    assert [finding.weight for finding in both.isa] == [NOTE, REFUTES]


@pytest.fixture(scope="module")
def report(case: Case) -> VerifyReport:
    """A program of the 68000 and one of the 68040, the former with findings."""
    build = [case.builds["O2"]]
    cpus = ("68000", "68040")
    given = provide(case.name, source_tree(case), targets_of(cpus), build, PREBUILT)
    finding = InstructionFinding(
        0x1234, "extb.l", "is no instruction of a 68000", REFUTES, "0x00001234 f+0x4 (a.cpp:7)"
    )
    results = []
    for program in given.programs:
        result = _result(Subject(program.cpu, program.build, program.path))
        results.append(dataclasses.replace(result, isa=(finding,) * (program.cpu == "68000")))
    return make_report(
        case,
        given.programs,
        results,
        plan_scenes(case, 3, 1),
        source=None,
        provision=given.note,
        not_run=[],
        command=["macproof"],
        seconds=1.0,
    )


def _printed(report: VerifyReport) -> str:
    file = io.StringIO()
    print_document(document_of(report), Console(file=file, width=80))
    return file.getvalue()


def test_every_form_names_the_instruction_and_its_line(report: VerifyReport):
    text = "extb.l is no instruction of a 68000; at 0x00001234 f+0x4 (a.cpp:7)"
    assert f"68000 O2: it would not run on the real processor: {text}." in _printed(report)
    assert text.replace("_", r"\_") in to_markdown([document_of(report)])
    failure = ElementTree.fromstring(to_junit([document_of(report)])).find(".//failure")
    assert failure is not None
    said = "0x00001234 f+0x4 (a.cpp:7): extb.l is no instruction of a 68000"
    assert failure.attrib["message"] == said
    first, second = plain(report)["results"]
    assert first["isa"]["checked"] is True
    assert first["isa"]["findings"][0]["place"] == "0x00001234 f+0x4 (a.cpp:7)"
    assert second["isa"] == {"checked": True, "findings": []}


def test_the_verdict_of_a_68000_says_that_odd_addresses_were_not_watched(
    report: VerifyReport,
):
    text = "odd addresses were not watched on the 68000"
    assert _printed(report).splitlines()[-1] == f"refuted in 1.0 s ({text})"
    assert to_markdown([document_of(report)]).splitlines()[0].endswith(f": refuted ({text})")
    first, second = plain(report)["results"]
    assert (first["not_watched"], second["not_watched"]) == (["odd addresses"], [])
    suite = ElementTree.fromstring(to_junit([document_of(report)]))
    assert len(suite.findall(".//property[@name='not_watched']")) == 1
    file = io.StringIO()
    print_document(summary_of([report]), Console(file=file, width=200))
    assert "Odd addresses were not watched on the 68000." in file.getvalue()
    assert "four-shifts 68000 O2: it would not run on the real processor" in file.getvalue()
    newer = dataclasses.replace(report, results=report.results[1:])
    assert "odd addresses" not in _printed(newer) + to_markdown([document_of(newer)])


def test_a_processor_without_a_table_is_named(report: VerifyReport):
    other = dataclasses.replace(report.results[1], cpu="mips", isa=InstructionCheck(False, ()))
    bare = dataclasses.replace(report, results=(report.results[0], other))
    assert "mips O2: macproof has no table of the mips's instructions" in _printed(bare)


@pytest.mark.slow
def test_the_kit_runs_on_its_processors(case: Case, prebuilt: Callable[..., list[Subject]]):
    """No program of ours executes what its processor has not, or what others have not."""
    results = verify(case, prebuilt(), plan_scenes(case, 40, 1))
    assert [result.isa for result in results] == [()] * len(results)
    assert {result.verdict for result in results} == {VERIFIED}
