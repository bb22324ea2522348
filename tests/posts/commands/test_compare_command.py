"""``macproof compare`` as people use it, and what it says of systems that are wrong."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from emu.cases.find import load_case
from emu.cli import main
from emu.cycles.base.counting import count_calls
from emu.cycles.models import model_for
from emu.cycles.pricing import price
from emu.toolchain.sources import mac_sources
from emu.verify.batches.benches import bench_for
from posts.comparison.plan import read_plan
from pyref.scene import scene_from_corners
from tests.mac_src.ports import subject

SOUND = ("four-shifts", "brute-force", "adjacent-halves-32")
QUICK = ("--cpu", "601", "--scenes", "2")
OWN_NAMES = (
    ("name: adjacent-halves-64", "name: mine"),
    ("title: adjacent 64 half", "title: mine"),
)
BRUTE_NAMES = (("name: brute-force\n", "name: mine\n"), ("title: brute force\n", "title: mine\n"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Everything that one run can write."""
    folder = tmp_path_factory.mktemp("compare")
    words = ["compare", *SOUND, "linear-quadtree", "linear-quadtree-as-described", "collider"]
    words += ["blockmap-as-printed", "--cpu", "68040", "--cpu", "601", "--scenes", "2"]
    words += ["--objects", "10,60,210", "--quiet", "--json", folder / "r.json"]
    words += ["--markdown", folder / "r.md", "--plot", folder / "r.svg"]
    assert main([str(word) for word in words]) == 0
    return folder


@pytest.fixture(scope="module")
def report(folder):
    return json.loads((folder / "r.json").read_text())


@pytest.fixture
def own_case(tmp_path):
    """A case's folder copied, with pieces of its files replaced; the path of its case file."""

    def copy(name: str, file: str, *pieces: tuple[str, str]) -> Path:
        target = tmp_path / "own"
        shutil.copytree(load_case(name).path.parent, target)
        for path in target.iterdir():
            text = path.read_text()
            for old, new in pieces:
                text = text.replace(old, new)
            path.write_text(text)
        return target / file

    return copy


def cells(report, system, generator="uniform"):
    return {
        cell["objects"]: cell
        for cell in report["cells"]
        if cell["system"] == system and cell["generator"] == generator
    }


def test_every_system_has_every_cell(report):
    assert report["verdict"] == "agree"
    assert len(report["cells"]) == 7 * 2 * 3
    for cell in report["cells"]:
        assert bool(cell["refused"]) == (cell["system"] == "collider" and cell["objects"] > 50)
        for cpu, run in cell["runs"].items():
            clock = {"68040": 25e6, "601": 80e6}[cpu]
            assert run["problem"] == ""
            assert run["comparisons"] > 0
            assert run["instructions"] > cell["tests"]
            assert run["per_second"] == pytest.approx(clock / run["cycles"])


def test_tests_are_what_they_must_be(report):
    for generator in ("uniform", "clustered"):
        brute = cells(report, "brute-force", generator)
        assert {n: cell["tests"] for n, cell in brute.items()} == {
            n: n * (n - 1) / 2 for n in (10, 60, 210)
        }
        collider = cells(report, "collider", generator)
        assert collider[10]["tests"] == 45
        for n in (60, 210):
            assert cells(report, "four-shifts", generator)[n]["tests"] < brute[n]["tests"]


def test_more_objects_than_there_is_room_for(report):
    four = cells(report, "four-shifts")
    assert [four[n]["stand_in"] for n in (10, 60, 210)] == ["", "", "four-shifts-many"]
    not_run = {one["what"]: one["why"] for one in report["not_run"]}
    assert not_run == {
        "collider with 60, 210 objects": "so many objects, where a game has room for 50 critters"
    }


def test_who_collides(report):
    systems = {one["name"]: one for one in report["systems"]}
    for name in (*SOUND, "linear-quadtree"):
        one = systems[name]
        assert one["can_be_chosen"] and not one["missed"] and not one["invented"]
        assert 0 < one["colliding"] < one["judged"] == 2 * 2 * (10 + 60 + 210)
    assert systems["linear-quadtree"]["colliding"] < systems["brute-force"]["colliding"]
    for name in ("linear-quadtree-as-described", "blockmap-as-printed"):
        assert systems[name]["missed"] and not systems[name]["can_be_chosen"]
    assert systems["collider"]["judged"] == 0
    assert not systems["collider"]["can_be_chosen"]


def test_the_choice_is_that_of_the_figures(report):
    choice = report["choice"]
    assert set(choice["eligible"]) == {*SOUND, "linear-quadtree"}
    for cpu, found in choice["by_processor"].items():
        for generator, best in found["best"].items():
            assert [one["objects"] for one in best] == [10, 60, 210]
            for one in best:
                taken = {
                    name: cells(report, name, generator)[one["objects"]]["runs"][cpu]["cycles"]
                    for name in choice["eligible"]
                }
                assert one["cycles"] == min(taken.values()) == taken[one["system"]]


def test_the_written_forms(folder):
    text = (folder / "r.md").read_text()
    for words in (
        "## Which to use",
        "one system for everything",
        "## Who collides",
        "predictions of a model",
    ):
        assert words in text
    assert "210 (" not in text
    svg = (folder / "r.svg").read_text()
    assert svg.count("<svg") == 1 and len(svg) > 10_000


def test_on_a_terminal(macproof):
    done = macproof("compare", "brute-force", "four-shifts", *QUICK, "--objects", "10,100")
    assert done.code == 0
    assert "601 at 80 MHz, uniform, fewest cycles: brute force with 10 objects; from about" in (
        done.out
    )
    assert re.search(r"brute force +45\.0 +4,950", done.out)
    assert "2 with 10, 2 with 100 objects" in done.out
    assert "all systems do what they should" in done.out


def test_code_for_another_processor_takes_part(macproof, tmp_path):
    words = ["compare", "four-shifts", "--cpu", "68040", "--code", "68040", "--code", "68000"]
    words += ["--objects", "50", "--scenes", "2", "--kind", "uniform"]
    done = macproof(*words, "--json", tmp_path / "r.json")
    assert done.code == 0
    found = json.loads((tmp_path / "r.json").read_text())
    own, other = "68040", "68040, 68000 code"
    assert {name: one["code"] for name, one in found["processors"].items()} == {
        own: "68040",
        other: "68000",
    }
    runs = found["cells"][0]["runs"]
    assert runs[own]["cycles"] < runs[other]["cycles"]
    assert "Calls in a second, 68040, 68000 code at 25 MHz" in done.out
    assert "the program for the" not in done.out  # each has the code that its heading says
    refused = macproof("compare", "four-shifts", "--cpu", "601", "--code", "68000")
    assert (refused.code, "CPU 601: it does not execute code" in refused.err) == (2, True)


def test_the_same_again(macproof, tmp_path):
    words = ("compare", "brute-force", *QUICK, "--objects", "20", "--quiet", "--json")
    found = []
    for name in ("a.json", "b.json"):
        assert macproof(*words, tmp_path / name, "--jobs", 1).code == 0
        found.append(json.loads((tmp_path / name).read_text()))
    assert found[0]["cells"] == found[1]["cells"]
    assert found[0]["choice"] == found[1]["choice"]


def test_a_case_of_ones_own_takes_part(macproof, own_case, tmp_path):
    own = own_case("adjacent-halves-64", "halves_64.case.yaml", *OWN_NAMES)
    words = ("compare", "adjacent-halves-64", "--also", own, *QUICK, "--objects", "30")
    done = macproof(*words, "--json", tmp_path / "r.json")
    assert done.code == 0
    report = json.loads((tmp_path / "r.json").read_text())
    mine, theirs = cells(report, "mine")[30], cells(report, "adjacent-halves-64")[30]
    assert {**mine, "system": ""} == {**theirs, "system": ""}


def test_what_is_timed_keeps_no_books(macproof, own_case, tmp_path):
    """The tests are those of the case, the instructions those of its form without counts."""
    own = own_case("brute-force", "case.yaml", ("      timed: bare.case.yaml\n", ""), *BRUTE_NAMES)
    words = ("compare", "brute-force", "--also", own, "--cpu", "601", "--scenes", "1")
    words += ("--objects", "60", "--kind", "uniform", "--verbose", "--json", tmp_path / "r.json")
    done = macproof(*words)
    assert done.code == 0
    report = json.loads((tmp_path / "r.json").read_text())
    bare, full = report["systems"]
    assert bare["timed"]["case"] == "brute-force-bare" and full["timed"] is None
    for system, case in ((bare, load_case("brute-force")), (full, load_case(own))):
        program = subject(case, "601").program.read_bytes()
        counting = system["forms"][0]["programs"]["601"]["sha256"]
        assert counting == hashlib.sha256(program).hexdigest()
    quick, slow = cells(report, "brute-force")[60], cells(report, "mine")[60]
    assert quick["tests"] == slow["tests"] == 60 * 59 / 2
    assert quick["runs"]["601"]["comparisons"] > slow["runs"]["601"]["comparisons"]
    alone = subject(load_case("brute-force-bare"), "601")
    bench = bench_for(load_case("brute-force-bare"), alone)
    (corners,) = read_plan(objects=[60], scenes=1, seed=1994).corners("uniform", 60)
    before = bench.before([scene_from_corners(corners)]).before
    counts = count_calls(bench.machine, bench.bound.calls.first, before)
    wanted = price(counts, model_for("601")).instructions
    assert quick["runs"]["601"]["instructions"] == wanted < slow["runs"]["601"]["instructions"]
    text = " ".join(done.out.split())
    assert "counts no tests, keeps no reports" in text
    assert "of the program that counts them: brute force (brute-force-bare)." in text
    assert "are in the figures, and may be much of them: mine." in text


# -- red -------------------------------------------------------------------------------------


def test_a_planted_bug_is_seen(macproof, own_case, tmp_path):
    """A port that takes objects which touch for a collision."""
    bug = ("< kRectSize", "<= kRectSize")
    own = own_case("adjacent-halves-64", "halves_64.case.yaml", *OWN_NAMES, bug)
    words = ("compare", "brute-force", own, *QUICK, "--objects", "10,200")
    done = macproof(*words, "--json", tmp_path / "r.json")
    assert done.code == 1
    assert "Programs that fail" in done.out
    assert "not all systems do what they should" in done.out
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["verdict"] == "disagree"
    assert report["choice"]["eligible"] == ["brute-force"]
    wrong = [cell for cell in report["cells"] if cell["runs"]["601"]["problem"]]
    assert wrong and {cell["system"] for cell in wrong} == {"mine"}


def test_a_bug_in_nothing_but_what_is_timed_is_seen(macproof, own_case, tmp_path):
    clear = "sizeof *gCollisionArray * gObjectCount);\n"
    bug = (clear, clear + "    gCollisionArray[gObjectCount] = 1;\n")
    own = own_case("brute-force", "case.yaml", bug)
    words = ("compare", own, *QUICK, "--objects", "10", "--json", tmp_path / "r.json")
    done = macproof(*words)
    assert done.code == 1
    assert "Programs that fail" in done.out
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["verdict"] == "disagree"
    assert "gCollisionArray" in cells(report, "brute-force")[10]["runs"]["601"]["problem"]


def test_what_is_timed_must_do_the_same(macproof, own_case):
    other = ("timed: halves_64_bare", "timed: halves_32_bare")
    own = own_case("adjacent-halves-64", "halves_64.case.yaml", other)
    done = macproof("compare", own, *QUICK, "--objects", "10")
    assert done.code == 2
    assert "its reference is not that of halves_64.case.yaml" in done.err


def test_a_system_that_misses_collisions_disagrees(macproof, own_case, tmp_path):
    """The form as described, were its defect not known: it does what its reference does."""
    text = load_case("linear-quadtree-as-described").path.read_text()
    (defect,) = re.findall(r"^ +defect: .*\n", text, re.MULTILINE)
    own = own_case("linear-quadtree-as-described", "as_described.case.yaml", (defect, ""))
    words = ("compare", "brute-force", own, *QUICK, "--objects", "50", "--kind", "uniform")
    done = macproof(*words, "--json", tmp_path / "r.json")
    assert done.code == 1
    assert re.search(r"quadtree as described +wrong +100 ", done.out)
    report = json.loads((tmp_path / "r.json").read_text())
    assert not any(cell["runs"]["601"]["problem"] for cell in report["cells"])
    assert cells(report, "linear-quadtree-as-described")[50]["missed"] > 0
    assert report["choice"]["eligible"] == ["brute-force"]


def test_a_program_that_faults(macproof, own_case):
    fault = ("    gReportCount = 0;\n", "    gReportCount = 0;\n    *(volatile char*) 4 = 1;\n")
    own = own_case("brute-force", "case.yaml", fault)
    done = macproof("compare", own, *QUICK, "--objects", "10", "--kind", "uniform")
    assert done.code == 1
    assert "it did not come back" in done.out
    assert "Nothing: no system told who collides and was right about it." in done.out


def test_a_program_that_brings_the_engine_down(macproof, own_case, tmp_path):
    """The others are compared all the same."""
    # Minus 2 to the 31st by minus 1: the host's own division traps, inside the engine.
    divide = 'asm volatile("move.l #0x80000000,%%d0\\n\\tdivs.l #-1,%%d0" : : : "d0", "cc");\n'
    own = own_case("brute-force", "case.yaml", ("    gReportCount = 0;\n", divide))
    words = ("compare", "adjacent-halves-32", own, "--cpu", "68040", "--scenes", "1")
    done = macproof(*words, "--objects", "10,20", "--json", tmp_path / "r.json")
    assert done.code == 4
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["verdict"] == "inconclusive"
    assert report["choice"]["eligible"] == ["adjacent-halves-32"]
    for cell in report["cells"]:
        went_down = "process down" in cell["runs"]["68040"]["problem"]
        assert went_down == (cell["system"] == "brute-force")


# -- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("nothing",), "there is no case nothing"),
        (("dhrystone",), "dhrystone/case.yaml has no section compare"),
        (("--objects", "0"), "1 object or more"),
        (("--kind", "pile"), "there is no kind of scene pile"),
        (("--plot", "x.gif"), "a picture's name ends with .png, .svg, .pdf"),
        (("--build", "O9", "--cpu", "601"), "it has no build O9"),
        (("--mhz", "0"), "is not a clock in MHz"),
        (("--cpu", "mips"), "there is no 'mips'"),
    ],
)
def test_what_cannot_be(macproof, words, answer):
    done = macproof("compare", *words)
    assert done.code == 2
    assert answer in done.err


def test_nothing_is_written_over_a_source(macproof):
    source = mac_sources() / "brute_force" / "brute_force.cpp"
    done = macproof("compare", "brute-force", "--json", source)
    assert done.code == 2
    assert "would be written over a source of a case" in done.err
    assert source.read_text().startswith("// brute_force.cpp")


def test_without_compilers(macproof, own_case, no_compilers):
    """What is prebuilt is run, and what is not is said."""
    own = own_case("adjacent-halves-64", "halves_64.case.yaml", *OWN_NAMES)
    done = macproof("compare", "four-shifts", own, *QUICK, "--objects", "10", "--kind", "uniform")
    assert done.code == 0
    assert re.search(r"mine +powerpc-linux-gnu-g\+\+ is not", done.out)
    assert re.search(r"four shifts +right", done.out)
    done = macproof("compare", own, *QUICK, "--objects", "10")
    assert done.code == 3
    assert "apt-get install g++-powerpc-linux-gnu" in done.err
