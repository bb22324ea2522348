"""Commands as people use them: what they print, what they leave, and how they end."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from emu import __version__
from emu.cli import main
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.compilers.find import missing_compilers
from pyref.scene import make_scene
from pyref.sectors.four_shifts import determine_collisions
from tests.processes import Family, wait_until
from tests.rows import slow_but

ROOT = Path(__file__).parents[2]
ONE = ("--cpu", "68040", "--build", "O2", "--programs", "prebuilt")
Command = Callable[..., "Outcome"]


class Outcome:
    """What `macproof` of conftest.py gives."""

    code: int
    out: str
    err: str


@pytest.fixture
def port(tmp_path: Path, broken_port: Callable[[str], str], compilers: Callable[..., None]):
    """Writes one of the broken ports; needs the compilers."""
    compilers("68040", "601")

    def write(name: str) -> Path:
        path = tmp_path / (name.replace(" ", "_") + ".cpp")
        path.write_text(broken_port(name))
        return path

    return write


# -- verify ------------------------------------------------------------------------------------


def test_verify_prints_a_table_and_why_to_believe_it(macproof: Command):
    done = macproof("verify", "four-shifts", "--scenes", 30, *ONE)
    assert (done.code, done.err) == (0, "")
    assert re.search(r"^ +68040 +O2 +verified +27 +75,224 +41,231 +$", done.out, re.MULTILINE)
    assert "1 prebuilt, of these very sources" in done.out
    assert "- CPU 68000, 601: not asked for." in done.out
    assert "- build O0, O1, Os, period, O2-macros: not asked for." in done.out
    assert "- the original program (Tom Moertel, 1994)" in done.out
    assert "\x1b" not in done.out


def test_verify_writes_reports(macproof: Command, tmp_path: Path):
    forms = [tmp_path / name for name in ("r.json", "r.xml", "r.md")]
    done = macproof(
        "verify",
        "four-shifts",
        *ONE,
        *("--scenes", 12, "--seed", 3, "--objects", "7,50", "--jobs", 1),
        *("--json", forms[0], "--junit", forms[1], "--markdown", forms[2]),
    )
    assert done.code == 0
    report = json.loads(forms[0].read_text())
    assert report["verdict"] == "verified"
    assert report["receipt"]["scenes"]["objects"] == [7, 50]
    assert report["receipt"]["scenes"]["seeds"] == [3, 3]
    assert ElementTree.parse(forms[1]).getroot().find("testsuite").get("tests") == "1"
    assert (
        forms[2]
        .read_text()
        .startswith("# Sector grid with four shifts (Tom Moertel, 1994): verified\n")
    )
    assert sorted(p.name for p in forms[0].parent.iterdir()) == ["r.json", "r.md", "r.xml"]


@pytest.mark.slow
def test_the_command_of_a_receipt_gives_the_same_report(macproof: Command, tmp_path: Path):
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    macproof("verify", "four-shifts", *ONE, "--scenes", 45, "--json", first)
    report = json.loads(first.read_text())
    name, *words = report["receipt"]["command"]
    assert name == "macproof"
    words[words.index(str(first))] = str(second)
    assert macproof(*words, "--jobs", 1).code == 0
    again = json.loads(second.read_text())
    for one in (report, again):
        assert one["receipt"].pop("seconds") > 0
        del one["receipt"]["command"]
    assert report == again


def test_a_run_of_nothing_is_not_a_success(macproof: Command):
    done = macproof("verify", "four-shifts", *ONE, "--scenes", 0)
    assert done.code == 4
    assert "inconclusive in" in done.out
    assert macproof("verify", "four-shifts", "--quiet", *ONE, "--scenes", 0).code == 4


def test_quiet_prints_nothing_on_success(macproof: Command, tmp_path: Path):
    for words in (
        ("verify", "four-shifts", *ONE, "--scenes", 5),
        ("build", "four-shifts", *ONE),
        ("show", *ONE, "-o", tmp_path / "scene.png"),
        ("explain", "four-shifts", *ONE, "--scenes", 5),
    ):
        done = macproof(*words, "--quiet")
        assert (done.code, done.out, done.err) == (0, "", ""), words


def test_several_cases_end_with_the_worst_and_make_one_file_of_each_form(
    macproof: Command, tmp_path: Path
):
    names = ("json", "junit", "markdown", "html")
    files = {name: tmp_path / f"cases.{name}" for name in names}
    forms = [word for name in names for word in (f"--{name}", files[name])]
    cases = ("four-shifts", "brute-force")
    done = macproof("verify", *cases, *ONE, "--scenes", 3, *forms)
    assert (done.code, done.err) == (0, "")
    told = [line.split()[:2] for line in done.out.splitlines() if line.startswith("verified ")]
    assert told == [["verified", case] for case in cases] + [["verified", "in"]]
    reports = json.loads(files["json"].read_text())["reports"]
    assert [report["receipt"]["case"]["name"] for report in reports] == [*cases]
    root = ElementTree.parse(files["junit"]).getroot()
    assert [one.get("classname") for one in root.iter("testcase")] == [
        f"macproof.{case}" for case in cases
    ]
    assert files["markdown"].read_text().count("\n## Receipt\n") == 2
    assert "2 verified" in files["html"].read_text()
    assert macproof("verify", *cases, *ONE, "--scenes", 0).code == 4


def test_a_report_is_not_written_over_what_is_read(macproof: Command, tmp_path: Path):
    folder = shutil.copytree(ROOT / "mac_src" / "four_shifts", tmp_path / "mine")
    for file in ("case.yaml", "four_shifts.cpp"):
        done = macproof("verify", folder, *ONE, "--html", folder / file)
        assert done.code == 2
        assert "--html would be written over" in done.err


def test_a_case_of_ones_own(macproof: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A copy somewhere else, with a name of its own, works without mac_src around it."""
    folder = shutil.copytree(ROOT / "mac_src" / "four_shifts", tmp_path / "mine")
    text = (folder / "case.yaml").read_text()
    (folder / "case.yaml").write_text(text.replace("name: four-shifts", "name: mine"))
    monkeypatch.setattr("emu.toolchain.compilers.find.compiler_version", lambda command: None)
    done = macproof("verify", folder, "--cpu", "601", "--build", "O2")
    assert done.code == 3  # there is no prebuilt program of that name
    assert "no prebuilt program of mine" in done.err


@pytest.mark.slow
def test_a_case_of_ones_own_is_compiled_and_explained(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    compilers("601")
    folder = shutil.copytree(ROOT / "mac_src" / "four_shifts", tmp_path / "mine")
    text = (folder / "case.yaml").read_text()
    (folder / "case.yaml").write_text(text.replace("name: four-shifts", "name: mine"))
    source = folder / "four_shifts.cpp"
    source.write_text(source.read_text().replace("x) < kRectSize\n", "x) <= kRectSize\n"))
    report = tmp_path / "report.json"
    words = ("--cpu", "601", "--build", "O2", "--scenes", 30)
    assert macproof("verify", folder, *words, "--json", report).code == 1
    done = macproof("explain", report, "--trust")
    assert done.code == 1
    assert "mine on the 601, build O2, fails on a scene" in done.out


# -- refuted -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("no shift 0h", 1, "gCollisionArray["),
        pytest.param("touching collides", 1, "is 1, expected 0", marks=pytest.mark.slow),
        pytest.param("register clobbered", 1, "register d5 was 0x", marks=pytest.mark.slow),
        pytest.param("input changed", 1, "gObjects[3].x is", marks=pytest.mark.slow),
        pytest.param(
            "stray store",
            4,
            "write of 4 bytes to unmapped memory at 0x00300000",
            marks=pytest.mark.slow,
        ),
        ("kills the engine", 4, "the guest code brought the engine's process down"),
    ],
)
def test_wrong_ports_end_with_their_code(
    macproof: Command, port: Callable[[str], Path], name: str, code: int, words: str
):
    one = ("--cpu", "68040", "--build", "O2", "--scenes", 30, "--jobs", 1)
    done = macproof("verify", "four-shifts", "--source", port(name), *one)
    assert done.code == code
    assert words in done.out
    assert ("refuted in" if code == 1 else "inconclusive in") in done.out
    quiet = macproof("verify", "four-shifts", "--source", port(name), *one, "--quiet")
    assert (quiet.code, quiet.out) == (code, "")


@pytest.mark.slow
def test_from_verify_to_explain_and_show(
    macproof: Command, port: Callable[[str], Path], tmp_path: Path
):
    report = tmp_path / "report.json"
    source = port("touching collides")
    words = ("--cpu", "68040", "--cpu", "601", "--build", "O2", "--scenes", 60)
    page = tmp_path / "report.html"
    forms = ("--json", report, "--html", page)
    done = macproof("verify", "four-shifts", "--source", source, *words, *forms)
    assert done.code == 1
    assert "Result of 68040 O2" not in done.out
    assert page.read_text().count("Result of 68040 O2</strong>") == 1
    data = json.loads(report.read_text())
    assert data["receipt"]["source"]["replaced_by"] == str(source)

    done = macproof("explain", report)
    assert (done.code, done.err) == (1, "")
    assert "four-shifts on the 68040, build O2, fails on a scene:" in done.out
    assert "First difference: gCollisionArray[0] is 1, expected 0 (it was 0 before)." in done.out
    assert "(touching_collides.cpp:" in done.out
    assert "on the 601" in macproof("explain", report, "--cpu", "601").out
    assert macproof("explain", report).out == done.out
    direct = macproof("explain", "four-shifts", "--source", source, *words)
    # The debugger is told of the report, or else of the scene itself.
    said = [
        re.sub(r"macproof debug .*? --cpu", "macproof debug --cpu", o)
        for o in (direct.out, done.out)
    ]
    assert said[0] == said[1]

    explained = tmp_path / "explained.json"
    macproof("explain", report, "--json", explained, "--html", page)
    assert json.loads(explained.read_text())["divergence"]["place"] == "gCollisionArray[0]"
    assert "Result of 68040 O2</strong>" in page.read_text()

    picture, seen = tmp_path / "wrong.png", tmp_path / "seen.json"
    done = macproof("show", "--report", report, "-o", picture, "--json", seen, "--html", page)
    assert done.code == 1
    assert any(one["is_wrong"] for one in json.loads(seen.read_text())["objects"])
    assert "Expected result</strong>" in page.read_text()
    failure = data["results"][0]["failures"][0]
    with Image.open(picture) as image:
        assert f"{failure['generator']}, {failure['objects']} objects" in image.text["Title"]
        assert "objects wrong" in image.text["Title"]
        pixels = np.asarray(image.convert("RGB"))[:480]
    red = (pixels == (220, 0, 0)).all(axis=2)
    assert red.sum() >= 2 * 4 * 30  # two frames at least, each of two rings

    done = macproof("explain", report, "--cpu", "68000")
    assert done.code == 2
    assert "has no result of that CPU and build" in done.err


@pytest.mark.slow
def test_a_program_that_went_down_is_not_nothing_to_explain(
    macproof: Command, port: Callable[[str], Path], tmp_path: Path
):
    report = tmp_path / "report.json"
    one = ("--cpu", "68040", "--build", "O2", "--scenes", 5, "--jobs", 1)
    assert (
        macproof(
            "verify", "four-shifts", "--source", port("kills the engine"), *one, "--json", report
        ).code
        == 4
    )
    for words in (("explain", report), ("show", "--report", report, "-o", tmp_path / "x.png")):
        done = macproof(*words)
        assert done.code == 4
        assert "68040 O2 is inconclusive: the guest code brought" in done.err
    assert not (tmp_path / "x.png").exists()


def test_explain_with_nothing_to_explain(macproof: Command, tmp_path: Path):
    report = tmp_path / "report.json"
    assert macproof("verify", "four-shifts", *ONE, "--scenes", 5, "--json", report).code == 0
    done = macproof("explain", report)
    assert (done.code, done.out) == (0, "Nothing to explain: no scene failed.\n")
    done = macproof("show", "--report", report)
    assert done.code == 2
    assert "no scene of it failed, so there is none to show" in done.err
    empty = tmp_path / "empty.json"
    assert macproof("verify", "four-shifts", *ONE, "--scenes", 0, "--json", empty).code == 4
    done = macproof("explain", empty)
    assert done.code == 4
    assert "68040 O2 is inconclusive: nothing was compared" in done.err


# -- show --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_show_is_not_content_with_right_objects_alone(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68040")
    text = (ROOT / "mac_src" / "four_shifts" / "four_shifts.cpp").read_text()
    last = "UpdateSectors(half, half);  _UpdateCollisionArray();"
    assert text.count(last) == 1
    path = tmp_path / "table_wrong.cpp"
    path.write_text(text.replace(last, f"{last} gSectorArray[0][0] = gObjects + 7;"))
    which = ("--cpu", "68040", "--build", "O2")
    done = macproof("show", "--source", path, *which, "-o", tmp_path / "scene.png")
    assert done.code == 1
    assert "every object is right, but other memory or the call contract is wrong" in done.out


def test_show_draws_what_the_routine_says(macproof: Command, tmp_path: Path):
    path = tmp_path / "scene.png"
    done = macproof(
        "show", "--generator", "neighbours", "--objects", 9, "--seed", 5, *ONE, "-o", path
    )
    assert (done.code, done.err) == (0, "")
    scene = make_scene("neighbours", 9, 5)
    flags = determine_collisions(scene).flags[:9]
    assert 0 < flags.sum() < 9
    words = (
        f"four-shifts 68040 O2: neighbours, 9 objects, seed 5; {flags.sum()} in a collision; "
        "same as the reference"
    )
    assert done.out == f"{path}: {words}\n"
    with Image.open(path) as image:
        assert image.text == {"Title": words, "Software": "macproof"}
        assert image.size == (640, 480 + 14)
        pixels = np.asarray(image.convert("L"))[:480]
    drawn = np.full((480, 640), 255)
    y, x = np.mgrid[:480, :640]
    for (left, top), outlined in zip(scene.corners.tolist(), flags, strict=True):
        inside = (x >= left) & (x < left + 30) & (y >= top) & (y < top + 30)
        edge = inside & ((x == left) | (x == left + 29) | (y == top) | (y == top + 29))
        if outlined:
            drawn[edge] = 0
        else:
            drawn[inside] = np.where((x + y) % 2 == 0, 0, 255)[inside]
    assert np.array_equal(pixels, drawn)


# -- findings ------------------------------------------------------------------------------------


def test_findings_of_which_none_could_be_shown_are_no_success(macproof: Command):
    done = macproof("findings", "B1", "--programs", "prebuilt")
    assert (done.code, done.err) == (4, "")
    assert "not run in " in done.out


# -- build -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_build_compiles_every_program_of_a_case(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None], isolated_cache: Path
):
    compilers()
    done = macproof("build", "four-shifts", "-o", tmp_path / "out")
    assert done.code == 0
    lines = done.out.splitlines()
    assert len(lines) == 18
    assert all(line.startswith("compiled") for line in lines)
    assert len(list((tmp_path / "out").iterdir())) == 18
    again = macproof("build", "four-shifts")
    assert all(line.startswith("cache") for line in again.out.splitlines())


def test_build_without_compilers(macproof: Command, no_compilers: None, tmp_path: Path):
    done = macproof("build", "four-shifts", "--cpu", "601")
    assert done.code == 3
    assert "powerpc-linux-gnu-g++" in done.err
    assert "apt-get install g++-powerpc-linux-gnu" in done.err
    source = tmp_path / "mine.cpp"
    source.write_text("// not the shipped one\n")
    done = macproof("verify", "four-shifts", "--source", source, "--cpu", "68040")
    assert done.code == 3
    assert "apt-get install g++-m68k-linux-gnu" in done.err


# -- processes ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_without_compilers_the_prebuilt_programs_are_run(macproof_apart: Command, tmp_path: Path):
    done = macproof_apart(
        "verify", "four-shifts", "--scenes", 5, "--cpu", "601", PATH=str(tmp_path)
    )
    assert done.code == 0
    assert "6 prebuilt, of these very sources" in done.out
    done = macproof_apart("build", "four-shifts", "--cpu", "601", PATH=str(tmp_path))
    assert done.code == 3
    assert "apt-get install g++-powerpc-linux-gnu" in done.err


def test_builds_that_do_not_come_along_are_said_to_be_left_out(macproof: Command):
    words = ("verify", "brute-force", "--scenes", 5, "--cpu", "601", "--programs", "prebuilt")
    done = macproof(*words)
    assert done.code == 0
    assert "1 prebuilt, of these very sources" in done.out
    left = "- build O0, O1, Os, period: not among the prebuilt programs, and nothing"
    assert left in done.out
    asked = macproof(*words, "--build", "O1")
    assert asked.code == 3
    assert "no prebuilt program of brute-force for the 601, build O1" in asked.err


def test_many_cases_get_a_line_each_and_a_summary(macproof: Command):
    words = ("verify", "brute-force", "four-shifts", *ONE, "--scenes", 5)
    done = macproof(*words)
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [
        ["verified", "brute-force"],
        ["verified", "four-shifts"],
    ]
    assert "5 scenes" in lines[0]
    assert "macproof import" in done.out
    assert lines[-3].startswith("Cases: 2 (2 verified); programs: 2; calls: 40; ")
    assert lines[-2].startswith("Executed, in the first build of each processor: ")
    assert lines[-1].startswith("verified in ")
    assert "Every call returned" in macproof(*words, "--verbose").out


def test_version_and_help(macproof: Command):
    assert macproof("--version").out == f"macproof {__version__}\n"
    done = macproof("--help")
    assert done.code == 0
    assert "exit codes: 0 verified, 1 refuted" in " ".join(done.out.split())
    for command in ("verify", "explain", "show", "build", "import"):
        assert command in done.out
        assert macproof(command, "--help").code == 0


def test_python_runs_the_command_as_a_module():
    words = [sys.executable, "-m", "macproof", "--version"]
    assert (
        subprocess.run(words, capture_output=True, text=True).stdout == f"macproof {__version__}\n"
    )


@pytest.mark.slow
def test_one_scene_from_the_command_line(macproof_apart: Command):
    """Also the start of everything: heavy libraries must not be loaded for it."""
    began = time.monotonic()
    done = macproof_apart("verify", "four-shifts", *ONE, "--scenes", 1, "--jobs", 1)
    assert done.code == 0
    assert time.monotonic() - began < 60


@pytest.mark.slow
def test_no_colour_where_it_is_not_wanted(macproof_apart: Command):
    words = ("verify", "four-shifts", *ONE, "--scenes", 2)
    green = "\x1b[32m"
    assert green in macproof_apart(*words, FORCE_COLOR="1", NO_COLOR="").out
    assert green not in macproof_apart(*words, FORCE_COLOR="1", NO_COLOR="1").out


def run_in_shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    words = f'set -o pipefail; macproof() {{ {sys.executable} -m emu.cli "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize(
    ("scenes", "code", "reader"), slow_but([(0, 4, "true")], [(3, 0, "head -1"), (0, 4, "true")])
)
def test_a_reader_that_has_seen_enough_does_not_change_the_verdict(
    scenes: int, code: int, reader: str
):
    done = run_in_shell(f"macproof verify four-shifts {' '.join(ONE)} --scenes {scenes} | {reader}")
    assert done.stderr == ""
    assert done.returncode == code


@pytest.mark.slow
@needs_bash
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
def test_a_full_disk_under_the_output():
    done = run_in_shell(f"macproof verify four-shifts {' '.join(ONE)} --scenes 0 > /dev/full")
    assert done.returncode == 2
    stream = "standard output, or another stream without a name"
    assert done.stderr == f"macproof: {stream}: No space left on device\n"
    assert (
        run_in_shell(f"macproof verify four-shifts {' '.join(ONE)} --scenes 0 >&-").returncode == 4
    )
    assert run_in_shell("macproof verify nothing 2> /dev/full").returncode == 2


@needs_bash
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
def test_a_full_disk_under_a_help_text():
    done = run_in_shell("macproof --version > /dev/full")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr


def test_a_terminal_that_tells_no_width_is_written_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COLUMNS", "0")
    assert main(["verify", "nothing"]) == 2
    assert "there is no case nothing" in capsys.readouterr().err


@needs_bash
def test_a_working_folder_that_is_gone(tmp_path: Path):
    leave = f"cd {tmp_path} && mkdir gone && cd gone && rmdir ../gone"
    paths = {"PYTHONPATH": str(ROOT)}  # `python -m` would find emu in the working folder
    verify = f"macproof verify four-shifts {' '.join(ONE)} --scenes 1 --quiet"
    done = run_in_shell(f"{leave} && {verify}", **paths)
    assert (done.returncode, done.stderr) == (0, "")
    done = run_in_shell(f"{leave} && macproof port status .", **paths)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and "Errno" not in done.stderr


@pytest.mark.slow
@needs_bash
def test_a_terminal_of_ascii_gets_ascii():
    done = run_in_shell(
        f"macproof verify four-shifts {' '.join(ONE)} --scenes 3",
        PYTHONIOENCODING="ascii",
        LC_ALL="C",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "| 68040 | O2" in done.stdout


@pytest.mark.slow
def test_ctrl_c_ends_everything_at_once(port: Callable[[str], Path], interruptible: None):
    words = ["verify", "four-shifts", "--source", port("never returns")]
    words += ["--build", "O2", "--scenes", "9999"]
    with Family("-m", "emu.cli", *words) as family:
        wait_until(lambda: family.busiest_worker() > 1, "a worker has begun")
        # A terminal sends it to every process of the group.
        os.killpg(family.process.pid, signal.SIGINT)
        out, err = family.process.communicate(timeout=120)
        assert family.process.returncode == 130
        assert (out, err) == ("", "macproof: interrupted\n")
        wait_until(lambda: not family.members(), "all of its processes end")


def test_a_program_given_as_it_is(macproof: Command, tmp_path: Path):
    program = ROOT / "mac_src" / "prebuilt" / "four-shifts-601-Os.elf"
    report = tmp_path / "report.json"
    done = macproof(
        "verify",
        "four-shifts",
        "--program",
        program,
        "--cpu",
        "601",
        "--scenes",
        10,
        "--json",
        report,
    )
    assert done.code == 0
    data = json.loads(report.read_text())
    assert data["results"][0]["program"]["file"] == str(program)
    assert data["results"][0]["program"]["origin"] == "given"
    assert data["receipt"]["source"]["replaced_by"] == str(program)
    assert data["not_run"][0]["why"] == "one program was given, and is run as it is"


@pytest.mark.slow
def test_a_wrong_program_given_as_it_is(
    macproof: Command, port: Callable[[str], Path], tmp_path: Path
):
    folder, report = tmp_path / "built", tmp_path / "report.json"
    words = ("--cpu", "601", "--build", "O1")
    assert (
        macproof("build", "four-shifts", "--source", port("list cut"), *words, "-o", folder).code
        == 0
    )
    (program,) = folder.iterdir()
    done = macproof(
        "verify",
        "four-shifts",
        "--program",
        program,
        "--cpu",
        "601",
        "--scenes",
        10,
        "--json",
        report,
    )
    assert done.code == 1
    done = macproof("explain", report)
    assert done.code == 1
    assert "gObjects[0].obj_link is null, expected &gObjects[1]" in done.out


# -- processors that only some cases have ------------------------------------------------------


@pytest.mark.slow
def test_a_case_runs_on_its_own_processors_and_on_others_if_told(
    macproof: Command, tmp_path: Path, compilers: Callable[..., None]
):
    """Four shifts does not list MIPS; its sources compile for it all the same."""
    if missing_compilers([ALL_TARGETS["mips"]], {}):
        pytest.skip("the compiler for MIPS is not installed")
    report = tmp_path / "report.json"
    words = ("--cpu", "mips", "--build", "O2", "--scenes", 24, "--json", report)
    done = macproof("verify", "four-shifts", *words)
    assert (done.code, done.err) == (0, "")
    data = json.loads(report.read_text())
    assert [(r["cpu"], r["abi"], r["scenes"]) for r in data["results"]] == [
        ("mips", "mips-o32", 24)
    ]
    assert {"what": "CPU 68000, 68040, 601", "why": "not asked for"} in data["not_run"]
    assert macproof("verify", "four-shifts", *ONE, "--scenes", 3, "--json", report).code == 0
    told = {item["what"] for item in json.loads(report.read_text())["not_run"]}
    assert "CPU 68000, 601" in told, "what the case does not list is not said to be missing"


def test_a_processor_without_its_compiler(macproof: Command, no_compilers: None):
    done = macproof("verify", "four-shifts", "--cpu", "mips", "--scenes", 3)
    assert done.code == 3
    assert "there is no prebuilt program of four-shifts for the mips" in done.err
    assert "apt-get install g++-mips-linux-gnu" in done.err


def test_no_macintosh_has_a_mips(macproof: Command, tmp_path: Path):
    done = macproof("run", tmp_path / "any", "--cpu", "mips")
    assert (done.code, "there is no 'mips'" in done.err) == (2, True)
    done = macproof("build", "--app", "four-shifts", "--cpu", "mips", "-o", tmp_path / "out")
    assert (done.code, "no Macintosh has a mips" in done.err) == (2, True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["verify", "build"])
@pytest.mark.parametrize("option", ["--source", "--program"])
def test_one_source_cannot_stand_for_all_cases(macproof: Command, command: str, option: str):
    done = macproof(command, option, ROOT / "README.md", "--cpu", "601")
    assert done.code == 2
    assert f"{option} is about the program of one case; name the case first" in done.err


@pytest.mark.parametrize("module", ["emu.commands.programs.disk", "emu.commands.no_such_command"])
def test_garbage_is_collected_after_a_command_is_loaded_or_not(module: str):
    code = (
        "import contextlib, gc, emu.cli\n"
        f"with contextlib.suppress(ImportError): emu.cli._loaded({module!r})\n"
        "print(gc.isenabled())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr
