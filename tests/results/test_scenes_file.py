"""The file of scenes: made, read, and every damage seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base.errors import InputError, UsageError
from emu.cases.keys.scene_name import SceneName
from emu.results.scenes_file import (
    default_plan,
    make_scenes_file,
    parse_scenes_file,
    read_scenes_file,
)
from emu.results.text_file import DamagedFileError, with_checksum
from pyref.scene import GENERATORS, make_scene

DEFAULT = make_scenes_file()
SMALL = make_scenes_file([SceneName("uniform", 2, 7), SceneName("neighbours", 1, 8)])


def _changed(old: str, new: str) -> bytes:
    """The small file with other words and a right checksum."""
    text = SMALL.decode("ascii")
    assert old in text
    return with_checksum(text.replace(old, new, 1).split("\r")[:-2])


def test_the_plan_has_every_generator_and_number_of_objects():
    plan = default_plan()
    # PortCheck has objects in the order of their corners.
    assert {p.generator for p in plan} == {*GENERATORS} - {"shuffled"}
    with pytest.raises(UsageError, match="shuffled, 5 objects, seed 1: PortCheck has its objects"):
        make_scenes_file([SceneName("shuffled", 5, 1)])
    assert {p.objects for p in plan} == {0, 1, 50, 100, 200}
    assert len(plan) == len(set(plan)) == 25
    assert len(DEFAULT) < 60 << 10


def test_scenes_are_those_of_the_generators():
    for scene in parse_scenes_file(DEFAULT).scenes:
        plan = scene.plan
        made = make_scene(plan.generator, plan.objects, plan.seed)
        assert np.array_equal(scene.corners, made.corners)
        assert (scene.width, scene.height) == (640, 480)


def test_the_same_plan_gives_the_same_bytes():
    assert make_scenes_file() == DEFAULT
    assert f"{parse_scenes_file(DEFAULT).crc:08x}" == "31e39e5a"  # results name it by this


plans = st.lists(
    st.builds(
        SceneName,
        st.sampled_from(sorted({*GENERATORS} - {"shuffled"})),
        st.integers(0, 12),
        st.integers(0, 2**64 - 1),
    ),
    min_size=1,
    max_size=6,
)


@given(plans, st.sampled_from([b"\r", b"\n", b"\r\n"]))
def test_what_is_written_is_read(plan, end_of_line):
    data = make_scenes_file(plan, end_of_line=end_of_line)
    found = parse_scenes_file(data)
    assert [scene.plan for scene in found.scenes] == plan
    assert found.crc == parse_scenes_file(make_scenes_file(plan)).crc


@given(st.integers(0, len(SMALL) - 1), st.integers(1, 255))
def test_any_byte_changed_is_seen(place, difference):
    data = bytearray(SMALL)
    data[place] ^= difference
    with pytest.raises(DamagedFileError):
        parse_scenes_file(bytes(data))


@given(st.integers(0, len(SMALL) - 1))
def test_any_end_missing_is_seen(length):
    with pytest.raises(DamagedFileError):
        parse_scenes_file(SMALL[:length])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("scenes 2", "scenes 3", "scene 2 is missing"),
        ("scenes 2", "scenes 1", "more than the scenes"),
        ("scenes 2", "scenes 0", "no scenes"),
        ("scenes 2", "scenes 99999", "number of scenes"),
        ("scene 1", "scene 0", "where 1 belongs"),
        ("uniform 2", "uniform 3", "is not x and y"),
        ("uniform", "Uniform", "beginning of scene 0"),
        ("640 480", "640 480 1", "beginning of scene 0"),
        ("640 480", "640 040", "beginning of scene 0"),
        ("uniform 2 7", "uniform 2 -7", "beginning of scene 0"),
        ("macproof scenes 1", "macproof scenes 2", "only 'macproof scenes 1' is known"),
    ],
)
def test_a_right_checksum_does_not_help(old, new, problem):
    with pytest.raises(DamagedFileError, match=problem):
        parse_scenes_file(_changed(old, new))


def test_plans_that_the_program_could_not_read_are_refused():
    with pytest.raises(UsageError, match="1 to 500 scenes"):
        make_scenes_file([])
    with pytest.raises(UsageError, match="up to 10,000 objects"):
        make_scenes_file([SceneName("uniform", 10_001, 1)])
    with pytest.raises(UsageError, match="bytes, and PortCheck reads up to"):
        make_scenes_file([SceneName("uniform", 10_000, 1)] * 6)
    with pytest.raises(UsageError, match="fails on"):
        make_scenes_file([SceneName("nobody", 1, 1)])


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_scenes_file(tmp_path / "missing")
    with pytest.raises(InputError, match="too large"):
        read_scenes_file(Path("/dev/zero"))
    other = tmp_path / "other"
    other.write_bytes(b"macproof results 1\rend 00000000\r")
    with pytest.raises(DamagedFileError, match="no such file"):
        read_scenes_file(other)
