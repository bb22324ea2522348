"""Scenes that are changed at random: what is found, and that it is found again."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emu.base.errors import CaseError, InputError, UsageError
from emu.base.time_limit import at_most
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.engines.native_code.process import translated_process
from emu.machine.calls.other_engine import EngineRefusal
from emu.machine.cpu import CPUS
from emu.report.forms.terminal import text_of
from emu.search.asked_scene import AskedScene, ImpossibleScene, ask_about
from emu.search.budget import quick_budget
from emu.search.fuzz import execute as fuzz_execute
from emu.search.fuzz.document import fuzz_document
from emu.search.fuzz.execute import FuzzTerms, execute, execute_all
from emu.search.fuzz.numbers import numbers_of
from emu.search.fuzz.report import FuzzReport
from emu.search.fuzz.search import fuzz
from emu.search.fuzz.translated_runs import (
    ImpatientEngine,
    PreparedScenes,
    TranslatedCalls,
    _counting_bench,
    calls_together,
)
from emu.verify.batches.bench import Bench
from emu.verify.explain.finding import read_finding
from emu.verify.explain_failure import explain
from emu.verify.runs.judgement import reference_answer
from emu.verify.scenes.changed_scenes import (
    ChangedScene,
    value_of,
)
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import SceneSpec
from posts.listing import import_listing
from tests.small_cases import require_compilers

# Only a number that no scene of the case has leads to the mistake, after another that none has.
SOURCE = """
long gValues[16], gSum;
short gCount;

extern "C" void Run()
{
    gSum = 0;
    for (short n = 0; n < gCount; n++)
    {
        if (gValues[n] == 54321)
            if (n > 0 && gValues[n - 1] == 54321)
                gSum += 1;
        gSum += gValues[n];
    }
}
"""
REFERENCE = "return answer(total=int(scene.values.sum()))"


@pytest.fixture
def selection(small_cases) -> Selection:
    case = small_cases.make(SOURCE, REFERENCE, "{gSum: total}")
    return small_cases.programs(case)


def search(programs: Selection, folder: Path, **terms: Any) -> FuzzReport:
    return fuzz(programs.case, programs, folder=folder, **terms).report


def without_seconds(report: FuzzReport) -> FuzzReport:
    findings = tuple(replace(one, seconds=0.0) for one in report.findings)
    return replace(report, seconds=0.0, findings=findings)


def corpus_of(folder: Path) -> list[str]:
    return [path.read_text() for path in sorted((folder / "corpus").iterdir())]


@pytest.fixture
def found(selection, tmp_path) -> tuple[FuzzReport, Path]:
    folder = tmp_path / "fuzz"
    return search(selection, folder, executions=1500, jobs=1, seed=3), folder


@pytest.mark.slow
def test_what_is_behind_two_comparisons_is_found_and_explained(found):
    report, folder = found
    (one,) = report.findings
    assert (one.symptom.kind, one.program, one.symptom.refused) == ("divergence", "601 O2", "")
    finding = read_finding(folder / one.file)
    assert value_of(finding.scene.fields["values"]).tolist() == [54321, 54321]
    explained = explain(folder / one.file)
    assert explained is not None and explained.verdict == "refuted"
    assert str(explained.explanation.divergence).startswith("gSum is 108643, expected 108642")
    assert list(explained.explanation.columns["values"]) == [54321, 54321]


@pytest.mark.slow
def test_a_search_goes_on_as_if_it_had_not_been_interrupted(selection, tmp_path):
    whole = search(selection, tmp_path / "whole", executions=256, jobs=2, seed=5)
    part = search(selection, tmp_path / "parts", executions=100, jobs=1, seed=5)
    assert part.executions < whole.executions
    rest = whole.executions - part.executions
    parts = search(selection, tmp_path / "parts", executions=rest, jobs=1, seed=5)
    assert corpus_of(tmp_path / "whole") == corpus_of(tmp_path / "parts")
    assert without_seconds(parts) == without_seconds(whole)


def test_a_right_program_has_no_findings(small_cases, tmp_path):
    source = SOURCE.replace("gSum += 1;", ";")
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    programs = small_cases.programs(case)
    report = search(programs, tmp_path / "fuzz", executions=100, jobs=1)
    assert (report.verdict, report.findings) == ("nothing found", ())
    assert report.executions >= 100 and report.changed > 50 and report.corpus
    document = fuzz_document(report, tmp_path / "fuzz")
    assert "nothing found" in text_of(document)
    assert [check.fate.value for check in document.checks] == ["passed"]


# A scene of which nothing can be changed: all that it gives follows from its seed.
FIXED = """
@dataclass(frozen=True)
class Fixed:
    generator: str
    seed: int
    objects = 1

    @property
    def number(self):
        return self.seed % 1000

    def keep(self, indices):
        return self

def make_fixed(generator, objects, seed, width, height):
    return Fixed(generator, seed)
"""


def test_scenes_that_cannot_be_changed_are_no_success(small_cases, macproof, tmp_path):
    require_compilers("601")
    case = small_cases.make(
        'short gNumber; long gSum; extern "C" void Run() { gSum = gNumber; }',
        "return answer(total=scene.number)",
        "{gSum: total}",
        given="{gNumber: number}",
        python=FIXED,
        make="make_fixed",
    )
    text = case.path.read_text().replace("objects: [5, 9]", "objects: [1]")
    case.path.write_text(text)
    words = ("--cpu", "601", "--build", "O2", "--executions", "80", "--folder", tmp_path / "fuzz")
    done = macproof("fuzz", case.path, *words, "--junit", tmp_path / "fuzz.xml")
    assert (done.code, done.err) == (4, "")
    assert "nothing tried (no changed scene was run: the scenes cannot be changed" in done.out
    assert "<error" in (tmp_path / "fuzz.xml").read_text()


def test_a_search_without_a_round_is_no_success(small_cases, macproof, tmp_path):
    require_compilers("601")
    case = small_cases.make(SOURCE.replace("gSum += 1;", ";"), REFERENCE, "{gSum: total}")
    words = ("--cpu", "601", "--build", "O2", "--seconds", "0", "--folder", tmp_path / "fuzz")
    done = macproof("fuzz", case.path, *words)
    assert (done.code, done.err) == (4, "")
    assert "nothing tried (no changed scene was run: there was no round)" in done.out


# Numbers that stand in no instruction: one that a scene has to have, and one of which the scene has
# to have a part, so that only coming nearer leads there.
KEY = "volatile unsigned long gKey = 5901246;" + SOURCE.replace(
    "if (gValues[n] == 54321)", "if ((unsigned long) gValues[n] * MANY == gKey)"
).replace("if (n > 0 && gValues[n - 1] == 54321)", "")


@pytest.mark.slow
@pytest.mark.parametrize("many", [1, 3])
def test_comparisons_lead_to_numbers_that_chance_does_not_find(
    many: int, small_cases, tmp_path, monkeypatch
):
    case = small_cases.make(KEY.replace("MANY", f"{many}u"), REFERENCE, "{gSum: total}")
    programs = small_cases.programs(case, ["68040"])
    terms: dict[str, Any] = {"executions": 1500, "jobs": 2, "seed": 3}
    guided = search(programs, tmp_path / "guided", **terms)
    (one,) = guided.findings
    assert one.symptom.kind == "divergence" and one.symptom.summary.startswith("gSum is")
    finding = read_finding(tmp_path / "guided" / one.file)
    assert 5901246 // many in value_of(finding.scene.fields["values"]).tolist()
    monkeypatch.setattr("emu.search.fuzz.search.guide_of", lambda selection: None)
    assert search(programs, tmp_path / "not guided", **terms).findings == ()


def test_the_folder_of_another_search_is_refused(selection, tmp_path):
    search(selection, tmp_path, executions=20, jobs=1, scenes=1)
    with pytest.raises(UsageError, match="is of another search"):
        search(selection, tmp_path, executions=20, jobs=1, scenes=1, seed=7)
    state = tmp_path / "fuzz.json"
    state.write_text(state.read_text().replace('"rounds"', '"turns"'))
    with pytest.raises(InputError, match="damaged"):
        search(selection, tmp_path, executions=20, jobs=1, scenes=1)


# -- what the reference does not know ----------------------------------------------------------


def four_shifts(**options: object) -> Selection:
    chosen = {"cpus": ["68040", "601"], "builds": ["O2"], **options}
    return programs_of(load_case("four-shifts"), **chosen)  # type: ignore[arg-type]


@pytest.mark.slow
def test_scenes_that_the_reference_refuses_can_be_left_out(tmp_path):
    report = search(four_shifts(), tmp_path, executions=150, jobs=1, scenes=1, within=True)
    assert report.findings == ()
    assert report.refused > 10


@pytest.mark.slow
def test_defects_of_the_listing_are_found_from_one_scene(post, tmp_path):
    listing = tmp_path / "listing.cpp"
    listing.write_text(import_listing(post).text, encoding="latin-1")
    programs = four_shifts(source=listing, cpus=["68000", "68040", "601"])
    report = search(programs, tmp_path / "fuzz", executions=1000, jobs=2, scenes=1, seed=3)
    kinds = {(one.symptom.kind, one.symptom.place.split("[")[0]) for one in report.findings}
    # M8: what lies beside the table is written, the links of objects among it.
    assert ("stray store", "gObjects") in kinds
    # M9: the flags are wrong; the specification says what is right off the screen.
    assert ("divergence", "gCollisionArray") in kinds
    # M10: the list becomes a ring, and the routine never returns.
    assert ("fault", "UpdateSectors: it did not return within N blocks") in kinds
    assert all(one.symptom.refused for one in report.findings)
    stray = next(one for one in report.findings if one.symptom.kind == "stray store")
    explained = explain(tmp_path / "fuzz" / stray.file)
    assert explained is not None and "UpdateSectors" in str(explained.explanation.writer)


@pytest.mark.slow
def test_full_checks_find_what_changes_no_value(small_cases, tmp_path):
    source = SOURCE.replace("gSum += 1;", "*(volatile long*) &gValues[n + 16];")
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    programs = small_cases.programs(case)
    usual = search(programs, tmp_path / "usual", executions=1000, jobs=1, seed=3)
    full = search(programs, tmp_path / "full", executions=1000, jobs=1, seed=3, checks="full")
    assert usual.findings == ()
    (one,) = full.findings
    assert one.symptom.kind == "memory" and "gValues" in one.symptom.summary
    with pytest.raises(UsageError, match="no value is known to be wrong"):
        explain(tmp_path / "full" / one.file)


# -- scenes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_numbers_of_a_program(cpu):
    (subject,) = programs_of(load_case("blockmap"), cpus=[cpu], builds=["O2"], use="prebuilt")
    numbers = numbers_of(subject.read(), CPUS[cpu])
    assert {95, 127} & set(numbers) and all(abs(one) > 1 for one in numbers)


@pytest.mark.slow
def test_the_command(macproof, tmp_path):
    words = ("fuzz", "four-shifts", "--cpu", "601", "--build", "O2", "--programs", "prebuilt")
    options = ("--scenes", 1, "--executions", 60, "--jobs", 1, "--folder", tmp_path / "fuzz")
    outcome = macproof(*words, *options, "--json", tmp_path / "fuzz-report.json")
    assert outcome.code == 1
    report = json.loads((tmp_path / "fuzz-report.json").read_text())
    assert report["schema"] == "macproof.fuzz/2" and report["findings"]
    assert f"macproof explain {tmp_path / 'fuzz'}/findings/001-" in outcome.out.replace("\n", "")


def test_a_reference_that_keeps_busy_for_ever_is_not_waited_for(small_cases):
    case = small_cases.make(SOURCE, "while True:\n    pass", "{gSum: total}")
    scene = ChangedScene(SceneSpec("any", 5, 1)).make(case)
    with at_most(0.1), pytest.raises(UsageError, match=r"did not return within 0\.1 s"):
        reference_answer(case, scene)


def test_scenes_are_asked_about_together_as_one_by_one(small_cases):
    """One cannot be made, of one the reference never says anything, and one it refuses."""
    reference = """
first = int(scene.values[0])
while first == 7:
    pass
if first < 0:
    raise ValueError(f"{first} is negative")
return answer(total=first)
"""
    case = small_cases.make(SOURCE, reference, "{gSum: total}")
    given = [[1, 2], [-3], [4], [7], [-5], [6]]
    scenes = [
        ChangedScene(SceneSpec("any", 5, seed), {"values": np.array(values)})
        for seed, values in enumerate(given)
    ]
    together = ask_about(case, scenes, 0.2)
    alone = [one for scene in scenes for one in ask_about(case, [scene], 0.2)]
    told = [
        one.why
        if isinstance(one, ImpossibleScene)
        else (one.refused, getattr(one.answer, "total", None))
        for one in together
    ]
    assert told == [
        ("", 1),
        ("-3 is negative", None),
        ("", 4),
        "it did not return within 0.2 s of processor time",
        ("-5 is negative", None),
        ("", 6),
    ]
    assert [type(one) for one in together] == [type(one) for one in alone]
    assert [one.changed for one in together] == scenes


def test_a_reference_that_changes_a_scene_is_told_of_though_it_refuses_the_next(small_cases):
    reference = (
        "scene.values[0] += 1\nif scene.seed: raise ValueError('no')\nreturn answer(total=1)"
    )
    case = small_cases.make(SOURCE, reference, "{gSum: total}")
    scenes = [ChangedScene(SceneSpec("any", 5, seed)) for seed in (0, 1)]
    with pytest.raises(CaseError, match="changes values of the scene it is given"):
        ask_about(case, scenes)


def test_programs_differ_only_in_what_they_leave(small_cases):
    """The reference refuses the scene, so programs are compared with each other alone."""
    source = """
    float gNumbers[2];
    long gValues[16], gSum;
    short gCount;
    extern "C" void Run()
    {
        long *const bits = (long*) gNumbers;
        bits[0] = 0x7fa00000;  // a signalling NaN
        bits[1] = 0x7fc00000;
        gSum = 1;
    }
    """
    reference = "raise ValueError('nothing is right')"
    case = small_cases.make(source, reference, "{gSum: total, gNumbers: numbers}")
    # Of gValues only the first 5 are given; the others are random, and nobody changes them.
    noise = ChangedScene(SceneSpec("any", 5, 1, Fill.NOISE))
    same, other = (small_cases.subject(case, cpu, "O1") for cpu in ("68040", "601"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert execute(case, [same, other], noise, FuzzTerms()).suspicions == ()
    case.path.with_name("small.cpp").write_text(source.replace("gSum = 1", "gSum = 2"))
    changed = small_cases.subject(case, "601", "O1")
    (found,) = execute(case, [same, changed], noise, FuzzTerms()).suspicions
    assert (found.symptom.kind, found.symptom.place) == ("difference", "gSum")


EASY = SOURCE.replace("gValues[n] == 54321)", "gValues[n] > 100000)").replace(
    "gValues[n - 1] == 54321", "gValues[n - 1] > 0"
)


def test_translated_code_changes_no_search_with_its_workers(small_cases, tmp_path):
    programs = small_cases.programs(small_cases.make(EASY, REFERENCE, "{gSum: total}"))
    one, two = tmp_path / "one", tmp_path / "two"
    report = search(programs, one, executions=128, jobs=1)
    assert without_seconds(search(programs, two, executions=128, jobs=2)) == without_seconds(report)
    assert corpus_of(one) == corpus_of(two)
    assert 0 < report.translated < report.executions
    assert [(found.symptom.kind, found.symptom.place) for found in report.findings] == [
        ("divergence", "gSum")
    ]


def test_what_is_wrong_has_the_words_of_unicorn(small_cases, monkeypatch: pytest.MonkeyPatch):
    case = small_cases.make(EASY, REFERENCE, "{gSum: total}")
    subjects = small_cases.programs(case).subjects
    scenes = [ChangedScene(SceneSpec("any", 5, seed)) for seed in range(4)]
    wrong = np.array([1, 200_000, 3, 4, 5])
    scenes.insert(2, ChangedScene(SceneSpec("any", 5, 9), {"values": wrong}))
    translated = execute_all(case.known_case, subjects, scenes, FuzzTerms())

    def refuse(*_: object, **__: object) -> None:
        raise EngineRefusal("not here")

    monkeypatch.setattr(ImpatientEngine, "__init__", refuse)
    _counting_bench.cache_clear()
    plain = execute_all(case.known_case, subjects, scenes, FuzzTerms())
    _counting_bench.cache_clear()
    assert [one.is_translated for one in translated] == [True, True, False, True, True]
    assert not any(one.is_translated for one in plain)
    suspicions = [one.suspicions for one in plain]
    assert suspicions == [one.suspicions for one in translated]
    assert [len(one) for one in suspicions] == [0, 0, 1, 0, 0]
    # What is executed for the first time is the same.
    news = [[bool(one.features - each[0].features) for one in each] for each in (plain, translated)]
    assert news[0] == news[1] == [False, False, True, False, False]


@pytest.mark.slow
def test_scenes_that_a_program_has_no_place_for_are_found_together(small_cases, monkeypatch):
    case = small_cases.make(SOURCE, REFERENCE, "{gSum: total}")
    (subject, *_) = small_cases.programs(case).subjects
    values = [[1], list(range(20)), [2, 3], list(range(30)), [1 << 40], [1 << 40, 2], [4]]
    scenes = [
        ChangedScene(SceneSpec("any", 5, seed), {"values": np.array(one)})
        for seed, one in enumerate(values)
    ]
    asked = dict(enumerate(ask_about(case, scenes)))
    laid: list[int] = []
    real = Bench.before

    def before(self: Bench, some: Any, *more: Any) -> Any:
        laid.append(len(some))
        return real(self, some, *more)

    monkeypatch.setattr(Bench, "before", before)
    calls = calls_together(case, subject, 0, PreparedScenes.of(case, asked))
    assert calls.unfit == {1, 3, 4, 5}
    assert set(calls.features) == {0, 2, 6}
    assert laid == [7, 5, 3], "no room for two, and two with too large numbers"


def test_calls_that_never_return_are_left_to_unicorn(small_cases):
    loop = "    while (*(volatile long *) gValues > 100000)\n        ;\n    gSum = 0;"
    case = small_cases.make(SOURCE.replace("    gSum = 0;", loop), REFERENCE, "{gSum: total}")
    subjects = small_cases.programs(case).subjects
    wrong = {"values": np.array([200_000, 2, 3, 4, 5])}
    scenes = [
        ChangedScene(SceneSpec("any", 5, seed), wrong if seed % 2 else {}) for seed in range(10)
    ]
    done = execute_all(case.known_case, subjects, scenes, FuzzTerms(budget=quick_budget(0.0)))
    assert [one.is_translated for one in done] == 5 * [True, False]
    kinds = [[found.symptom.kind for found in one.suspicions] for one in done]
    assert kinds == [[], ["fault"]] * 5
    assert all(one.features for one in done)


def test_wild_accesses_keep_no_other_scene_from_translated_code(small_cases, monkeypatch):
    store = "    *(volatile long *) gValues[0] = 1;\n    gSum = 0;"
    source = SOURCE.replace("    gSum = 0;", f"    if (gValues[0] > 100000)\n    {store}")
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    subjects = small_cases.programs(case).subjects
    scenes = [
        ChangedScene(SceneSpec("any", 5, seed), {"values": np.array([place, 2, 3, 4, 5])})
        for seed, place in enumerate([1, 0x7000_0000, 2, 0x7654_3210, 3, 0x0FFF_FFFE, 4])
    ]
    process = translated_process()
    done = execute_all(case.known_case, subjects, scenes, FuzzTerms(budget=quick_budget(0.0)))
    assert [one.is_translated for one in done] == 3 * [True, False] + [True]
    kinds = [[found.symptom.kind for found in one.suspicions] for one in done]
    assert kinds == 3 * [[], ["fault"]] + [[]]
    assert translated_process() is process


@pytest.fixture
def unicorn_calls(monkeypatch: pytest.MonkeyPatch) -> list[Bench]:
    """The benches on which Unicorn is asked about a scene, as it is asked."""
    calls: list[Bench] = []
    real = fuzz_execute._call

    def call(bench: Bench, asked: AskedScene) -> Any:
        calls.append(bench)
        return real(bench, asked)

    monkeypatch.setattr(fuzz_execute, "_call", call)
    monkeypatch.setattr("emu.search.fuzz.suspicions._shown", {})
    return calls


def test_refused_scenes_show_in_translated_code_what_they_show_on_unicorn(
    monkeypatch, unicorn_calls
):
    """Beside the table of sectors: wild reads, values of other variables, and nothing wrong."""
    case = load_case("four-shifts")
    subjects = programs_of(case, cpus=["68040", "601"], builds=["O2"], use="prebuilt").subjects
    original = SceneSpec("shuffled", 5, 3)
    corners = np.asarray(ChangedScene(original).make(case).corners)
    scenes = []
    for x in (700, 7000, -40, 1 << 20, -(1 << 20), 1 << 30, 710, 1 << 21, 1 << 29, 720):
        moved = corners.copy()
        moved[3, 0] = x
        scenes.append(ChangedScene(original, {"corners": moved}))
    terms = FuzzTerms(budget=quick_budget(0.0))
    translated = execute_all(case.known_case, subjects, scenes, terms)
    few = len(unicorn_calls)
    monkeypatch.setattr("emu.search.fuzz.execute.calls_together", lambda *_: TranslatedCalls())
    unicorn = execute_all(case.known_case, subjects, scenes, terms)
    keys = [
        [{suspicion.key for suspicion in one.suspicions} for one in each]
        for each in (translated, unicorn)
    ]
    assert keys[0] == keys[1]
    kinds = {kind for each in keys[1] for _, kind, _, _ in each}
    assert kinds >= {"fault", "stray store"}
    for one, other in zip(translated, unicorn, strict=True):
        assert one.suspicions or one.features == other.features
    assert 0 < few < 14 and len(unicorn_calls) == few + 20


def test_programs_are_compared_with_each_other_in_translated_code(small_cases, unicorn_calls):
    """What differs has the words of Unicorn, once: then it is known by its place."""
    source = SOURCE.replace("gSum = 0;", "gSum = sizeof(void (*)()) * gCount; gValues[15] = 1;")
    case = small_cases.make(source, "raise ValueError('no')", "{gSum: total, gValues: numbers}")
    same = small_cases.subject(case, "68040", "O1")
    case.path.with_name("small.cpp").write_text(source.replace("gSum = ", "gSum = 5 + "))
    other = small_cases.subject(case, "601", "O1")
    scenes = [ChangedScene(SceneSpec("any", 5, seed)) for seed in (1, 3, 5)]
    terms = FuzzTerms(budget=quick_budget(0.0))
    done = execute_all(case.known_case, [same, other], scenes, terms)
    assert [[each.symptom.place for each in one.suspicions] for one in done] == 3 * [["gSum"]]
    assert {each.symptom.kind for one in done for each in one.suspicions} == {"difference"}
    assert len(unicorn_calls) == 2


def test_calls_of_python_are_left_to_unicorn():
    case = load_case("examples/quicksort")
    require_compilers("601")
    subjects = programs_of(case, cpus=["601"], builds=["O2"]).subjects
    scenes = [ChangedScene(SceneSpec(case.generators[0], case.objects[0], 1))]
    (done,) = execute_all(case.known_case, subjects, scenes, FuzzTerms())
    assert done.is_scene and done.features and not done.suspicions
