"""Campaigns end alike, whoever interrupts them and however many processes work on them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import InputError, UsageError
from emu.campaign import store
from emu.campaign.campaign import progress_of, report_of, run_campaign
from emu.campaign.report import CampaignReport
from emu.campaign.store import CampaignFullError, CampaignStore
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.verify.scenes.scene_plan import plan_scenes
from tests.processes import Family, wait_until

SCENES, SHARD, SEED = 130, 20, 1994
WORDS = ("--cpu", "68040", "--build", "O2", "--scenes", SCENES, "--shard", SHARD, "--jobs", 2)


def programs(case: Case, **choice: Any) -> Selection:
    return programs_of(case, cpus=["68040"], builds=["O2"], **choice)


def untimed(report: CampaignReport) -> str:
    return replace(report, seconds=0.0).to_json()


@pytest.fixture(scope="module")
def finished(case: Case, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, CampaignReport]:
    """A campaign that nobody interrupts, in its folder."""
    folder = tmp_path_factory.mktemp("campaign") / "whole"
    return folder, run_campaign(
        folder, programs(case), scenes=SCENES, seed=SEED, shard=SHARD, jobs=1
    )


@pytest.fixture
def whole(finished: tuple[Path, CampaignReport], tmp_path: Path) -> CampaignReport:
    """Its report; the folder ``whole`` of the test is a copy of its folder."""
    shutil.copytree(finished[0], tmp_path / "whole")
    return finished[1]


def test_shards_are_parts_of_one_plan(case: Case):
    parts = [
        spec
        for number in range(7)
        for spec in plan_scenes(case, min(20, 130 - 20 * number), 5, first=20 * number)
    ]
    assert parts == plan_scenes(case, 130, 5)


@pytest.mark.slow
def test_a_campaign_finds_what_verify_finds(case: Case, whole: CampaignReport, tmp_path: Path):
    from emu.verify.verification import verify

    report = verify(case, programs(case), scenes=SCENES, seed=SEED, jobs=1).report
    (result,), (total,) = report.results, whole.results
    assert (whole.verdict, whole.shards, whole.done) == ("verified", 7, 7)
    assert (total.calls, total.scenes) == (result.calls, result.scenes) == (235, SCENES)
    assert (total.comparisons, total.bytes_compared) == (result.comparisons, result.bytes_compared)
    assert total.changed_scenes == result.changed_scenes
    assert whole.distinct == result.distinct_scenes
    assert report.receipt.bulk_reference is not None
    # The sample of a campaign has more scenes than this one, so it has all of them.
    assert whole.agreed == SCENES
    assert 0 < whole.widened <= SCENES


@pytest.mark.slow
def test_the_number_of_processes_does_not_matter(case: Case, whole: CampaignReport, tmp_path: Path):
    settings = {"scenes": SCENES, "seed": SEED, "shard": SHARD}
    again = run_campaign(tmp_path / "two", programs(case), **settings, jobs=2)
    assert untimed(again) == untimed(whole)
    other = run_campaign(tmp_path / "other", programs(case), **(settings | {"seed": 7}), jobs=2)
    assert other.scenes_sha256 != whole.scenes_sha256
    assert other.answers_sha256 != whole.answers_sha256


def _done(folder: Path) -> int:
    """How many shards of a campaign are done."""
    with contextlib.suppress(InputError):
        return progress_of(folder).done
    return 0


def _kill_at_random(folder: Path, chance: random.Random) -> int:
    """Begin a campaign, kill some of its processes, and the first when a shard is done.

    Returns:
        How many worker processes were killed.
    """
    # The engine is named: the usual one is found by a process, which may be the first one killed.
    words = ("-m", "emu.cli", "campaign", "run", folder, "four-shifts", *map(str, WORDS))
    words = (*words, "--engine", "unicorn")
    killed = 0
    with Family(*words) as family:

        def begun_or_ended() -> bool:
            return bool(family.descendants()) or family.process.poll() is not None

        for _ in range(4):  # any process but the first is replaced
            wait_until(begun_or_ended, "worker processes have begun")
            with contextlib.suppress(ProcessLookupError, IndexError):
                os.kill(chance.choice(family.descendants()), signal.SIGKILL)
                killed += 1
            time.sleep(chance.uniform(0, 0.2))  # the whole campaign takes less than a second
        ends = time.monotonic() + 60
        while not _done(folder) and time.monotonic() < ends:
            time.sleep(0.05)
        family.process.kill()
        family.process.wait()
        wait_until(lambda: not family.members(), "the worker processes have ended, too")
    return killed


@pytest.mark.slow
def test_a_campaign_goes_on_whatever_is_killed(case: Case, whole: CampaignReport, tmp_path: Path):
    # Of thirteen runs on a busy machine one had no shard done after two minutes, which nobody has
    # understood yet; and of others one was at its end before a second process could be killed. So
    # a further folder is begun then, and one of them has to go on.
    for attempt in range(5):
        folder = tmp_path / f"killed {attempt}"
        killed = _kill_at_random(folder, random.Random(1994 + attempt))
        if killed > 1 and _done(folder):
            break
    assert killed > 1
    kept = _done(folder)
    seen: list[int] = []
    report = run_campaign(
        folder,
        programs(case),
        scenes=SCENES,
        seed=SEED,
        shard=SHARD,
        jobs=1,
        on_progress=lambda now: seen.append(now.done),
    )
    assert seen[0] == kept > 0
    assert seen[-1] == SCENES
    assert untimed(report) == untimed(whole)


@pytest.mark.slow
def test_what_is_done_is_not_done_again(case: Case, whole: CampaignReport, tmp_path: Path):
    database = sqlite3.connect(tmp_path / "whole" / "campaign.sqlite")
    database.execute("DELETE FROM shards WHERE number IN (2, 6)")
    database.commit()
    database.close()
    part = report_of(tmp_path / "whole")
    assert (part.verdict, part.done) == ("inconclusive", 5)
    assert part.document.outcome is not None
    assert "2 of 7 shards are still to be run" in part.document.outcome.caveat
    seen: list[int] = []
    report = run_campaign(
        tmp_path / "whole",
        programs(case),
        scenes=SCENES,
        seed=SEED,
        shard=SHARD,
        jobs=1,
        on_progress=lambda now: seen.append(now.done),
    )
    assert seen == [100, 120, 130]
    assert untimed(report) == untimed(whole)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scenes": 140}, "scenes is 130 there, not 140"),
        ({"seed": 1}, "seed is 1994 there, not 1"),
        ({"shard": 50}, "shard is 20 there, not 50"),
        ({"objects": (5,)}, "objects is [] there, not [5]"),
    ],
)
def test_another_campaign_in_the_folder_is_not_touched(
    case: Case, whole: CampaignReport, tmp_path: Path, changes: dict[str, Any], words: str
):
    settings = {"scenes": SCENES, "seed": SEED, "shard": SHARD} | changes
    with pytest.raises(UsageError) as refused:
        run_campaign(tmp_path / "whole", programs(case), **settings)
    assert words in str(refused.value)
    assert untimed(report_of(tmp_path / "whole")) == untimed(whole)


@pytest.mark.slow
def test_a_changed_file_of_the_case_is_another_campaign(
    tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68040")
    bounce = Path(__file__).parents[2] / "examples" / "bounce"
    shutil.copytree(bounce, tmp_path / "bounce", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "bounce" / "case.yaml"
    settings = {"scenes": 10, "seed": 1, "shard": 5, "jobs": 1}
    run_campaign(tmp_path / "c", programs(load_case(path)), **settings)
    path.write_text(path.read_text() + "# changed\n")
    with pytest.raises(UsageError, match=r"it has other files of the case: case\.yaml"):
        run_campaign(tmp_path / "c", programs(load_case(path)), **settings)


@pytest.mark.slow
def test_a_wrong_port_is_refuted_and_one_that_kills_the_engine_is_no_end(
    case: Case, broken_port: Callable[[str], str], tmp_path: Path, compilers: Callable[..., None]
):
    compilers("68040")
    found = {}
    for name in ("no shift 0h", "kills the engine late"):
        path = tmp_path / f"{name}.cpp"
        path.write_text(broken_port(name))
        folder = tmp_path / name
        chosen = programs(case, source=path)
        found[name] = run_campaign(folder, chosen, scenes=60, seed=1, shard=20, jobs=2)
        assert found[name].done == 3
    wrong = found["no shift 0h"]
    assert wrong.verdict == "refuted"
    failure = wrong.results[0].failures[0]
    texts = [text for part in wrong.document.sections[1].parts for text in part.texts]
    assert any(str(failure.scene) in text for text in texts)
    assert any(
        "macproof explain" in text and f"--seed {failure.scene.seed}" in text for text in texts
    )
    killed = found["kills the engine late"]
    assert killed.verdict == "inconclusive"
    assert "brought the engine's process down" in killed.results[0].undecided
    assert "(in shard 0)" in killed.results[0].undecided
    assert killed.answers_sha256 == wrong.answers_sha256


def test_a_full_disk_loses_nothing(case: Case, whole: CampaignReport, tmp_path: Path):
    with CampaignStore(tmp_path / "whole" / "campaign.sqlite") as store:
        shard = next(store.shards())
        store._database.execute("PRAGMA max_page_count = 1")
        large = replace(shard, number=99, inputs=bytes(10**6))
        with pytest.raises(CampaignFullError, match="full"):
            store.add(large, 1.0)
    assert untimed(report_of(tmp_path / "whole")) == untimed(whole)


@pytest.mark.parametrize("damage", ["text", "cut", "page", "shard", "plan", "schema", "empty"])
def test_a_damaged_campaign_is_an_error(whole: CampaignReport, tmp_path: Path, damage: str):
    path = tmp_path / "whole" / "campaign.sqlite"
    if damage in ("shard", "plan", "schema", "empty"):
        database = sqlite3.connect(path)
        database.execute(
            {
                "shard": "UPDATE shards SET inputs = zeroblob(160) WHERE number = 3",
                "plan": "UPDATE plan SET plan = replace(plan, '1994', '1995')",
                "schema": "UPDATE plan SET schema = 'macproof.campaign-store/9'",
                "empty": "DELETE FROM plan",
            }[damage]
        )
        database.commit()
        database.close()
    elif damage == "page":
        content = path.read_bytes()
        path.write_bytes(content[:8192] + bytes(4096) + content[12288:])
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        path.write_text("no database")
    damaged = path.read_bytes()
    with pytest.raises(InputError) as refused:
        report_of(path.parent)
    assert str(path) in str(refused.value)
    assert path.read_bytes() == damaged


@pytest.mark.slow
def test_the_command(macproof: Callable[..., Any], tmp_path: Path):
    folder, file = tmp_path / "c", tmp_path / "report.json"
    done = macproof("campaign", "run", folder, "four-shifts", *WORDS, "--json", file)
    assert done.code == 0
    assert "Shards: 7 of 7, of 20 scenes each" in done.out
    report = json.loads(file.read_text())
    assert report["schema"] == "macproof.campaign/1"
    assert report["verdict"] == "verified"
    status = macproof("campaign", "status", folder)
    assert re.match(
        r"130 of 130 scenes are done \(100\.0%\), in 0:00:\d\d; [\d.]+ scenes a second\.$",
        status.out,
    )
    again = macproof("campaign", "report", folder, "--junit", tmp_path / "junit.xml")
    assert again.code == 0
    assert re.search('name="68040 O2( on translated)?"', (tmp_path / "junit.xml").read_text())
    missing = macproof("campaign", "status", tmp_path / "none")
    assert missing.code == 2
    assert "there is no campaign. Begin one with macproof campaign run." in missing.err
    for words in (("run", folder), ("status", folder, "four-shifts")):
        wrong = macproof("campaign", *words)
        assert (wrong.code, wrong.out) == (2, "")
        assert "campaign run takes a folder and a case, the others a folder" in wrong.err
    other = macproof("campaign", "run", folder, "brute-force", *WORDS)
    assert other.code == 2
    assert "has another campaign: case is " in " ".join(other.err.split())


def test_a_cluster_needs_dask(
    macproof: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["campaign", "run", tmp_path / "c", "four-shifts", *WORDS[:-2], "--dask", "tcp://a:1"]
    missing = macproof(*words)
    assert missing.code == 3
    assert (
        "--dask needs Dask, which is not installed: pip install 'macproof[cluster]'" in missing.err
    )
    both = macproof(*words, "--jobs", 2)
    assert both.code == 2
    assert "--jobs is for this machine; with --dask the cluster has its own workers" in both.err


def _right_digests(path: Path, change: str) -> None:
    """Change a shard as somebody does who knows how its digest is made."""
    database = sqlite3.connect(path)
    *row, _ = database.execute("SELECT * FROM shards WHERE number = 3").fetchone()
    if change == "number":
        row[0] = 10**30 % (1 << 62)
    elif change == "no result":
        row[3] = "[]"
    elif change == "not a list":
        row[3] = "7"
    elif change == "large number":
        row[3] = re.sub(r":\d+", ":1e999", row[3], count=1)
    elif change == "deep":
        row[3] = "[" * 100_000
    else:
        row[3] = json.dumps([None, *json.loads(row[3])])
    database.execute("DELETE FROM shards WHERE number = 3")
    database.execute("INSERT INTO shards VALUES (?,?,?,?,?,?)", (*row, store._digest_of(*row)))
    database.commit()
    database.close()


@pytest.mark.parametrize(
    "change", ["number", "no result", "not a list", "large number", "deep", "one more"]
)
def test_right_digests_do_not_make_a_campaign_right(
    whole: CampaignReport, tmp_path: Path, change: str
):
    _right_digests(tmp_path / "whole" / "campaign.sqlite", change)
    with pytest.raises(InputError, match="the campaign is damaged"):
        report_of(tmp_path / "whole")
