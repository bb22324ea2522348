"""The shards of a campaign run on the workers of a Dask cluster, whose machines may come and go."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from emu.base.errors import MacproofError
from emu.campaign import cluster as on_cluster
from emu.campaign.campaign import CampaignProgress, progress_of, run_campaign
from emu.campaign.cluster import ClusterError
from emu.campaign.parcel import RefusedError
from emu.campaign.report import CampaignReport
from emu.cases.case import Case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from tests.processes import Family, wait_until

pytest.importorskip("distributed", reason="needs Dask: pip install 'macproof[cluster]'")
pytestmark = pytest.mark.slow

SETTINGS: dict[str, Any] = {"scenes": 260, "seed": 1994, "shard": 20}
QUIET = {"DASK_LOGGING__DISTRIBUTED": "critical"}
OTHER_VERSION = """
import emu
emu.__version__ = "0.0.1"
from distributed.cli.dask_worker import main
main()
"""


def programs(case: Case, **choice: Any) -> Selection:
    return programs_of(case, cpus=["68040"], builds=["O2"], **choice)


def untimed(report: CampaignReport) -> str:
    return replace(report, seconds=0.0).to_json()


def kill(family: Family) -> None:
    for member in family.members():
        with contextlib.suppress(ProcessLookupError):  # it has ended since
            os.kill(member, signal.SIGKILL)


class Cluster:
    """A scheduler on this machine and its workers, as many as are started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.scheduler = Family(
            "-m", "distributed.cli.dask_scheduler", *words, "--scheduler-file", self._file, **QUIET
        )
        self.families = [self.scheduler]
        wait_until(self._file.is_file, "the scheduler has begun")
        self.address = str(json.loads(self._file.read_text())["address"])

    def add_worker(self, *python: str) -> Family:
        """Start a worker of two threads; `python` is given to Python in place of its module."""
        worker = Family(
            *(python or ("-m", "distributed.cli.dask_worker")),
            *(self.address, "--nthreads", "2", "--no-dashboard"),
            *("--local-directory", self._folder),
            **QUIET,
        )
        self.families.append(worker)
        return worker


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    for family in reversed(made.families):
        family.__exit__()


@pytest.fixture(scope="module")
def whole(case: Case, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of the campaign, run on this machine."""
    folder = tmp_path_factory.mktemp("here")
    return untimed(run_campaign(folder / "whole", programs(case), **SETTINGS, jobs=1))


def test_two_workers_of_which_one_is_killed(
    case: Case, cluster: Cluster, whole: str, tmp_path: Path
):
    killed = [cluster.add_worker(), cluster.add_worker()][:1]
    seen: list[int] = []

    def on_progress(now: CampaignProgress) -> None:
        seen.append(now.done)
        if now.done >= 40 and killed:
            kill(killed.pop())

    report = run_campaign(
        tmp_path / "c", programs(case), **SETTINGS, dask=cluster.address, on_progress=on_progress
    )
    assert not killed
    assert seen == list(range(0, 261, 20))
    assert untimed(report) == whole


def test_a_scheduler_that_is_lost_ends_the_run_and_not_the_campaign(
    case: Case, cluster: Cluster, whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(on_cluster, "_PATIENCE", 5.0)
    connected = on_cluster._connected

    def impatient(address: str) -> Any:
        client = connected(address)
        client._timeout = 2.0  # so long it tries to reach the scheduler again: 30 s, as it began
        return client

    monkeypatch.setattr(on_cluster, "_connected", impatient)
    cluster.add_worker()

    def on_progress(now: CampaignProgress) -> None:
        if now.done >= 40:
            kill(cluster.scheduler)

    with pytest.raises(ClusterError, match=r"was lost\. What was done is kept; run the campaign"):
        run_campaign(
            tmp_path / "c",
            programs(case),
            **SETTINGS,
            dask=cluster.address,
            on_progress=on_progress,
        )
    assert 40 <= progress_of(tmp_path / "c").done < 260
    assert untimed(run_campaign(tmp_path / "c", programs(case), **SETTINGS, jobs=1)) == whole


def test_workers_that_all_end_are_told(
    case: Case, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(on_cluster, "_PATIENCE", 5.0)
    worker = cluster.add_worker()

    def on_progress(now: CampaignProgress) -> None:
        if now.done >= 40:
            kill(worker)

    settings = SETTINGS | {"dask": cluster.address, "on_progress": on_progress}
    with pytest.raises(ClusterError, match=r"all workers of tcp://\S+ have ended\. What was done"):
        run_campaign(tmp_path / "c", programs(case), **settings)
    monkeypatch.setattr(on_cluster, "_PATIENCE_AT_START", 1.0)
    with pytest.raises(ClusterError, match=r"has no workers\. Start some: dask worker tcp://"):
        run_campaign(tmp_path / "c", programs(case), **settings)


class NoWorkers:
    """A client of a scheduler whose workers have ended, and a future that is made again there."""

    status = "pending"

    def submit(self, *_: Any, **more: Any) -> NoWorkers:
        return self

    def nthreads(self) -> dict[str, int]:
        return {}

    def result(self, timeout: float) -> None:
        raise TimeoutError


def test_a_shard_whose_worker_ended_before_it_was_fetched_is_not_waited_for():
    lost = NoWorkers()
    run = on_cluster._Run(lost, "tcp://127.0.0.1:9", b"")
    with pytest.raises(ClusterError, match=r"all workers of tcp://\S+ have ended"):
        run._result(lost, 0)
    lost.status = "error"
    with pytest.raises(ClusterError, match="a worker cannot run shards: TimeoutError"):
        run._result(lost, 0)


def test_a_worker_with_another_macproof_is_refused(case: Case, cluster: Cluster, tmp_path: Path):
    cluster.add_worker("-c", OTHER_VERSION, "--no-nanny")
    words = r"the worker tcp://\S+ is refused: it has macproof 0\.0\.1, and the campaign "
    with pytest.raises(RefusedError, match=words):
        run_campaign(tmp_path / "c", programs(case), **SETTINGS, dask=cluster.address)


def test_a_guest_that_kills_the_engine_is_a_result_on_a_cluster_too(
    case: Case,
    cluster: Cluster,
    broken_port: Callable[[str], str],
    tmp_path: Path,
    compilers: Callable[..., None],
):
    compilers("68040")
    path = tmp_path / "kills.cpp"
    path.write_text(broken_port("kills the engine late"))
    cluster.add_worker()
    chosen, settings = programs(case, source=path), {"scenes": 60, "seed": 1, "shard": 20}
    here = run_campaign(tmp_path / "here", chosen, **settings, jobs=2)
    there = run_campaign(tmp_path / "there", chosen, **settings, dask=cluster.address)
    assert "brought the engine's process down" in there.results[0].undecided
    assert untimed(there) == untimed(here)


def test_no_scheduler_is_told(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(on_cluster, "_PATIENCE_AT_START", 1.0)
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://", "http://a:1"):
        with pytest.raises(MacproofError, match=f"no scheduler of Dask answers at {address}"):
            run_campaign(tmp_path / "c", programs(case), **SETTINGS, dask=address)
