"""What a case file says of its routine's work, for the posts."""

from __future__ import annotations

from pathlib import Path

import pytest

from emu.base.errors import CaseError
from emu.cases.case_file import read_case
from emu.cases.find import load_case
from posts.timing.events import Harness, TimedWork, work_of

BOUNCE = Path(__file__).parents[3] / "examples" / "bounce"


def test_a_case_says_what_its_work_is():
    work = work_of(load_case("four-shifts"))
    assert list(work.events) == ["sector visits", "insertions", "pairs tested"]
    assert work.also == {"hits": "hit_count"}
    assert work.harness == Harness("four-shifts", "TEST_SECONDS")
    assert work_of(load_case("blockmap")) == TimedWork({}, {}, None)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{moves: moves}", "{moves: 7}", "7 is not a text"),
        ("also:", "harness: {application: x}\n      also:", "the key seconds is missing"),
        ("also:", "alos:", "the key alos is not known; did you mean also?"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(tmp_path: Path, old: str, new: str, words: str):
    for one in BOUNCE.iterdir():
        if one.is_file():
            (tmp_path / one.name).write_bytes(one.read_bytes())
    path = tmp_path / "case.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(CaseError) as caught:
        work_of(read_case(path))
    assert words in str(caught.value) and ", line " in str(caught.value)
