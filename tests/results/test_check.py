"""Digests against the references."""

from __future__ import annotations

import numpy as np
import pytest

from emu.base.errors import InputError
from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.results.check import REFUTED, VERIFIED, check_results, digest, observed_state
from emu.results.results_file import parse_results_file
from emu.results.scenes_file import (
    default_scenes,
    make_scenes_file,
    parse_scenes_file,
)
from emu.results.text_file import DamagedFileError, with_checksum
from pyref.scene import make_scene
from pyref.sectors.four_shifts import determine_collisions


def _check(lines):
    return check_results(parse_results_file(with_checksum(lines)), default_scenes())


@pytest.mark.parametrize(
    ("state", "value"), [(b"", 0x811C9DC5), (b"a", 0xE40C292C), (b"foobar", 0xBF9CF968)]
)
def test_the_digest_is_fnv_1a(state, value):
    """Test vectors published by the algorithm's authors."""
    assert digest(state) == value


def test_the_observed_state_has_its_own_byte_order():
    scene = make_scene("clustered", 50, 3)
    found = determine_collisions(scene)
    state = observed_state(load_case("four-shifts"), found)
    assert len(state) == 200 + 2 * 99 + 2 * 50
    assert list(state[:200]) == found.flags.tolist()
    pointers = np.frombuffer(state[200:], ">u2").astype(int)
    pointers[pointers == 0xFFFF] = -1
    assert pointers.tolist() == [*found.sector_heads.ravel().tolist(), *found.sector_links.tolist()]


def test_right_digests_are_verified(lines):
    checked = _check(lines())
    assert (checked.verdict, checked.comparisons, checked.refutations) == (VERIFIED, 25, ())


def test_a_wrong_digest_is_refuted_with_its_scene(lines):
    changed = lines()
    place = next(i for i, line in enumerate(changed) if line.startswith("scene 7 "))
    changed[place] = changed[place][:-8] + "00000000"
    checked = _check(changed)
    assert (checked.verdict, checked.comparisons) == (REFUTED, 25)
    (wrong,) = checked.refutations
    assert "scene 7 (clustered, 100 objects, seed 1995)" in str(wrong)
    assert wrong.found == 0


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("scene 7 100 four-shifts", "scene 7 101 four-shifts", "has 101 objects here"),
        ("scene 24 200", "scene 25 200", r"scene 24 \(.*\) of four-shifts is missing"),
        ("time four-shifts 50 ", "time four-shifts 51 ", "no such scene"),
        ("four-shifts", "five-shifts", "a routine five-shifts, which is unknown"),
    ],
)
def test_edited_files_are_seen(lines, old, new, problem):
    with pytest.raises(DamagedFileError, match=problem):
        _check([line.replace(old, new) for line in lines()])


def test_scenes_too_many_are_seen(lines):
    made = lines()
    last = next(i for i, line in enumerate(made) if line.startswith("scene 24 "))
    extra = "scene 25 1 four-shifts 00000000"
    with pytest.raises(DamagedFileError, match="no scene 25"):
        _check([*made[: last + 1], extra, *made[last + 1 :]])


def test_missing_scenes_are_seen(lines):
    with pytest.raises(DamagedFileError, match="is missing"):
        _check([line for line in lines() if not line.startswith("scene 3 ")])


def test_other_scenes_are_named(lines):
    with pytest.raises(InputError, match=r"made with the scenes of CRC 00000000.*--scenes"):
        _check(lines({"scenes-crc": "00000000"}))


def test_scenes_too_large_for_a_routine_are_not_asked_of_it(lines):
    plan = [SceneName("uniform", 1, 1994), SceneName("uniform", 500, 1)]
    scenes = parse_scenes_file(make_scenes_file(plan))
    wanted = digest(
        observed_state(
            load_case("four-shifts"), determine_collisions(make_scene("uniform", 1, 1994))
        )
    )
    made = lines(
        {"scenes-crc": f"{scenes.crc:08x}"}, [f"scene 0 1 four-shifts {wanted:08x}"], times=()
    )
    checked = check_results(parse_results_file(with_checksum(made)), scenes)
    assert (checked.verdict, checked.comparisons) == (VERIFIED, 1)
