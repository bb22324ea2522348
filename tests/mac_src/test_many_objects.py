"""The four shifts of 1994 with larger arrays: the same routine, for up to 2,000 objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from emu.verify.runs.schedule import verify
from emu.verify.runs.verdicts import REFUTED, VERIFIED
from emu.verify.scenes.scene_plan import plan_scenes
from tests.mac_src.ports import MACS, changed_case, subject, verify_case

NAME = "four-shifts-many"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def every_compiler(compilers: Callable[..., None]) -> None:
    compilers(*MACS)


def test_it_is_verified_everywhere():
    for result in verify_case(NAME, 12, [0, 1, 200, 201, 500]):
        assert result.verdict == VERIFIED, f"{result.subject}: {result.failures}"
        assert result.scenes == 12


BAD = {
    "only 200 flags are cleared": ("sizeof gCollisionArray);\n}", "200);\n}"),
    "one of two is flagged": ("{\n                gCollisionArray[b - gObjects] = 1;", "{"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_port_is_refuted(bad: str, tmp_path: Path):
    old, new = BAD[bad]
    case = changed_case(NAME, {old: new}, tmp_path / "bad")
    subjects = [subject(case, cpu) for cpu in MACS]
    for result in verify(case, subjects, plan_scenes(case, 6, 1994, [500]), jobs=1):
        assert result.verdict == REFUTED
