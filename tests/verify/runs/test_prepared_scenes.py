"""What a single call is prepared with."""

from __future__ import annotations

from unittest.mock import patch

from emu.cases.find import load_case
from emu.verify.answers.answers import ask_reference
from emu.verify.runs.prepared_scenes import prepare
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_plan import plan_scenes


def test_the_donor_of_a_fill_is_asked_about_once() -> None:
    case = load_case("trivial-loops")
    specs = [one for one in plan_scenes(case, 40, 2026) if one.fill is Fill.STALE][:2]
    module = prepare.__module__
    with (
        patch.dict(f"{module}._donors", clear=True),
        patch(f"{module}.ask_reference", wraps=ask_reference) as asked,
    ):
        first, again, other = (prepare(case, spec) for spec in (specs[0], specs[0], specs[1]))
    assert asked.call_count == 2
    assert first.donor is again.donor
    assert other.donor is not first.donor
