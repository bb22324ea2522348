"""The box of inputs for which a routine is correct: that its faces are where they must be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from emu.base.errors import CaseError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.scenes import scene_of
from emu.report.forms.terminal import text_of
from emu.search import asked_scene
from emu.search.domain import probes
from emu.search.domain.dimensions import dimensions_of
from emu.search.domain.document import domain_document
from emu.search.domain.execute import Executor
from emu.search.domain.report import DomainReport, ProgramDomain
from emu.search.domain.search import domain, search_program
from emu.verify.explain.finding import read_finding
from emu.verify.runs.judgement import Judgement
from emu.verify.scenes.scene_plan import plan_scenes

# The sum of a value and 100 is kept in 16 bits: right from -32868 to 32667, and nowhere else.
SOURCE = """
long gValues[16], gSum;
short gCount;

extern "C" void Run()
{
    gSum = 0;
    for (short n = 0; n < gCount; n++)
    {
        short moved = (short) (gValues[n] + 100);
        gSum += moved;
    }
}
"""
REFERENCE = "return answer(total=int((scene.values + 100).sum()))"
LOW, HIGH = -(1 << 15) - 100, (1 << 15) - 1 - 100


def of(small_cases, source: str = SOURCE) -> Selection:
    case = small_cases.make(source, REFERENCE, "{gSum: total}")
    return small_cases.programs(case, ["68040", "601"])


def ranges(program: ProgramDomain) -> dict[str, tuple[int, int]]:
    return {one.name: (one.low.joint, one.high.joint) for one in program.dimensions}


def without_seconds(report: DomainReport) -> DomainReport:
    return replace(report, programs=tuple(replace(one, seconds=0.0) for one in report.programs))


@pytest.mark.slow
def test_an_overflow_of_16_bits_is_found_at_its_very_value(small_cases, tmp_path):
    selection = of(small_cases)
    report = domain(selection, tmp_path / "one", scenes=64, jobs=1)
    assert report.verdict == "range found"
    for program in report.programs:
        assert ranges(program) == {"values": (LOW, HIGH), "objects": (0, 16)}
        (values,) = [one for one in program.dimensions if one.name == "values"]
        example = values.high.counterexample
        assert (example.value, example.symptom.kind) == (HIGH + 1, "divergence")
        finding = read_finding(tmp_path / "one" / example.file)
        assert finding.scene.changed.make(selection.case).values.tolist() == [HIGH + 1]
    assert "evidence" in text_of(domain_document(report, tmp_path))
    again = domain(selection, tmp_path / "two", scenes=64, jobs=2)
    assert without_seconds(again) == without_seconds(report)


def test_nothing_searched_is_no_success(small_cases, macproof, tmp_path):
    one = ProgramDomain("601", "O2", "0" * 64, None, (), (), 32, 0, 0, 0, 32, 0.1)
    assert one.verdict == "nothing searched"
    done = macproof("domain", "brute-force", "--programs", "prebuilt", "--scenes", 0)
    assert done.code == 2
    assert "scenes is 0, and has to be a whole number from 1 up" in done.err


def test_a_case_whose_usual_range_fails_is_told(small_cases, tmp_path):
    wrong = of(small_cases, SOURCE.replace("gSum += moved;", "gSum += moved | 1;"))
    report = domain(wrong, tmp_path, scenes=32, jobs=1)
    assert report.verdict == "the usual range fails"
    for program in report.programs:
        assert program.failure.symptom.kind == "divergence" and not program.dimensions
    checks = domain_document(report, tmp_path).checks
    assert [one.fate.value for one in checks] == ["failure", "failure"]


def test_numbers_that_depend_on_each_other_are_named_and_left_out(tmp_path):
    programs = programs_of(load_case("collider"), cpus=["601"], builds=["O2"], use="prebuilt")
    report = domain(programs, tmp_path, scenes=32, executions=500, jobs=1)
    (program,) = report.programs
    steps = {"operation", "first", "second", "demand", "priority"}
    assert report.verdict == "range found" and {one.name for one in program.tied} == steps
    assert [one.name for one in program.dimensions] == ["objects"]
    assert "operation: not searched" in text_of(domain_document(report, tmp_path))


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (-(1 << 107), 1 << 106), (5, 5)])
def test_values_are_chosen_from_the_whole_of_a_range(low, high):
    random = np.random.Generator(np.random.PCG64(1))
    values = [probes.between(low, high, random) for _ in range(200)]
    assert low <= min(values) <= low + (high - low) // 20
    assert high - (high - low) // 20 <= max(values) <= high


WIDE = """

@dataclass(frozen=True)
class Wide(Numbers):
    wide: int = 0

def make_wide(generator, objects, seed, width, height):
    numbers = make_numbers(generator, objects, seed, width, height)
    return Wide(numbers.values, generator, seed, 2**64 - 2**63 // (seed - 1993))
"""


def test_a_number_of_64_bits_is_searched_without_a_sign_and_exactly(small_cases):
    case = small_cases.make(SOURCE, REFERENCE, "{gSum: total}", python=WIDE, make="make_wide")
    specs = plan_scenes(case, 24, 1994)
    made = [scene_of(case, spec) for spec in specs]
    dimensions = dimensions_of(case, made)
    (wide,) = [one for one in dimensions if one.name == "wide"]
    values = [scene.wide for scene in made]
    assert (wide.low, wide.high) == (min(values), max(values)) and max(values) % 2048
    changed = probes.Probes(case, dimensions, specs, 1).make({"wide": (1 << 63, (1 << 64) - 1)}, 40)
    drawn = {scene.fields["wide"] for scene in changed}
    assert {1 << 63, (1 << 64) - 1} <= drawn and min(drawn) == 1 << 63 and len(drawn) > 9


def test_what_the_engine_cannot_run_has_not_held(small_cases, tmp_path, monkeypatch):
    monkeypatch.setattr(Executor, "_all_hold", lambda self, asked, preparations: False)
    monkeypatch.setattr(asked_scene, "judge", lambda *arguments: Judgement())
    selection = of(small_cases)
    case, subject, built = selection.case, selection.subjects[0], selection.executed[0]
    specs = plan_scenes(case, 8, 1)
    program = search_program(case.known_case, subject, built, specs, 1, 32, 0, tmp_path, ())
    assert program.held == 0 and program.undecided >= 32
    report = replace(domain(selection, tmp_path, scenes=1, executions=0), programs=(program,))
    assert "The engine could not run" in text_of(domain_document(report, tmp_path))


# -- the program of 1994 -----------------------------------------------------------------------

COLUMNS, ROWS, SECTOR = 11, 9, 64
SHIFTS = [(0, 0), (0, 32), (32, 0), (32, 32)]
OBJECTS = (0, 1, 8, 50)  # fewer than usual, so that a call with full checks is quick


def in_the_table(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The exact rule: in all four shifts the head of an object's list lies in the table."""
    heads = [ROWS * ((x + a) // SECTOR) + (y + b) // SECTOR for a, b in SHIFTS]
    return np.logical_and.reduce([(one >= 0) & (one < COLUMNS * ROWS) for one in heads])


def grown(x: tuple[int, int], y: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """A range of x and then one of y, each grown as far as the rule holds for all of the box."""

    def holds(columns: tuple[int, int], rows: tuple[int, int]) -> bool:
        across, down = (np.arange(low, high + 1) for low, high in (columns, rows))
        return bool(in_the_table(across[:, None], down[None, :]).all())

    assert holds(x, y)
    while holds((x[0] - 1, x[0] - 1), y):  # the column beside it, since all others hold
        x = (x[0] - 1, x[1])
    while holds((x[1] + 1, x[1] + 1), y):
        x = (x[0], x[1] + 1)
    while holds(x, (y[0] - 1, y[0] - 1)):
        y = (y[0] - 1, y[1])
    while holds(x, (y[1] + 1, y[1] + 1)):
        y = (y[0], y[1] + 1)
    return x, y


# The table lies elsewhere in each program, and what is stored outside does other harm there. One of
# each family shows it; the 68040 and another build of the 601 took two minutes more.
@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "build"), [("68000", "O0"), ("601", "O2")])
def test_the_program_of_1994_goes_wrong_where_the_rule_says(cpu, build, tmp_path):
    programs = programs_of(load_case("four-shifts"), cpus=[cpu], builds=[build], use="prebuilt")
    report = domain(programs, tmp_path, scenes=64, objects=OBJECTS, jobs=1)
    (program,) = report.programs
    x, y, objects = program.dimensions
    begun = [(one.low.start, one.high.start) for one in (x, y)]
    for one in (x, y):
        assert one.low.usual < one.low.start < one.high.start < one.high.usual
        assert one.low.joint < one.low.start and one.high.start < one.high.joint
        for face in (one.low, one.high):
            example = face.counterexample
            assert example.symptom.refused and example.symptom.kind in {
                "divergence", "stray store", "memory", "fault"
            }  # fmt: skip
            scene = read_finding(tmp_path / example.file).scene.changed.make(programs.case)
            assert not in_the_table(scene.x.astype(np.int64), scene.y.astype(np.int64)).all()
    assert ranges(program) == dict(zip("xy", grown(*begun), strict=True)) | {"objects": (0, 200)}
    assert (report.verdict, program.held, program.held_refused) == ("range found", 64, 0)
    assert objects.high.counterexample.symptom.kind == "no place"


def test_the_rule_is_what_the_audit_says():
    assert grown((200, 400), (100, 300)) == ((0, 671), (0, 543))


@pytest.mark.slow
def test_a_broken_program_has_another_box(compilers, tmp_path):
    """The column is cut to eight, so that objects from x = 480 on are filed elsewhere."""
    compilers("601")
    case = load_case("four-shifts")
    source = tmp_path / "broken.cpp"
    text = (case.path.parent / "four_shifts.cpp").read_text()
    broken = text.replace("[(o->x + xoff) >> kLog2SectorSize]", "[((o->x + xoff) & 511) >> 6]")
    source.write_text(broken)
    assert broken != text
    programs = programs_of(case, cpus=["601"], builds=["O2"], source=source)
    report = domain(programs, tmp_path / "found", scenes=64, objects=(0, 1, 8), jobs=1)
    (program,) = report.programs
    assert report.verdict == "the usual range fails"
    low, high = ranges(program)["x"]
    assert high == 511 - 32
    assert low < 0  # it wraps to the table's other end, and stores nothing outside
    (x, *_) = program.dimensions
    assert x.high.counterexample.value == 480 and x.inside == (x.high,)
    assert "x above 479, within the usual range" in text_of(domain_document(report, tmp_path))
    assert domain_document(report, tmp_path).checks[0].fate.value == "failure"


@pytest.mark.slow
@pytest.mark.parametrize(("cpu", "bits"), [("68040", 16), ("601", 32)])
def test_differences_overflow_where_the_processor_s_scalar_ends(cpu, bits, tmp_path):
    """M7: a difference is taken for a near one from 2 to the number of bits, less 29, on."""
    programs = programs_of(
        load_case("four-shifts-test-of-two"), cpus=[cpu], builds=["O2"], use="prebuilt"
    )
    (program,) = domain(programs, tmp_path, scenes=64, jobs=1).programs
    box = ranges(program)
    assert [high - low for low, high in (box["x"], box["y"])] == [(1 << bits) - 30] * 2


# -- where nobody says what is right ---------------------------------------------------------------

REFUSING = """
if (scene.values > 2000).any(): raise ValueError("more than 2000")
return answer(total=int((scene.values + 100).sum()))
"""
STORES_BEYOND = SOURCE.replace(
    "gSum += moved;", "if (gValues[n] > 5000) gCount = n; gSum += moved;"
)


def test_beyond_the_reference_a_program_is_run_for_its_safety(small_cases, tmp_path):
    case = small_cases.make(STORES_BEYOND, REFUSING, "{gSum: total}")
    programs = small_cases.programs(case)
    report = domain(programs, tmp_path, scenes=32, jobs=1)
    (values,) = [one for one in report.programs[0].dimensions if one.name == "values"]
    assert (values.high.joint, values.high.counterexample.symptom.kind) == (2000, "refused")
    assert values.high.safe.value == 5000
    assert values.high.safe.counterexample.symptom.kind == "stray store"
    assert report.verdict == "range found" and report.programs[0].safe_held == 32
    text = text_of(domain_document(report, tmp_path))
    assert "values above 5,000, where calls are no longer safe: stray store at 5,001" in text


def test_a_box_that_nobody_says_is_right_is_called_safe_only(small_cases, tmp_path):
    case = small_cases.make(SOURCE, 'raise ValueError("nobody knows")', "{gSum: total}")
    programs = small_cases.programs(case)
    report = domain(programs, tmp_path, scenes=32, executions=6000, jobs=1)
    assert report.verdict == "safe only"
    assert domain_document(report, tmp_path).outcome.tone.value == "doubtful"
    assert report.programs[0].held == report.programs[0].held_refused == 32


def with_specification(case: Case, body: str) -> Case:
    folder = case.path.parent
    text = (folder / "scenes.py").read_text()
    (folder / "scenes.py").write_text(f"{text}\ndef wide(scene):\n    {body}\n")
    case.path.write_text(case.path.read_text() + "specification: scenes:wide\n")
    return load_case(str(case.path))


@pytest.mark.slow
def test_a_specification_says_what_is_right_where_the_reference_refuses(
    small_cases, tmp_path, macproof
):
    case = small_cases.make(SOURCE, REFUSING, "{gSum: total}")
    text = "return answer(total=int((scene.values + 100).sum()))"
    file = with_specification(case, text).path
    found = macproof("domain", file, "--cpu", "601", "--scenes", "32", "--folder", tmp_path)
    assert found.code == 0 and f"values above {HIGH:,}: divergence" in found.out
    (scene,) = [one for one in sorted(tmp_path.glob("*.json")) if "002" in one.name]
    explained = macproof("explain", scene, "--trust")
    assert explained.code == 1 and "gSum is" in explained.out


def test_a_specification_that_contradicts_the_reference_is_an_error(small_cases, tmp_path):
    case = small_cases.make(SOURCE, REFUSING, "{gSum: total}")
    case = with_specification(case, "return answer(total=1)")
    programs = small_cases.programs(case)
    with pytest.raises(CaseError, match="gives another total than"):
        domain(programs, tmp_path, scenes=32, jobs=1)


def test_a_specification_that_says_nothing_is_an_error(small_cases, tmp_path):
    case = small_cases.make(SOURCE, REFUSING, "{gSum: total}")
    case = with_specification(case, "return answer(other=1)")
    programs = small_cases.programs(case)
    with pytest.raises(CaseError, match="gives none of total"):
        domain(programs, tmp_path, scenes=32, jobs=1)


# -- the budget --------------------------------------------------------------------------------


def test_a_search_runs_no_more_scenes_than_it_may(small_cases, tmp_path):
    selection = of(small_cases)
    for most in (0, 100, 500):
        (program, _) = domain(selection, tmp_path, scenes=64, executions=most, jobs=1).programs
        made_small = 2 * 300 * len(program.dimensions)
        assert program.executions <= max(most, 64) + 64 + 3 * 32 + made_small
    report = domain(selection, tmp_path, scenes=64, executions=100, jobs=1)
    assert report.verdict == "not searched to the end"
    for one in report.programs[0].dimensions:
        assert one.low.joint <= one.low.start and one.high.joint >= one.high.start
        assert "budget" in {one.low.ends, one.high.ends}


def test_each_face_is_told_its_own_reason(small_cases, tmp_path):
    """Two numbers, each of which fails alone at another value and both together sooner."""
    source = SOURCE.replace("gValues[16]", "gOthers[16], gValues[16]").replace(
        "gSum += moved;",
        "gSum += gOthers[n] < -700 || gValues[n] > 3000 - gOthers[n];",
    )
    python = """
@dataclass(frozen=True)
class Both(Numbers):
    others: np.ndarray = None
    def keep(self, indices):
        return Both(self.values[indices], self.generator, self.seed, self.others[indices])

def make_both(generator, objects, seed, width, height):
    made = make_numbers(generator, objects, seed, width, height)
    return Both(made.values, generator, seed, made.values[::-1].copy())
"""
    case = small_cases.make(
        source,
        "return answer(total=0)",
        "{gSum: total}",
        given="{gValues: values, gOthers: others, gCount: objects}",
        python=python,
        make="make_both",
    )
    programs = small_cases.programs(case)
    (program,) = domain(programs, tmp_path, scenes=64, jobs=1).programs
    box = ranges(program)
    assert box["values"][1] + box["others"][1] == 3000 and box["others"][0] == -700
    for one in program.dimensions:
        for side, face in enumerate((one.low, one.high)):
            example = face.counterexample
            if example is None or not example.file:
                continue
            scene = read_finding(tmp_path / example.file).scene.changed.make(case)
            (dimension,) = [each for each in dimensions_of(case, [scene]) if each.name == one.name]
            extreme = dimension.extreme(scene, side)
            assert extreme > face.joint if side else extreme < face.joint
