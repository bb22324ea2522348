"""Pages, reports and the table of findings say what was seen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emu.cli import main
from emu.studies.findings import FindingResult
from emu.studies.findings.page import write_pages
from emu.studies.findings.picture import draw_step
from emu.studies.findings.report import make_report, to_json


def test_a_page_for_each_finding(results: dict[str, FindingResult], tmp_path: Path):
    written = write_pages(list(results.values()), tmp_path / "pages")
    names = {path.name for path in written}
    assert {f"{id_}.md" for id_ in results} | {"README.md"} <= names
    page = (tmp_path / "pages" / "M9.md").read_text()
    for words in (
        "# M9: Collisions off the grid are missed",
        "Status: **shown**.",
        "Input: `[[-40, 10], [-45, 12]]`",
        "| 68040 | gCollisionArray = [0, 0] | gCollisionArray = [1, 1]; memory as the reference",
        "![described, 68040](M9-1-described.png)",
        "macproof findings M9",
    ):
        assert words in page
    assert "Not run: It is read from the text" in (tmp_path / "pages" / "M17.md").read_text()
    index = (tmp_path / "pages" / "README.md").read_text()
    assert all(f"[{id_}]({id_}.md)" in index for id_ in results)
    for path in written:
        if path.suffix == ".png":
            with Image.open(path) as image:
                assert min(image.size) > 50


def test_pictures_mark_what_the_forms_differ_about(results: dict[str, FindingResult]):
    red = (220, 0, 0)
    drawn = draw_step(results["M9"].steps[0])
    assert drawn is not None
    assert drawn.corrected is not None
    assert (drawn.described == red).all(axis=-1).any()
    assert not np.array_equal(drawn.described, drawn.corrected)
    same = draw_step(results["M8"].steps[0])  # nothing collides in either form
    assert same is not None
    assert not (same.described == red).all(axis=-1).any()
    assert draw_step(results["B3"].steps[0]) is None


def test_the_report_has_everything(results: dict[str, FindingResult]):
    report = json.loads(to_json(make_report(list(results.values()), ["macproof", "findings"], 1.0)))
    assert report["verdict"] == "shown"
    assert len(report["findings"]) == len(results)
    by_id = {finding["id"]: finding for finding in report["findings"]}
    b5 = by_id["B5"]["steps"][1]["as_described"]["seen"]["68040"]
    assert b5["facts"] == {"fault": "access"}
    assert "unmapped memory" in b5["fault"]
    right = by_id["B5"]["steps"][1]["corrected"]["seen"]["68040"]
    assert right["reference_agrees"] == [True]
    assert right["comparisons"] > 0
    assert by_id["M17"]["why_not_run"]
    total = report["totals"]
    assert total["calls"] > 500
    assert total["facts"] > 200
    assert total["comparisons"] > 100_000


def test_the_command(
    compilers: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    compilers("68040")
    report, pages = tmp_path / "report.json", tmp_path / "pages"
    words = ["findings", "m9", "Q5", "--cpu", "68040", "--json", str(report)]
    assert main([*words, "--markdown", str(pages), "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "M9" in out
    assert "shown" in out
    assert "Not run: Q5: it is for mips only" in out
    assert "68040, corrected: gCollisionArray = [1, 1]" in out
    assert json.loads(report.read_text())["command"] == [
        "macproof",
        *words,
        "--markdown",
        str(pages),
        "--verbose",
    ]
    assert {path.name for path in pages.iterdir()} >= {"M9.md", "Q5.md", "README.md"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["M99"], "there is no finding of M99"),
        (["--source", "x.cpp"], "name that case alone"),
        (["four-shifts", "--source", "nowhere.cpp"], "there is no such file"),
        (["M9", "--build", "O9"], "has no build O9"),
    ],
)
def test_what_the_command_refuses(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["findings", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_mended_source_does_not_show_the_findings(
    compilers: Callable[..., None],
    changed: Callable[..., str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Our own port given as a source shows them; with its grid limited it shows some no more."""
    compilers("68040")
    limited = {
        "[(o->x + xoff) >> kLog2SectorSize]": "[o->x < 0 ? 0 : (o->x + xoff) >> kLog2SectorSize]",
    }
    source = tmp_path / "limited.cpp"
    source.write_text(changed(limited))
    words = ["findings", "four-shifts", "--cpu", "68040", "--source", str(source)]
    assert main(words) == 1
    out = capsys.readouterr().out
    assert "M8: left of the grid: 68040, as described" in out
    assert "M9: 68040, as described: gCollisionArray is [1, 1], not [0, 0]" in out


def test_the_listing_of_1994_shows_them_all(
    post: Path, compilers: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    compilers("68000", "68040", "601")
    listing = tmp_path / "listing.cpp"
    assert main(["import", str(post), "-o", str(listing)]) == 0
    assert main(["findings", "four-shifts", "--source", str(listing)]) == 0
    out = capsys.readouterr().out
    assert "11 shown" in out
    assert "not shown" not in out


def test_the_command_writes_over_nothing_of_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Neither over what it reads, nor two things to one place, nor over the README of a project."""
    monkeypatch.chdir(tmp_path)
    source = Path("port.cpp")
    source.write_text("int x;\n")
    words = ["findings", "four-shifts", "--source", "port.cpp", "--json", "port.cpp"]
    assert main(words) == 2
    assert "--json would be written over --source" in capsys.readouterr().err
    assert source.read_text() == "int x;\n"
    Path("pages").mkdir()
    assert main(["findings", "M1", "--json", "pages/M1.md", "--markdown", "pages"]) == 2
    assert "--json and --markdown would be the same file" in capsys.readouterr().err
    Path("README.md").write_text("# My project\n")
    assert main(["findings", "M1", "--markdown", "."]) == 2
    assert "is no list of findings" in capsys.readouterr().err
    assert Path("README.md").read_text() == "# My project\n"
    assert not Path("M1.md").exists()
    for _ in range(2):  # a second time its own list is replaced
        assert main(["findings", "M1", "--markdown", "pages"]) == 0
        assert "README.md written, and 1 page" in capsys.readouterr().out


def test_one_finding_is_a_finding(capsys: pytest.CaptureFixture[str]):
    assert main(["findings", "M1"]) == 0
    assert "1 finding: 1 not run" in capsys.readouterr().out
