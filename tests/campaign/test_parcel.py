"""A campaign travels as a parcel: another machine has nothing of it but these bytes."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from emu.base.errors import UsageError
from emu.campaign import parcel
from emu.campaign.parcel import Parcel, RefusedError, UnpackedCampaign, run_unpacked, unpack
from emu.campaign.plan import CampaignPlan
from emu.campaign.shard import Shard, run_shard
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.machine.engine.base.models import describe_engine

EXAMPLES = Path(__file__).parents[2] / "examples"


def copied(name: str, folder: Path) -> Case:
    """An example in a folder that the test may remove."""
    place = folder / name
    shutil.copytree(EXAMPLES / name, place, ignore=shutil.ignore_patterns("__pycache__"))
    return load_case(place / "case.yaml")


def packed(case: Case) -> tuple[CampaignPlan, Parcel]:
    selection = programs_of(case, cpus=["68040"], builds=list(case.builds)[-1:])
    plan = CampaignPlan.of(selection, 20, 1, (), 10)
    return plan, Parcel.of(plan, selection)


def packed_again(campaign: UnpackedCampaign, number: int) -> Shard:
    return campaign.as_sent(run_unpacked(campaign, number, campaign.subjects))


@pytest.mark.parametrize(
    "name",
    [
        "bounce",  # it has Python files of its own
        pytest.param("old-and-new", marks=pytest.mark.slow),  # its reference is a program
        pytest.param("old-application", marks=pytest.mark.slow),  # its program is there already
    ],
)
def test_a_shard_runs_without_the_senders_files(
    name: str, tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68040")
    case = copied(name, tmp_path)
    plan, sent = packed(case)
    here = run_shard(plan, 1, sent.subjects)
    shutil.rmtree(case.path.parent)
    campaign = unpack(pickle.dumps(sent))
    assert packed_again(campaign, 1) == here
    assert here.results[0].subject == sent.subjects[0]
    assert here.results[0].verdict == "verified"
    assert unpack(pickle.dumps(sent)) is campaign


def test_messages_name_the_senders_paths(tmp_path: Path, compilers: Callable[..., None]):
    compilers("68040")
    case = copied("bounce", tmp_path)
    path = case.path.parent / "bounce_reference.py"
    path.write_text(f"{path.read_text()}\n\ndef move_balls(scene):\n    raise ValueError('no')\n")
    _, sent = packed(load_case(case.path))
    campaign = unpack(pickle.dumps(sent))
    with pytest.raises(UsageError, match=r"ValueError: no") as refused:
        run_unpacked(campaign, 0, campaign.subjects)
    assert str(path) in str(refused.value)
    assert str(campaign.folder) not in str(refused.value)


def changed(campaign: UnpackedCampaign, **changes: object) -> UnpackedCampaign:
    return replace(campaign, plan=replace(campaign.plan, **changes))


def test_a_machine_that_would_find_something_else_is_refused(case: Case):
    plan, sent = packed(case)
    assert [name for name, _ in sent.files if "pyref" in name] == []
    campaign = unpack(pickle.dumps(sent))
    assert run_unpacked(campaign, 1, campaign.subjects).results[0].verdict == "verified"
    words = f"it has the engine {describe_engine()}, and the campaign unicorn 0"
    with pytest.raises(RefusedError, match=words):
        run_unpacked(changed(campaign, engine="unicorn 0"), 1, campaign.subjects)
    name = "pyref/sectors/four_shifts.py"
    files = MappingProxyType({**plan.files, name: "0" * 64})
    with pytest.raises(RefusedError, match=f"it has another text of {name} than the campaign"):
        run_unpacked(changed(campaign, files=files), 1, campaign.subjects)
    Path(campaign.plan.case).write_text("name: broken\n")
    parcel._require_same.cache_clear()
    with pytest.raises(RefusedError, match=r"it cannot read the case: .*is missing"):
        run_unpacked(campaign, 1, campaign.subjects)
