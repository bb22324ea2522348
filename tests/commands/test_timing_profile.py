"""``macproof timing --profile`` and ``--annotate`` as people use them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from emu.toolchain.builds import TARGETS
from emu.toolchain.sources import mac_sources
from tests.report.schemas import require_schema

FEW = ("--scenes", 2, "--objects", "0,30", "--programs", "prebuilt")
NARROW = (*FEW, "--cpu", "601")
PREBUILT = mac_sources() / "prebuilt" / "four-shifts-68040-period.elf"


def headings(text: str) -> list[str]:
    """The programs whose profiles were printed."""
    return re.findall(r"^(\d+ \S+): where the cycles of a call go$", text, re.MULTILINE)


def test_a_profile_is_printed_in_place_of_the_comparison(macproof):
    done = macproof("timing", "--profile", *FEW)
    assert (done.code, done.err) == (0, "")
    assert "Means of 2 scenes of 30 objects, generator uniform, seeds from 1994." in done.out
    assert headings(done.out) == ["68040 period", "601 period"]
    assert "_CalcCollisionsInSector" in done.out
    assert "four_shifts.cpp:" in done.out
    assert "(published)" not in done.out
    assert "Command: macproof timing --profile" in done.out


def test_builds_and_clocks_are_chosen(macproof):
    done = macproof("timing", "--profile", *NARROW, "--build", "O1", "--build", "O2", "--mhz", 66)
    assert done.code == 0
    assert headings(done.out) == ["601 O1", "601 O2"]
    assert done.out.count("microseconds of a call at 66 MHz") == 2


def test_a_page_is_written_the_same_each_time(macproof, tmp_path):
    path = tmp_path / "page.html"
    pages = []
    for _ in range(2):
        done = macproof("timing", "--annotate", "--html", path, *NARROW, "--quiet")
        assert (done.code, done.out, done.err) == (0, "", "")
        pages.append(path.read_bytes())
    assert pages[0] == pages[1]
    assert b"gCollisionArray[a - gObjects] = 1;" in pages[0]
    assert b"-fno-inline" in pages[0]  # the compiler's flags


def test_the_profile_goes_into_the_report(macproof, tmp_path):
    path = tmp_path / "t.json"
    words = ("timing", *NARROW, "--build", "period", "--json", path)
    assert macproof(*words, "--quiet").code == 0
    assert json.loads(path.read_text())["profile"] is None
    done = macproof(*words, "--profile")
    assert done.code == 0
    assert "(published)" in done.out
    assert headings(done.out) == ["601 period"]
    report = json.loads(path.read_text())
    (timed,), (profiled,) = report["programs"], report["profile"]["programs"]
    assert profiled["sha256"] == timed["sha256"]
    assert profiled["cycles"] == pytest.approx(timed["sizes"]["30"]["cycles"])
    assert sum(line["cycles"] for line in profiled["lines"]) == pytest.approx(profiled["cycles"])


def test_annotated_source_has_every_form(macproof, tmp_path):
    files = {form: tmp_path / f"report.{form}" for form in ("json", "markdown", "html", "junit")}
    options = [word for form, path in files.items() for word in (f"--{form}", path)]
    done = macproof("timing", "--annotate", *NARROW, *options)
    assert (done.code, done.err) == (0, "")
    report = json.loads(files["json"].read_text())
    require_schema(report, "macproof.profile/1")
    assert report["schema"] == "macproof.profile/1"
    (program,) = report["programs"]
    assert program["code"]
    line = "gCollisionArray[a - gObjects] = 1;"
    for text in (done.out, files["markdown"].read_text(), files["html"].read_text()):
        assert line in text
        assert "(published)" not in text
    assert "_CalcCollisionsInSector+0x" not in done.out
    assert "_CalcCollisionsInSector+0x" in files["markdown"].read_text()
    assert 'tests="0"' in files["junit"].read_text()


@pytest.mark.slow
def test_a_comparison_that_is_asked_for_has_the_annotated_source_too(macproof, tmp_path):
    page = tmp_path / "page.html"
    words = ("--annotate", "--plot", tmp_path / "speeds.png", "--html", page)
    done = macproof("timing", *words, *NARROW, "--build", "period")
    assert done.code == 0
    assert "(published)" in done.out
    assert "gCollisionArray[a - gObjects] = 1;" in page.read_text()


def test_nothing_that_is_read_is_written_over(macproof, tmp_path):
    source = tmp_path / "mine.html"
    source.write_text((mac_sources() / "four_shifts" / "four_shifts.cpp").read_text())
    before = source.read_bytes()
    done = macproof("timing", "--source", source, "--annotate", "--html", source)
    assert done.code == 2
    assert "--html would be written over --source" in done.err
    assert source.read_bytes() == before


def test_somebody_elses_source_is_the_one_that_is_annotated(macproof, compilers, tmp_path, changed):
    compilers("601")
    hostile = "</pre><script>document.title = 1</script>"
    begin = "void _DetermineCollisions()\n{\n"
    source = tmp_path / "<i>mine.cpp"
    source.write_text(changed({begin: f"{begin}    // {hostile}\n"}))
    path = tmp_path / "page.html"
    words = ("--cpu", "601", "--scenes", 1, "--objects", 20)
    done = macproof("timing", "--source", source, "--annotate", "--html", path, *words)
    assert done.code == 0
    assert "<i>mine.cpp:" in done.out
    assert headings(done.out) == ["601 period"]
    page = path.read_text()
    assert "<script>document" not in page
    assert "<i>" not in page
    assert "&lt;/pre&gt;&lt;script&gt;" in page
    assert "&lt;i&gt;mine.cpp" in page


@pytest.mark.slow
def test_a_program_as_it_is_and_one_without_lines(macproof, tmp_path):
    words = ("timing", "--profile", "--scenes", 1, "--objects", 20, "--cpu", "68040")
    done = macproof(*words, "--program", PREBUILT)
    assert done.code == 0
    assert "does not know whether the program was compiled from them" in done.out
    assert "four_shifts.cpp:" in done.out
    strip = shutil.which(TARGETS["68040"].compiler.replace("g++", "strip"))
    if strip is None:
        pytest.skip("no m68k strip; on Debian: apt-get install binutils-m68k-linux-gnu")
    bare, page = tmp_path / "bare.elf", tmp_path / "page.html"
    subprocess.run([strip, "-g", "-o", bare, PREBUILT], check=True)
    done = macproof(*words, "--program", bare, "--annotate", "--html", page)
    assert done.code == 0
    assert "This program has no line information" in done.out
    assert "_IntersectQ" in done.out
    text = page.read_text()
    assert "cycles of a call, 100.0% of all, by function" in text
    assert "_IntersectQ+0x" in text


def test_code_of_the_compilers_own_library_has_a_row(macproof, compilers):
    compilers("68000")
    words = ("--cpu", "68000", "--scenes", 1, "--objects", 20)
    done = macproof("timing", "brute-force", "--profile", *words)
    assert done.code == 0
    assert "(no line information)" in done.out  # the compiler's own multiplication
    assert "__mulsi3" in done.out
