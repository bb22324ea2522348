"""Times of real machines, in all their forms, and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emu.base.errors import InputError
from emu.cli import main
from emu.results.text_file import with_checksum
from posts.timing.measured_times import read_measured
from tests.results.conftest import result_lines

TEXT = """Collision testing...
0 objects: 18330 in 30000120 us:  1640 us/iter, 611 iter/s
200 objects: 2401 in 30024000 us:  12500 us/iter, 80.0 iter/s
"""


@pytest.fixture
def write(tmp_path):
    def make(content, name="Quadra 700.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_the_text_of_the_program(write, end):
    (one,) = read_measured([write(TEXT.replace("\n", end))], "four-shifts").found
    assert (one.machine, one.cpu) == ("Quadra 700", None)
    assert one.per_second == pytest.approx({0: 611, 200: 79.97}, rel=1e-4)
    assert "does not name its machine" in one.note


def test_a_file_of_portcheck(write):
    (one,) = read_measured([write(with_checksum(result_lines()))], "four-shifts").found
    assert (one.machine, one.cpu) == ("Quadra 700, 68040", "68040")
    assert one.per_second == pytest.approx({0: 611, 50: 340, 100: 189, 200: 81})
    assert not one.note


def test_wrong_results_have_no_times(write):
    right = [line for line in result_lines() if line.startswith("scene ")]
    wrong = [*right[:-1], "scene 24 200 four-shifts 00000000"]
    with pytest.raises(InputError, match="its results are wrong"):
        read_measured([write(with_checksum(result_lines(scenes=wrong)))], "four-shifts")


def test_virtual_times_are_left_out_and_said_to_be(write):
    path = write(with_checksum(result_lines(about={"machine": "macproof"})))
    measured = read_measured([path], "four-shifts")
    assert not measured.found
    (sentence,) = measured.left_out
    assert "macproof run" in sentence


def test_results_of_other_scenes_are_taken_with_a_note(write):
    path = write(with_checksum(result_lines(about={"scenes-crc": "00000000"})))
    (one,) = read_measured([path], "four-shifts").found
    assert "could not be checked" in one.note


def test_the_json_of_macproof_results(write, tmp_path):
    real = write(with_checksum(result_lines()), "real")
    virtual = write(with_checksum(result_lines(about={"machine": "macproof"})), "virtual")
    assert main(["results", str(real), str(virtual), "--json", str(tmp_path / "r.json")]) == 0
    measured = read_measured([tmp_path / "r.json"], "four-shifts")
    (one,) = measured.found
    assert (one.machine, one.cpu) == ("Quadra 700, 68040", "68040")
    assert one.per_second == pytest.approx({0: 611, 50: 340, 100: 189, 200: 81})
    assert len(measured.left_out) == 1


def document(**changes):
    one = {
        "file": "x",
        "verdict": "verified",
        "about": {"machine": "22 Quadra 700", "cpu": "68040"},
        "virtual_clock": False,
        "comparisons": 1,
        "refuted": [],
        "timings": [
            {"routine": "four-shifts", "objects": 0, "iterations": 10, "microseconds": 1000}
        ],
    }
    return json.dumps(
        {"schema": "macproof.results/1", "verdict": "verified", "files": [{**one, **changes}]}
    )


def test_the_json_is_believed_as_it_is(write):
    (one,) = read_measured([write(document())], "four-shifts").found
    assert one.per_second == {0: 10_000.0}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "it has no times"),
        ("hello\n", "it has no times"),
        ("{", "not JSON"),
        ("{}", "not a macproof report of schema macproof.results/1"),
        ('{"schema": "macproof.results/1"}', "damaged"),
        ('{"schema": "macproof.results/1", "files": [7]}', "damaged"),
        (
            '{"schema": "macproof.results/1", "verdict": "not checked", "files": []}',
            "no times of four-shifts",
        ),
        (document(about={"machine": "22 Quadra 700"}), "damaged: x names no machine or no cpu"),
        (document(timings=[]), "no times of four-shifts"),
        (document(verdict="refuted"), "are wrong"),
        (document(timings=[{"routine": "four-shifts"}]), "damaged"),
        (
            document(
                timings=[
                    {"routine": "four-shifts", "objects": 0, "iterations": 0, "microseconds": 5}
                ]
            ),
            "at least one iteration",
        ),
        ("0 objects: 0 in 5 us: \n", "line 1: a time needs at least one iteration"),
        ("0 objects: 5 in 0 us: \n", "at least one iteration"),
        ("0 objects: 5 in 5 us: \n0 objects: 5 in 5 us: \n", "line 2: it has a second time"),
        ("0 objects: 9999999 in 1 us: \n", "no Macintosh makes more than"),
        (f"0 objects: {'9' * 40} in 1 us: \n", "far too large"),
        ("macproof results 1\n", "CRC"),
        (b"\x00\x01\x02", "not a Mac file"),
    ],
)
def test_bad_files_are_refused(write, content, problem):
    with pytest.raises(InputError, match=problem):
        read_measured([write(content)], "four-shifts")


def test_a_file_that_is_not_there():
    with pytest.raises(InputError, match="cannot be read"):
        read_measured([Path("nowhere.txt")], "four-shifts")


def test_another_routine_has_no_times_here(write):
    with pytest.raises(InputError, match="no times of collider"):
        read_measured([write(with_checksum(result_lines()))], "collider")


@pytest.mark.parametrize("number", ["1e400", "-5", "2.5", "true", '"7"', "1" + "0" * 30, "null"])
def test_json_with_numbers_that_are_none(write, number):
    time = f'{{"routine": "four-shifts", "objects": {number}, "iterations": 1, "microseconds": 9}}'
    path = write(document(timings=[]).replace('"timings": []', f'"timings": [{time}]'), "r.json")
    with pytest.raises(InputError, match=r"r\.json.*(is damaged|number is negative)"):
        read_measured([path], "four-shifts")
