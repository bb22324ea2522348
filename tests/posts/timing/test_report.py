"""The report of made-up predictions, and its tables, Markdown and pictures."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from emu.cases.find import load_case
from emu.cases.programs.selection import Omission
from emu.cycles.micro_loops import LoopCheck, micro_loops
from emu.cycles.models import model_for
from emu.report.document import CheckStatus
from emu.report.forms.markdown import to_markdown
from emu.report.forms.terminal import print_document
from emu.report.plots.plot_files import plot_file
from emu.timing.predict import TimingPlan
from emu.toolchain.programs.gcc import BuiltProgram
from posts.timing.comparison import chosen_build
from posts.timing.document import timing_document
from posts.timing.make_report import TimingResults, make_report
from posts.timing.measured_times import MeasuredSpeeds, Measurements
from posts.timing.plots import event_plot, speed_plot
from posts.timing.report import SCHEMA, to_json
from tests.timing.conftest import make_prediction

EVENTS = {
    0: {"sector visits": 396.0, "insertions": 4.0, "pairs tested": 0.0},
    50: {"sector visits": 396.0, "insertions": 200.0, "pairs tested": 63.5},
    100: {"sector visits": 396.0, "insertions": 400.0, "pairs tested": 249.0},
    200: {"sector visits": 396.0, "insertions": 800.0, "pairs tested": 1000.0},
}
CASE = load_case("four-shifts")
FIGURES = {one.cpu: one for one in CASE.timing.figures}
PUBLISHED = {
    cpu: {n: one.megahertz * 1e6 / rate for n, rate in one.calls_per_second.items()}
    for cpu, one in FIGURES.items()
}


def predictions_of(factor, cpus=("68040", "601")):
    found = []
    for cpu in cpus:
        cycles = {n: each / factor for n, each in PUBLISHED[cpu].items()}
        bent = {n: each * (1 + n / 200) for n, each in cycles.items()}
        far = {n: each / 5 for n, each in cycles.items()}
        found += [
            make_prediction(
                cycles, cpu=cpu, build=chosen_build(FIGURES[cpu]), varied={"slower stores": 1.2}
            ),
            make_prediction(bent, cpu=cpu, build="O0"),
            make_prediction(far, cpu=cpu, build="O2"),
        ]
    return found


def report_of(predictions, *, tmp_path, case=CASE, events=EVENTS, measured=(), loops=()):
    program = tmp_path / "program.elf"
    program.write_bytes(b"x")
    built = [
        BuiltProgram(
            program,
            *(p.cpu, p.build, "GCC", ("-O",), "", "compiled", ""),
            code="68000" if p.build.endswith("68000 code") else "",
        )
        for p in predictions
    ]
    models = {p.cpu: model_for(p.cpu) for p in predictions}
    given = TimingResults(
        case=case,
        plan=TimingPlan("uniform", tuple(predictions[0].sizes), 30, 1994),
        events=events,
        also={},
        predictions=predictions,
        programs=built,
        models=models,
        megahertz={cpu: FIGURES[cpu].megahertz for cpu in models},
        measured=Measurements(tuple(measured), ("x: virtual",)),
        loops=loops,
        not_run=(Omission("the rest", "no time"),),
        provision="made up",
        command=("macproof", "timing", "--json", "a b"),
        seconds=1.5,
    )
    return make_report(given)


@pytest.fixture
def report(tmp_path):
    measured = [
        MeasuredSpeeds("Quadra 700", "68040", Path("q.txt"), {0: 600.0, 200: 79.0}, "By hand.")
    ]
    loops = tuple(LoopCheck(loop, loop.clocks * 1.5) for loop in micro_loops())
    return report_of(predictions_of(1.2), tmp_path=tmp_path, measured=measured, loops=loops)


def printed(report, *, verbose=False, width=100):
    out = io.StringIO()
    print_document(timing_document(report), Console(file=out, width=width), verbose=verbose)
    return out.getvalue()


def targets_of(report):
    return {target.what: target.met for target in report.targets}


def test_the_json_is_the_whole_truth(report):
    again = json.loads(to_json(report))
    assert again.pop("schema") == SCHEMA
    assert list(again) == [field.name for field in dataclasses.fields(report)]
    assert again["receipt"]["command"] == ["macproof", "timing", "--json", "a b"]
    assert [p["build"] for p in again["programs"]] == [
        *("period, 68000 code", "O0", "O2"),
        *("period", "O0", "O2"),
    ]
    assert again["choice"]["by_machine"]["1994, 25 MHz 68040"]["code"]["cpu"] == "68000"
    assert again["programs"][0]["sizes"]["50"]["cycles"] == pytest.approx(
        PUBLISHED["68040"][50] / 1.2
    )


def test_scale_and_shape_are_told_for_every_build(report):
    period, bent, far = (p.against[0] for p in report.programs[:3])
    assert period.scale == pytest.approx(1.2)
    assert period.shape_rms == pytest.approx(0, abs=1e-9)
    assert bent.shape_worst > 0.2
    assert far.scale == pytest.approx(6)
    assert far.cannot_be
    assert not period.cannot_be


def test_targets_that_are_reached(report):
    assert list(targets_of(report).values()) == [True, True, True, True, False]


def test_targets_that_are_missed_are_shown_as_missed(tmp_path):
    report = report_of(predictions_of(1.5), tmp_path=tmp_path)
    assert list(targets_of(report).values()) == [True, True, True, False, None]
    assert "missed" in printed(report)
    assert "| missed |" in to_markdown([timing_document(report)])


def test_a_build_that_is_ruled_out_is_printed_like_the_others(report):
    text = printed(report)
    assert "O2 *" in text
    assert "68040 O2" in text
    assert "too many" in text


def test_the_chosen_build_may_be_ruled_out_too(tmp_path):
    text = printed(report_of(predictions_of(2.5), tmp_path=tmp_path))
    assert "This rules out period, 68000 code, the build that was chosen in advance" in text
    assert "This rules out" not in printed(report_of(predictions_of(1.2), tmp_path=tmp_path))


def test_what_was_chosen_afterwards_says_so(report):
    assert printed(report).count("Found by comparing, so not a prediction") == 2


def test_machines_sources_and_changes_are_told(report):
    text = printed(report, verbose=True)
    for words in (
        "Quadra 700 (measured)",
        "Speed of 1994, 80 MHz PowerPC 601 / speed of 1994, 25 MHz 68040",
        "slower stores",
        "manual 75.0%, assumption 25.0%",
        "x: virtual: left out.",
        "q.txt: By hand.",
        "the rest: no time.",
        "Command: macproof timing --json 'a b'",
        "32,768 bytes for code and data",
    ):
        assert words in text, words
    assert "a manual" not in printed(report)
    assert "--verbose" in printed(report)


def test_measured_times_stand_by_their_processor(report, tmp_path):
    tables = printed(report).split("601 at 80 MHz")
    assert "Quadra 700 (measured)" in tables[0]
    assert "Quadra 700 (measured)" not in tables[1]
    unknown = [MeasuredSpeeds("a Macintosh", None, Path("m.txt"), {0: 600.0})]
    text = printed(report_of(predictions_of(1.2), tmp_path=tmp_path, measured=unknown))
    assert text.count("a Macintosh (measured)") == 3


def test_no_number_is_cut_off_on_a_narrow_terminal(report):
    assert "…" not in printed(report, verbose=True, width=80)


def test_markdown_has_every_section_of_the_terminal(report):
    text = to_markdown([timing_document(report)])
    for line in printed(report, verbose=True).splitlines():
        if line.endswith("by number of objects"):
            assert f"## {line}" in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    widths = {line.replace("\\|", "").count("|") for line in tables}
    assert len(widths) > 2
    assert "macproof.timing" not in text


def test_a_page_has_what_it_comes_to_in_the_open_and_folds_the_rest(report):
    sections = timing_document(report).sections
    shown = [one.title for one in sections if not (one.is_detail or one.is_folded)]
    assert shown == ["Speeds over the number of objects", "Targets"]
    assert len(sections) > 8


def test_a_case_without_figures_and_events(tmp_path):
    case = load_case("brute-force")
    report = report_of(predictions_of(1, ("601",)), tmp_path=tmp_path, case=case, events={})
    assert (report.published, report.targets, report.cross_ratios) == ((), (), ())
    text = printed(report, verbose=True)
    assert "predicted over published" not in text
    assert "Targets" not in text
    assert event_plot(report) is None
    assert plot_file(speed_plot(report), ".png").startswith(b"\x89PNG")


def test_several_sources_are_kept_apart(tmp_path):
    own = predictions_of(1.2, ("601",))
    other = [make_prediction(PUBLISHED["601"], cpu="601", source="listing.cpp")]
    report = report_of([*own, *other], tmp_path=tmp_path)
    text = printed(report)
    assert "(listing.cpp)" in text
    assert "601 period, listing.cpp" not in text  # not ruled out
    assert len([t for t in report.targets if t.source == "listing.cpp"]) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "suffix"),
    [
        (event_plot, ".svg"),
        pytest.param(speed_plot, ".png", marks=pytest.mark.slow),
        pytest.param(speed_plot, ".pdf", marks=pytest.mark.slow),
    ],
)
def test_pictures_are_the_same_each_time(report, make, suffix):
    first = plot_file(make(report), suffix)
    assert first == plot_file(make(report), suffix)
    assert len(first) > 5000


@pytest.mark.slow
def test_pictures_are_large_enough_to_print_and_have_no_colours(report):
    for make in (speed_plot, event_plot):
        image = Image.open(io.BytesIO(plot_file(make(report), ".png")))
        assert image.width >= 1200
        red, green, blue = image.convert("RGB").split()
        assert red.tobytes() == green.tobytes() == blue.tobytes()
        assert image.convert("L").getextrema() == (0, 255)


@pytest.mark.slow
def test_pictures_have_names_for_all_lines(report):
    text = plot_file(speed_plot(report), ".svg").decode()
    for name in ("period", "O0", "O2 *", "Quadra 700, measured", "1994, 25 MHz 68040"):
        assert f"<!-- {name} -->" in text, name


def test_one_size_has_no_shape(tmp_path):
    only = [
        make_prediction({0: 25e6 / 611 / 1.2}, build=build, varied={"caches off": 5.0})
        for build in ("period, 68000 code", "O2")
    ]
    report = report_of(only, tmp_path=tmp_path, events={})
    (one,) = report.programs[0].against
    assert one.scale == pytest.approx(1.2)
    assert (one.shape_rms, one.shape_worst) == (None, None)
    assert all(s.changes[0].shape_rms is None for s in report.sensitivities)
    assert " 0.0%" not in printed(report).split("Sources of the predicted cycles, by kind")[0]


def test_measured_sizes_that_are_not_predicted_are_named(tmp_path):
    measured = MeasuredSpeeds("Quadra", None, Path("q.txt"), {0: 600.0, 7: 500.0})
    report = report_of(predictions_of(1.2), tmp_path=tmp_path, measured=[measured])
    assert "q.txt has times with 7 objects, which were not predicted" in printed(report)


def test_programs_are_checks_and_what_was_left_out_is_skipped(report):
    """A prediction that misses is told, and fails nothing."""
    checks = timing_document(report).checks
    assert [(check.name, check.fate) for check in checks] == [
        *((f"{p.cpu} {p.build}", CheckStatus.PASSED) for p in report.programs),
        ("the rest", CheckStatus.SKIPPED),
    ]
    assert checks[-1].message == "no time"
    period, bent = checks[:2]
    assert period.properties["calls"] == "120"
    assert period.properties["predicted over published, 1994, 25 MHz 68040"] == "1.20"
    targets = [value for name, value in period.properties.items() if name.startswith("target: ")]
    assert [value.split(":")[0] for value in targets] == ["met"] * 4 + ["missed"]
    assert not [name for name in bent.properties if name.startswith("target: ")]


def test_other_cases_with_published_speeds_are_named(report):
    assert "cases of their own" not in printed(report)
    told = printed(dataclasses.replace(report, others=("first", "second")))
    assert "cases of their own: macproof timing first, macproof timing second." in told
