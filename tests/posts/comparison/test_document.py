"""Reports for readers, made of figures made up for the purpose."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from emu.cases.programs.selection import Omission
from emu.cycles.models import model_for
from emu.report.forms.junit import to_junit
from emu.report.forms.terminal import print_document
from emu.report.json_form import to_json
from emu.report.plots.plot import Emphasis, ReferenceLine, Stroke
from posts.comparison.contender import Contender
from posts.comparison.document import comparison_document
from posts.comparison.make_report import Comparison, make_report
from posts.comparison.measure import ProcessorCost, SystemResult
from posts.comparison.plan import read_plan
from posts.comparison.plots import systems_plot
from posts.comparison.report import SCHEMA, FormRun, ProgramRun
from posts.comparison.system import System, SystemForm
from tests.posts.comparison.test_judge import system
from tests.report import schemas

SIZES = (10, 100, 2000)


def compared(cycles, **changes):
    """A comparison of systems whose cycles are given as functions of the number of objects."""
    cells = [
        SystemResult(
            name,
            generator,
            n,
            scenes=1,
            tests=n * n,
            colliding=n // 2,
            runs={"68040": ProcessorCost(instructions=cost(n) / 2, cycles=cost(n), comparisons=1)},
        )
        for name, cost in cycles.items()
        for generator in ("uniform", "clustered")
        for n in SIZES
    ]
    found = Comparison(
        systems=[system(name) for name in cycles],
        plan=read_plan(objects=SIZES, scenes=1, seed=1),
        cells=cells,
        models={"68040": model_for("68040")},
        megahertz={"68040": 25.0},
        codes={"68040": "68040"},
        build="O2",
        left_out=[],
        command=["macproof", "compare"],
        seconds=1.0,
    )
    return make_report(found)


@pytest.fixture
def report():
    return compared({"square": lambda n: 10.0 * n * n, "line": lambda n: 1000.0 * n})


def shown(report, width=80):
    text = StringIO()
    console = Console(file=text, width=width)
    print_document(comparison_document(report), console, verbose=True)
    return text.getvalue()


def test_the_conclusion_follows_the_figures(report):
    text = shown(report)
    line = next(row for row in text.splitlines() if "uniform, fewest cycles" in row)
    assert line.endswith(
        "square with 10 to 100 objects (within 10% of it: line at 100); "
        "from about 100 on, line with 2,000 objects."
    )
    assert "one system for everything: line; it never takes more than 10.00 times" in text
    swapped = compared({"line": lambda n: 10.0 * n * n, "square": lambda n: 1000.0 * n})
    assert "from about 100 on, square with 2,000 objects." in shown(swapped)
    alone = shown(compared({"line": lambda n: float(n)}))
    assert "one system for everything: line; it takes the fewest cycles everywhere." in alone


def test_tables_fit_a_terminal(report):
    text = shown(report)
    assert re.search(r"square +100 +10\.0k +4\.00M", text)
    assert re.search(r"square +25\.0k\* +250\* +0\.62 ", text)
    for row in text.splitlines():
        assert len(row) <= 80 or " objects" in row or "." in row


def test_most_objects(report):
    text = shown(report)
    # 25 MHz / 30 is 833,333 cycles: the root of 83,333, and 833.
    assert re.search(r"square +289 +289", text)
    assert re.search(r"line +833 +833", text)


def test_nobody_to_choose():
    contender = Contender(title="x", scene="a:b", tests="t", blind="it has no eyes")
    found = compared({"x": lambda n: 1.0})
    blind = Comparison(
        systems=[System(contender, SystemForm(Path("x"), "x", {}), None, True, False)],
        plan=read_plan(objects=SIZES),
        cells=[],
        models={},
        megahertz={},
        codes={},
        build="O2",
        left_out=[("y", "it is not there")],
        command=[],
        seconds=0.0,
    )
    text = shown(make_report(blind))
    assert "Nothing: no system told who collides" in text
    assert "x is not asked who collides: it has no eyes." in text
    assert re.search(r"y +it is not there", text)
    assert found.verdict == "agree" and make_report(blind).verdict == "inconclusive"


def test_the_plot_has_a_column_for_each_kind_and_a_line_for_each_system(report):
    plot = systems_plot(report)
    assert [[panel.title for panel in row] for row in plot.rows] == [
        [f"{what}, {kind}" for kind in ("uniform", "clustered")]
        for what in ("68040 at 25 MHz", "Tests")
    ]
    (speeds, _), (tests, _) = plot.rows
    square, line = speeds.lines
    assert (square.name, square.points[0]) == ("square", (10, 25000.0))
    assert {square.emphasis, line.emphasis} == {Emphasis.STRONG}
    assert {one.emphasis for one in tests.lines} == {Emphasis.QUIET}
    assert {one.stroke for one in speeds.lines} == {Stroke.SOLID}
    assert speeds.references == (ReferenceLine(30, "30 / s"),)
    assert tests.lines[0].points[-1] == (2000, 4_000_000)
    assert plot in [part for one in comparison_document(report).sections for part in one.parts]


def test_who_cannot_be_chosen_is_dotted(report):
    systems = [replace(one, can_be_chosen=False) for one in report.systems]
    ((speeds, _), _) = systems_plot(replace(report, systems=systems)).rows
    assert {one.stroke for one in speeds.lines} == {Stroke.DOTTED}


def test_systems_of_one_kind_have_one_colour(report):
    square, line = report.systems
    systems = [square, line, replace(line, title="square of another size")]
    ((speeds, _), _) = systems_plot(replace(report, systems=systems)).rows
    assert [one.family for one in speeds.lines] == [0, 1, 0]


def test_json_is_the_same_for_the_same_report(report, tmp_path):
    text = to_json(report, SCHEMA)
    assert text == to_json(report, SCHEMA)
    file = tmp_path / "report.json"
    file.write_text(text)
    read = schemas.read(file, SCHEMA)
    assert read["verdict"] == "agree"
    assert read["cells"][0]["runs"]["68040"]["per_second"] == 25000


def test_systems_are_test_cases(report):
    square, line = report.systems
    cells = [
        replace(cell, missed=1 if cell.system == "line" else 0)
        if cell.system == "line" or cell.objects < 100
        else replace(cell, runs={"68040": ProcessorCost(problem="it fell over", is_wrong=True)})
        for cell in report.cells
    ]
    form = FormRun("x", {"68040": ProgramRun("68040", "", "", "", (), "")})
    wrong = replace(
        report,
        systems=[
            replace(square, missed=1, defect="half an eye", forms=[form]),
            replace(line, missed=1, forms=[form]),
            replace(line, name="third", blind="it has no eyes", forms=[form]),
        ],
        cells=cells,
        not_run=[Omission("fourth", "there is no compiler")],
    )
    root = ElementTree.fromstring(to_junit([comparison_document(wrong)]))
    found = {
        (one.get("classname"), one.get("name")): (one[-1].tag, one[-1].get("message") or "")
        for one in root.iter("testcase")
    }
    assert found == {
        ("macproof.compare.square", "who collides"): ("properties", ""),
        ("macproof.compare.square", "68040 O2"): (
            "failure",
            "uniform, 100 objects: it fell over",
        ),
        ("macproof.compare.line", "who collides"): (
            "failure",
            "of 4,220 objects 1 are missed and 0 invented",
        ),
        ("macproof.compare.line", "68040 O2"): ("properties", ""),
        ("macproof.compare.third", "who collides"): ("skipped", "it has no eyes"),
        ("macproof.compare.third", "68040 O2"): ("skipped", "it takes none of the scenes"),
        ("macproof.compare", "fourth"): ("skipped", "there is no compiler"),
    }


def test_a_guest_that_comes_to_no_verdict_is_an_error_and_no_failure(report):
    form = FormRun("x", {"68040": ProgramRun("68040", "", "", "", (), "")})
    down = ProcessorCost(problem="it took the process down")
    crashed = replace(
        report,
        systems=[replace(one, forms=[form]) for one in report.systems],
        cells=[replace(cell, runs={"68040": down}) for cell in report.cells],
    )
    root = ElementTree.fromstring(to_junit([comparison_document(crashed)]))
    assert (root.get("errors"), root.get("failures")) == ("2", "0")
