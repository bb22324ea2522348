"""Findings files are read strictly, and what is wrong in one is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from posts.findings.read import read_findings

GOOD = """\
schema: macproof.findings/1
post: somebody, 1994
make: pyref.scene:scene_from_corners
findings:
  - id: X1
    title: A defect
    says: What goes wrong.
    steps:
      - name: one way
        as_described: {case: four-shifts}
        scene: {rows: [[-40, 10], [-45, 12]]}
        shows: {"gCollisionArray[0]": 0}
        corrected: {case: four-shifts-corrected}
        right: {"gCollisionArray[0]": 1}
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "findings.yaml"
    path.write_text(text)
    return path


def test_what_a_file_says(tmp_path: Path):
    file = read_findings(write(tmp_path, GOOD))
    (finding,) = file.findings
    (step,) = finding.steps
    assert (file.post, finding.post, finding.id) == ("somebody, 1994", "somebody, 1994", "X1")
    assert finding.case_names == {"four-shifts", "four-shifts-corrected"}
    assert step.described.scenes[0].objects == 2
    assert step.corrected is not None
    assert step.corrected.facts == {"gCollisionArray[0]": 1}
    assert step.described.setup.also == ("gCollisionArray",)
    assert step.input == "[[-40, 10], [-45, 12]]"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("    title:", "    titel:", 6, "did you mean title?"),
        ("        shows:", "        show:", 12, "did you mean shows?"),
        ("{case: four-shifts}", "{case: four-shift}", 10, "did you mean four-shifts?"),
        ("schema: macproof.findings/1", "schema: macproof.case/1", 1, "macproof.findings/1"),
        ("  - id: X1", "  - id: first", 5, "first"),
        ("rows: [[-40, 10], [-45, 12]]", "rows: [[-40, 10, 1]]", 10, "shape"),
        ("rows: [[-40, 10], [-45, 12]]", "objects: 3", 10, "either rows or a generator"),
        ("rows: [[-40, 10], [-45, 12]]", "generator: even", 10, "unknown generator"),
        ("make: pyref.scene:", "make: pyref.scenes:", 10, "cannot be imported"),
        ("{case: four-shifts}", "{case: four-shifts, judge: 'pyref.scene:no'}", 10, "no"),
        ("{case: four-shifts}", "{case: four-shifts, keep: [no.cpp]}", 10, "has no source no.cpp"),
        (
            "{case: four-shifts}",
            "{case: four-shifts, point: {gX: 'a b'}}",
            10,
            "is no location in memory",
        ),
        ("{case: four-shifts}", "{case: four-shifts, hosted: no.cpp}", 9, "both forms"),
        ('"gCollisionArray[0]": 0', '"stored 9": true', 12, "is no location in memory"),
        ("      - name: one way", "      - cpus: [mips]", 9, "is not for a mips"),
        ("      - name: one way", "      - builds: [O7]", 9, "there is no build O7"),
        ("        right: {", "        claimed: {", 9, "needs either corrected and right"),
        (
            "        corrected: {case: four-shifts-corrected}\n",
            "",
            9,
            "needs either corrected and right",
        ),
        ("    steps:", "    not_run: It is read.\n    steps:", 5, "needs either steps"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, words: str
):
    assert GOOD.count(old) == 1
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(CaseError) as caught:
        read_findings(path)
    assert words in str(caught.value)
    assert f"line {line}" in str(caught.value)


def test_numbers_are_each_given_once(tmp_path: Path):
    finding = GOOD.partition("findings:\n")[2]
    with pytest.raises(CaseError, match="there are two X1"):
        read_findings(write(tmp_path, GOOD + finding))


def test_rows_can_be_repeated_and_scenes_made_from_seeds(tmp_path: Path):
    repeated = GOOD.replace("[[-40, 10], [-45, 12]]}", "[[8, 8]], repeat: 50}")
    (finding,) = read_findings(write(tmp_path, repeated)).findings
    assert finding.steps[0].described.scenes[0].objects == 50
    assert finding.steps[0].input == "[[8, 8]], 50 times"
    seeded = GOOD.replace(
        "rows: [[-40, 10], [-45, 12]]", "generator: uniform, objects: 3, seeds: 2"
    )
    (finding,) = read_findings(write(tmp_path, seeded)).findings
    assert [scene.seed for scene in finding.steps[0].described.scenes] == [0, 1]
    assert finding.steps[0].input == "uniform, 3 objects, seeds 0 to 1"
