"""``macproof timing`` as people use it."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil

import jsonschema
import pytest

from emu.cases.find import load_case
from emu.cli import main
from emu.timing.programs import programs_to_time
from posts.timing.harness import HarnessRequest, not_in_virtual_time
from tests.report.schemas import require_schema

QUICK = ("--cpu", "601", "--build", "period", "--scenes", "2", "--programs", "prebuilt")
NARROW = ("--build", "O1", "--scenes", "1", "--objects", "0")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One run with everything that can be written; what it printed, and the folder."""
    folder = tmp_path_factory.mktemp("timing")
    text = folder / "Quadra 700.txt"
    text.write_text("200 objects: 2401 in 30024000 us:  12500 us/iter, 80.0 iter/s\n")
    words = ["timing", *QUICK, "--measured", text, "--json", folder / "t.json"]
    words += ["--markdown", folder / "t.md", "--plot", folder / "t.svg"]
    words += ["--events-plot", folder / "e.png"]
    words += ["--html", folder / "t.html", "--junit", folder / "t.xml"]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main([str(word) for word in words])
    assert code == 0
    return out.getvalue(), folder


@pytest.fixture(scope="module")
def report(whole):
    return json.loads((whole[1] / "t.json").read_text())


def test_one_build_beside_history(whole, report):
    assert "Cycles are computed by a model, not measured." in whole[0]
    assert "1994, 80 MHz PowerPC 601 (published)" in whole[0]
    (program,) = report["programs"]
    assert (program["cpu"], program["build"], program["megahertz"]) == ("601", "period", 80)
    assert list(program["sizes"]) == ["0", "50", "100", "200"]
    assert report["receipt"]["command"][:2] == ["macproof", "timing"]
    for size in program["sizes"].values():
        assert size["per_second"] == pytest.approx(80e6 / size["cycles"])
    published = {"0": 7640, "50": 4020, "100": 2060, "200": 788}
    ratios = program["against"][0]["ratios"]
    for n, rate in published.items():
        assert ratios[n] == pytest.approx(program["sizes"][n]["per_second"] / rate)


def test_the_choice_of_code_and_the_one_before(macproof, tmp_path):
    path = tmp_path / "t.json"
    quick = ("--cpu", "68040", "--build", "period", "--scenes", 2, "--programs", "prebuilt")
    done = macproof("timing", *quick, "--json", path)
    assert done.code == 0
    report = json.loads(path.read_text())
    assert [p["build"] for p in report["programs"]] == ["period", "period, 68000 code"]
    own, other = (p["against"][0] for p in report["programs"])
    assert "68040, 68000 code at 25 MHz: calls per second" in done.out
    told = " ".join(done.out.split())
    assert "it is 68000 code: a Mac compiler of 1994 made 68000 code" in told
    assert "decided on 2026-11-23, when code for both had been compared" in told
    assert f"own code: ratios {own['ratios']['0']:.2f} to" in told
    (shape,) = [t for t in report["targets"] if "error at most" in t["what"]]
    assert f"68000 code {other['shape_rms']:.1%}" in shape["found"]
    only = macproof("timing", *quick, "--code", "68000", "--json", path)
    assert only.code == 0
    assert [p["code"] for p in json.loads(path.read_text())["programs"]] == ["68000"]
    assert "Before, it was" not in only.out


def test_every_form_is_written(whole):
    out, folder = whole
    for name in ("t.json", "t.md", "t.svg", "e.png", "t.html", "t.xml"):
        assert (folder / name).stat().st_size > 1000
        assert f"{name} written" in out


def test_the_json_fits_its_schema(report):
    require_schema(report, "macproof.timing/2")
    broken = {**report, "programs": [{**report["programs"][0], "sizes": {"0": 7}}]}
    with pytest.raises(jsonschema.ValidationError):
        require_schema(broken, "macproof.timing/2")


def test_programs_of_known_speed_are_named(report):
    assert report["others"] == ["dhrystone"]


def test_costs_of_events_that_nobody_knows_cannot_be_drawn(macproof, tmp_path):
    path = tmp_path / "e.png"
    done = macproof("timing", *QUICK, "--objects", "0", "--events-plot", path)
    assert done.code == 2
    assert "this report has no cycles of single events" in done.err
    assert not path.exists()


def test_measured_times_stand_beside(whole):
    assert "Quadra 700 (measured)" in whole[0]
    assert "does not name its machine" in whole[0]


@pytest.mark.slow
def test_the_same_comes_out_again_and_a_clock_changes_speeds_only(macproof, report, tmp_path):
    path = tmp_path / "t.json"
    done = macproof("timing", *QUICK, "--mhz", "40", "--quiet", "--jobs", 1, "--json", path)
    assert (done.code, done.out, done.err) == (0, "", "")
    (usual,), (slow,) = report["programs"], json.loads(path.read_text())["programs"]
    assert slow["against"] == usual["against"]
    assert slow["event_fit"] == usual["event_fit"]
    for n, size in slow["sizes"].items():
        same = usual["sizes"][n]
        assert {**size, "per_second": 0} == {**same, "per_second": 0}
        assert size["per_second"] == pytest.approx(same["per_second"] / 2)


def test_sizes_that_were_not_published_are_only_predicted(macproof, tmp_path):
    path = tmp_path / "t.json"
    done = macproof("timing", *QUICK, "--objects", "7,3,7", "--json", path)
    assert done.code == 0
    report = json.loads(path.read_text())
    assert report["scenes"]["objects"] == [3, 7]
    assert report["programs"][0]["against"] == []
    assert "2 numbers of objects are too few" in done.out


def test_a_case_without_a_word_on_timing(macproof, tmp_path, compilers):
    compilers("601")
    quick = ("--cpu", "601", "--build", "O2", "--scenes", 1, "--objects", "2,50")
    path = tmp_path / "t.json"
    done = macproof("timing", "brute-force", *quick, "--json", path)
    assert done.code == 0
    assert "published" not in done.out.replace("independently of the published figures", "")
    report = json.loads(path.read_text())
    assert (report["published"], report["targets"]) == ([], [])
    assert report["sensitivities"]  # of the only build there is


@pytest.mark.slow
def test_what_no_model_knows_is_left_out_and_said(macproof, compilers, tmp_path, changed):
    compilers("68040", "601")
    source = tmp_path / "root.cpp"
    begin = "void _DetermineCollisions()\n{\n"
    root = '    asm volatile("fsqrt.x %fp0");\n'
    source.write_text(changed({begin: f"{begin}#ifndef powerc\n{root}#endif\n"}))
    done = macproof("timing", *NARROW, "--source", source)
    assert done.code == 0
    assert "68040 O1 (root.cpp): no timing for fsqrt" in done.out
    assert "code for a 68000: it does not compile" in done.out
    assert "(root.cpp)" in done.out.split("Not run, or not known")[0]  # the 601's


def test_a_machine_is_a_processor_and_a_clock(macproof, tmp_path):
    words = ["timing", "--machine", "8100", "--programs", "prebuilt", "--build", "O2"]
    words += ["--scenes", "1", "--objects", "0", "--json", tmp_path / "m.json"]
    out = macproof(*words).out
    assert "Power Macintosh 8100/80" in out and "no wait states" in out
    report = json.loads((tmp_path / "m.json").read_text())
    assert {(one["cpu"], one["megahertz"]) for one in report["programs"]} == {("601", 80)}
    assert report["machine"]["caches"] == "32 KB for both"


def test_a_68000_is_timed_when_it_is_asked_for(macproof):
    done = macproof(
        "timing", "--cpu", "68000", "--build", "O2", "--scenes", 1, "--programs", "prebuilt"
    )
    assert done.code == 0
    assert "68000 at" in done.out


def test_a_program_as_it_is(macproof, prebuilt, tmp_path):
    (subject,) = prebuilt(("601",), ("O2",))
    program = tmp_path / "mine.elf"
    shutil.copyfile(subject.program, program)
    done = macproof("timing", "--program", program, "--cpu", "601", "--scenes", 1)
    assert done.code == 0
    assert "given" in done.out
    assert "one program was given" in done.out


@pytest.mark.slow
def test_a_wrong_source_is_refused_with_exit_1(macproof, broken_port, tmp_path, compilers):
    compilers("601")
    source = tmp_path / "wrong.cpp"
    source.write_text(broken_port("touching collides"))
    path = tmp_path / "t.json"
    quick = ("--cpu", "601", "--build", "O2", "--scenes", 20)
    done = macproof("timing", *quick, "--source", source, "--json", path)
    assert done.code == 1
    assert "601 O2 (wrong.cpp) is wrong and is not timed" in done.err
    assert done.out == ""
    assert not path.exists()


@pytest.mark.slow
def test_a_source_beside_our_port(macproof, changed, tmp_path, compilers):
    compilers("601")
    source = tmp_path / "mine.cpp"
    source.write_text(changed({'#include "four_shifts.h"\n': '#include "four_shifts.h"\n\n'}))
    quick = ("--cpu", "601", "--build", "period", "--scenes", 1)
    path = tmp_path / "t.json"
    assert macproof("timing", *quick, "--quiet", "--source", source, "--json", path).code == 0
    programs = json.loads(path.read_text())["programs"]
    assert [p["source"] for p in programs] == ["four_shifts.cpp", "mine.cpp"]
    assert programs[0]["sizes"] == programs[1]["sizes"]


def test_without_compilers_the_prebuilt_are_timed_and_it_is_said(macproof, no_compilers):
    done = macproof("timing", "--cpu", "601", "--scenes", 1, "--objects", "0")
    assert done.code == 0
    assert "build O0-macros" in done.out
    assert "not among the prebuilt programs, and nothing is compiled" in done.out


@pytest.mark.slow
def test_the_program_measures_itself_in_virtual_time(macproof, tmp_path, compilers):
    compilers("68040")
    path = tmp_path / "t.json"
    quick = ("--cpu", "68040", "--build", "period", "--code", "68000", "--scenes", 3)
    done = macproof("timing", *quick, "--harness", "--quick", "--json", path)
    assert done.code == 0
    assert re.search(r"^ +50 objects: \d+ in 3\d{6} us: ", done.out, re.MULTILINE)
    report = json.loads(path.read_text())
    (run,) = report["harness"]
    assert (run["cpu"], run["build"]) == ("68040", "period, 68000 code")
    assert [one["objects"] for one in run["experiments"]] == [0, 50, 100, 200]
    sizes = report["programs"][0]["sizes"]
    for one in run["experiments"]:
        predicted = sizes[str(one["objects"])]["per_second"]
        assert 0.9 * predicted < one["per_second"] < 1.1 * predicted


def test_a_program_whose_experiments_cannot_be_shortened_is_named(changed, tmp_path, compilers):
    compilers("68040")
    source = tmp_path / "mine.cpp"
    source.write_text(changed({'#include "four_shifts.h"\n': '#include "four_shifts.h"\n\n'}))
    case = load_case("four-shifts")
    timed = programs_to_time(case, cpus=["68040"], builds=["O1"], source=source)
    assert not_in_virtual_time(timed, HarnessRequest()) == []
    (left,) = not_in_virtual_time(timed, HarnessRequest(is_quick=True))
    assert left.what == "the program of mine.cpp in virtual time"
    timed = programs_to_time(
        case, cpus=["68040"], builds=["O1"], source={"four_shifts.cpp": source}
    )
    (left,) = not_in_virtual_time(timed, HarnessRequest())
    assert "no whole program" in left.why


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("no-such-case",), "there is no case"),
        (("--build", "03"), "has no build 03; there are O0, O0-macros, O1,"),
        (("--machine", "5200"), "lacks the rules of the MPC603"),
        (("--machine", "8100", "--mhz", "90"), "leave out"),
        (("--mhz", "0"), "not a clock"),
        (("--mhz", "nan"), "not a clock"),
        (("--mhz", "1e-300"), "not a clock in MHz, from 0.001"),
        (("--measured", "/"), "/: "),
        (("--measured", ""), "the name is empty"),
        (("--scenes", "0"), "not from 1"),
        (("--scenes", "1001"), "not from 1"),
        (("--objects", "201"), "201 objects"),
        (("--cpu", "z80"), "there is no 'z80'"),
        (("--plot", "x.gif"), "ends with"),
        (("--measured", "nowhere"), "nowhere"),
        (("--source", "nowhere.cpp"), "no such file"),
        (("--program", "x"), "one --cpu"),
        (("--cpu", "mips"), "no cycle model"),
        (("--quick",), "--harness"),
        (("brute-force", "--harness"), "no program of its own"),
    ],
)
def test_bad_input_is_refused(macproof, words, problem):
    done = macproof("timing", "--programs", "prebuilt", *words)
    assert done.code == 2
    assert problem in done.err
    assert done.out == ""


def test_nothing_that_is_read_is_written_over(macproof, tmp_path):
    text = tmp_path / "t.json"
    text.write_text("200 objects: 2401 in 30024000 us:  12500 us/iter, 80.0 iter/s\n")
    before = text.read_bytes()
    done = macproof("timing", *QUICK, "--measured", text, "--json", text)
    assert done.code == 2
    assert "would be written over" in done.err
    assert text.read_bytes() == before
    done = macproof("timing", *QUICK, "--json", tmp_path / "x", "--markdown", tmp_path / "x")
    assert "would be the same file" in done.err


def test_a_machine_is_profiled_in_code_that_the_case_has(macproof):
    words = ("--machine", "lc", "--profile", "--programs", "prebuilt", "--build", "O2")
    done = macproof("timing", *words, "--scenes", "1", "--objects", "20")
    assert (done.code, done.err) == (0, "")
    assert "68020 O2, 68000 code: where the cycles of a call go" in done.out
