"""``macproof results`` as a person uses it."""

from __future__ import annotations

import io
import json
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from emu.base.errors import InputError
from emu.cli import main
from emu.disk.contents import DiskFile
from emu.disk.image import make_image
from emu.program.mac_file.macbinary import make_macbinary
from emu.report.plots.plot import Stroke
from emu.results.scenes_file import (
    SCENES_NAME,
    default_plan,
    make_scenes_file,
    parse_scenes_file,
    read_scenes_file,
)
from emu.results.speeds import MachineSpeed, speeds_plot, speeds_table
from emu.results.text_file import with_checksum
from tests.report import schemas


@pytest.fixture
def file(tmp_path, lines):
    """Writes a file of results with changes."""

    def write(name="PortCheck Results", **changes):
        path = tmp_path / name
        path.write_bytes(with_checksum(lines(**changes)))
        return str(path)

    return write


def _wrong(lines):
    right = [line for line in lines() if line.startswith("scene ")]
    return [*right[:-1], "scene 24 200 four-shifts 00000000"]


def test_a_right_file_is_verified(file, tmp_path, monkeypatch, capsys):
    file("right")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["results", "right"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"right +Quadra 700, 68040 +7\.1\.0 .* verified +25 ", out)
    assert out.splitlines()[-1].startswith("verified in ")
    row = next(line for line in out.splitlines() if line.startswith("  Quadra 700"))
    assert row.split()[-4:] == ["611", "340", "189", "81.0"]
    assert "1994, 80 MHz PowerPC 601" in out


def test_a_wrong_file_is_refuted_with_the_scene(file, lines, capsys):
    assert main(["results", file(scenes=_wrong(lines))]) == 1
    out = capsys.readouterr().out
    assert "refuted" in out
    assert "scene 24 (neighbours, 200 objects, seed 1999)" in out


def test_many_wrong_scenes_are_counted(file, lines, capsys):
    scenes = [line[:-8] + "00000000" for line in lines() if line.startswith("scene ")]
    path = file(scenes=scenes)
    assert main(["results", path]) == 1
    assert "and 20 more" in capsys.readouterr().out
    assert main(["results", "--verbose", path]) == 1
    assert "scene 24 " in capsys.readouterr().out


def test_a_damaged_file_does_not_hide_the_others(file, lines, tmp_path, capsys):
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"macproof results 1\r")
    assert main(["results", str(damaged)]) == 2
    capsys.readouterr()
    assert main(["results", str(damaged), file()]) == 2
    outcome = capsys.readouterr()
    assert "no CRC" in outcome.err
    assert "verified" in outcome.out
    assert main(["results", str(damaged), file(scenes=_wrong(lines))]) == 1


def test_several_machines_are_one_table(file, capsys):
    fast = {"machine": "65 Power Macintosh 8100", "cpu": "PowerPC 601"}
    second = file("second", about=fast, times=[(0, 15280, 2000000), (200, 1576, 2000000)])
    assert main(["results", file(), second]) == 0
    out = capsys.readouterr().out
    assert out.count(": complete runs in a second, by number of objects") == 1
    row = next(line for line in out.splitlines() if line.startswith("  Power Macintosh 8100"))
    assert row.split()[-4:] == ["7,640", "-", "-", "788"]


def test_json_has_what_was_counted(file, lines, tmp_path):
    path = tmp_path / "results.json"
    assert main(["results", "--quiet", file(scenes=_wrong(lines)), "--json", str(path)]) == 1
    data = schemas.read(path, "macproof.results/1")
    assert data["verdict"] == "refuted"
    (one,) = data["files"]
    assert one["comparisons"] == 25
    assert one["refuted"][0]["scene"] == 24
    assert one["refuted"][0]["found"] == "00000000"
    assert one["timings"][1] == {
        "routine": "four-shifts",
        "objects": 50,
        "iterations": 680,
        "microseconds": 2000000,
    }
    assert one["about"]["machine"] == "22 Quadra 700"
    assert one["virtual_clock"] is False


def test_times_of_a_virtual_clock_are_left_out(file, tmp_path, capsys):
    path = file(about={"machine": "macproof"})
    assert main(["results", path]) == 0
    out = capsys.readouterr().out
    assert "clock measures nothing" in out
    assert "complete runs" not in out
    assert main(["results", path, "--png", str(tmp_path / "plot.png")]) == 2
    assert not (tmp_path / "plot.png").exists()


@pytest.mark.slow
def test_the_plot_shows_machines_and_1994(file, tmp_path):
    path = tmp_path / "plot.png"
    measured = file(times=[(0, 4000, 2000000), (200, 500, 2000000)])
    assert main(["results", "--quiet", measured, "--png", str(path)]) == 0
    data = path.read_bytes()
    assert main(["results", "--quiet", measured, "--png", str(path)]) == 0
    assert path.read_bytes() == data
    with Image.open(io.BytesIO(data)) as image:
        assert image.info["Title"] == "four-shifts: complete runs in a second"


def test_the_figures_of_1994_are_points_and_what_was_measured_is_a_line():
    found = [
        MachineSpeed("1994, 25 MHz 68040", {200: 81.0, 0: 611.0}, True),
        MachineSpeed("Quadra", {0: 600.0}),
    ]
    ((panel,),) = speeds_plot(found, "four-shifts").rows
    assert panel.y.is_logarithmic
    published, measured = panel.lines
    assert published.points == ((0, 611.0), (200, 81.0))
    assert published.stroke is Stroke.NONE
    assert measured.stroke is not Stroke.NONE


def test_scenes_are_written_for_the_program(file, tmp_path, capsys):
    path = tmp_path / "PortCheck Scenes"
    assert main(["results", "--write-scenes", str(path)]) == 0
    assert path.read_bytes() == make_scenes_file()
    assert "25 scenes" in capsys.readouterr().out
    assert parse_scenes_file(path.read_bytes()).scenes
    assert main(["results", "--scenes", str(path), file()]) == 0


def test_scenes_come_as_they_come_from_a_macintosh(file, tmp_path):
    scenes = make_scenes_file([*default_plan()[:3]])
    packed = make_macbinary(SCENES_NAME, type="TEXT", creator="MPrf", data=scenes)
    (tmp_path / "packed.bin").write_bytes(packed)
    disk = make_image([DiskFile(SCENES_NAME, "TEXT", "MPrf", 0, scenes, b"")])
    (tmp_path / "disk.dsk").write_bytes(disk.contents)
    for place in ("packed.bin", f"disk.dsk:{SCENES_NAME}"):
        assert read_scenes_file(tmp_path / place).crc == parse_scenes_file(scenes).crc
    (tmp_path / "packed.bin").write_bytes(make_macbinary("x", type="TEXT", creator="MPrf"))
    assert main(["results", "--scenes", str(tmp_path / "packed.bin"), file()]) == 2


def test_what_a_container_holds_has_a_limit(tmp_path):
    data = make_scenes_file() + bytes(400 << 10)
    packed = make_macbinary(SCENES_NAME, type="TEXT", creator="MPrf", data=data)
    (tmp_path / "packed.bin").write_bytes(packed)
    with pytest.raises(InputError, match="more than 409,600 bytes"):
        read_scenes_file(tmp_path / "packed.bin")


@pytest.mark.parametrize(
    "words",
    [
        ["results", "--json", "results"],
        ["results", "--json", "link"],
        ["results", "--write-scenes", "results"],
        ["results", "--png", "./results"],
        ["results", "--scenes", "scenes", "--json", "scenes"],
        ["results", "--scenes", "scenes", "--write-scenes", "scenes"],
        ["results", "--json", "new", "--png", "new"],
        ["results", "--json", "new", "--write-scenes", "./new"],
        ["disk.dsk:Results", "--json", "disk.dsk"],
    ],
)
def test_nothing_is_written_over_what_is_read(words, file, lines, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    file("results")
    (tmp_path / "link").symlink_to("results")
    (tmp_path / "scenes").write_bytes(make_scenes_file())
    data = with_checksum(lines())
    disk = make_image([DiskFile("Results", "TEXT", "MPrf", 0, data, b"")])
    (tmp_path / "disk.dsk").write_bytes(disk.contents)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main(["results", *words]) == 2
    why = "links are not followed" if "link" in words else "Nothing has been written"
    assert why in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_pictures_of_other_routines_are_files_as_well(lines, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # The kit has one routine as yet, so what is timed is told here.
    monkeypatch.setattr(
        "emu.commands.programs.results.routines", lambda checked: ["four-shifts", "other"]
    )
    name = "plot-other.png"
    (tmp_path / name).write_bytes(with_checksum(lines()))
    before = (tmp_path / name).read_bytes()
    assert main(["results", name, "--png", "plot.png", "--json", "json"]) == 2
    assert "a picture would be written over the results" in " ".join(
        capsys.readouterr().err.split()
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == before


def test_a_damaged_file_of_scenes_is_said(file, tmp_path, capsys):
    path = tmp_path / "PortCheck Scenes"
    path.write_bytes(make_scenes_file()[:-1])
    assert main(["results", "--scenes", str(path), file()]) == 2
    assert "cut short" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--write-scenes", "x", "--json", "y"]])
def test_something_has_to_be_checked(options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["results", *options]) == 2
    assert list(tmp_path.iterdir()) == []


def test_speeds_have_three_digits_and_published_ones_come_first():
    found = [MachineSpeed("1994", {0: 7640.0}, True), MachineSpeed("Quadra", {0: 8.126, 50: 81.0})]
    table = speeds_table(found)
    assert table.columns == ("machine", "0", "50")
    assert table.rows == (("1994", "7,640", "-"), ("Quadra", "8.13", "81.0"))
    assert table.breaks == {1}


def test_files_are_test_cases(file, lines, tmp_path, capsys):
    """Also one that could not be checked, and if no other could."""
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"macproof results 1\r")
    path = tmp_path / "results.xml"
    words = ["results", file(), file("wrong", scenes=_wrong(lines)), str(damaged)]
    assert main([*words, "--junit", str(path), "--html", str(tmp_path / "results.html")]) == 1
    right, wrong, broken = ElementTree.parse(path).getroot().iter("testcase")
    assert len(right.findall("failure")) == len(right.findall("error")) == 0
    failure, error = wrong.find("failure"), broken.find("error")
    assert failure is not None
    assert "scene 24 (neighbours, 200 objects, seed 1999)" in failure.get("message")
    assert error is not None
    assert "no CRC" in error.get("message")
    assert "neighbours, 200 objects, seed 1999" in (tmp_path / "results.html").read_text()
    assert "1 of the files could not be checked" in capsys.readouterr().out
    assert main(["results", str(damaged), "--json", str(path)]) == 2
    assert json.loads(path.read_text()) == {
        "schema": "macproof.results/1",
        "verdict": "not checked",
        "files": [],
        "clocks": None,
    }
