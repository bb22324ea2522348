"""The public functions of campaigns: run one, or go on with it, and report what it has found."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import CaseError, UsageError
from emu.campaign.cluster import shards_on_cluster
from emu.campaign.parcel import Parcel
from emu.campaign.plan import CampaignPlan
from emu.campaign.processes import shards_here
from emu.campaign.report import CampaignReport, make_campaign_report
from emu.campaign.shard import Shard, run_shard
from emu.campaign.store import FILE, CampaignStore
from emu.cases.case import DEFAULT_SEED
from emu.cases.files.python_files import changed_since
from emu.cases.programs.selection import Selection

DEFAULT_SHARD = 5000


@dataclass(frozen=True, slots=True)
class CampaignProgress:
    """How far a campaign is.

    Attributes:
        done: the number of scenes in finished shards.
        scenes: the number of all scenes.
        seconds: how long it has run, in seconds, over all interruptions.
    """

    done: int
    scenes: int
    seconds: float


def run_campaign(
    folder: Path,
    selection: Selection,
    *,
    scenes: int,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] = (),
    shard: int = DEFAULT_SHARD,
    jobs: int = 0,
    dask: str = "",
    on_progress: Callable[[CampaignProgress], None] = lambda progress: None,
) -> CampaignReport:
    """Run programs of a case on many scenes; if this was begun before, go on where it stopped.

    Args:
        folder: where the campaign is kept, in the file ``campaign.sqlite``. It is made if it is not
            there.
        selection: the programs, from `programs_of`.
        scenes: the number of scenes.
        seed: the seed of the first scene of each kind.
        objects: the numbers of objects in scenes; empty for those of the case.
        shard: the number of scenes that are kept together. An interruption loses at most those
            shards that were being worked on.
        jobs: the number of worker processes; 0 is one for each processor.
        dask: the address of a scheduler of Dask whose workers run the shards, in place of worker
            processes of this machine; "" for none.
        on_progress: called after each shard.

    Raises:
        UsageError: another campaign is in this folder.
        InputError: the campaign in it is damaged.
        CampaignFullError: a shard cannot be stored, for example because the disk is full.
        CaseError: a file of the case was changed since the campaign began.
        ToolMissingError: Dask is not installed.
        ClusterError: the scheduler or all workers are not there, or no longer.
    """
    plan = CampaignPlan.of(selection, scenes, seed, objects, shard)

    def shards(numbers: Iterable[int]) -> Generator[Shard]:
        if dask:
            return shards_on_cluster(dask, Parcel.of(plan, selection), numbers)
        work = functools.partial(run_shard, plan)
        return shards_here(work, numbers, selection.subjects, jobs)

    with _opened(folder, plan) as store:
        _run(plan, shards, store, on_progress)
        return make_campaign_report(store)


def _opened(folder: Path, plan: CampaignPlan) -> CampaignStore:
    path = folder / FILE
    if not path.exists():
        return CampaignStore.create(path, plan)
    store = CampaignStore(path)
    difference = plan.difference_from(store.plan)
    if not difference:
        changed = changed_since(Path(plan.case).parent, store.read)
        difference = f"it has other files of the case: {', '.join(changed)}" if changed else ""
    if difference:
        raise UsageError(
            f"{folder} has another campaign: {difference}. Run that one, or name another folder"
        )
    return store


def _run(
    plan: CampaignPlan,
    shards: Callable[[Iterable[int]], Generator[Shard]],
    store: CampaignStore,
    on_progress: Callable[[CampaignProgress], None],
) -> None:
    finished = store.numbers()
    done = sum(map(plan.size_of, finished))
    before, began = store.seconds(), time.monotonic()
    last = began
    on_progress(CampaignProgress(done, plan.scenes, before))
    unfinished = (number for number in range(plan.shards) if number not in finished)
    with contextlib.closing(shards(unfinished)) as run:
        for shard in run:
            now = time.monotonic()
            _require_unchanged(plan, shard)
            store.add(shard, now - last)
            last = now
            done += plan.size_of(shard.number)
            on_progress(CampaignProgress(done, plan.scenes, before + now - began))


def _require_unchanged(plan: CampaignPlan, shard: Shard) -> None:
    """Raise CaseError if a file was changed that the case's Python has read for a shard."""
    case = Path(plan.case)
    read = {file for result in shard.results for file in result.read}
    for name in changed_since(case.parent, sorted(read)):
        raise CaseError(case, f"{name} was changed since the campaign began")


def report_of(folder: Path) -> CampaignReport:
    """What the campaign in a folder has found so far.

    Raises:
        InputError: there is none, or it is damaged.
    """
    with CampaignStore(folder / FILE) as store:
        return make_campaign_report(store)


def engines_of(folder: Path) -> tuple[str, ...]:
    """The names of the engines of the campaign that a folder has; none if it has no campaign.

    Raises:
        InputError: the campaign is damaged.
    """
    if not (folder / FILE).is_file():
        return ()
    with CampaignStore(folder / FILE) as store:
        return store.plan.engines


def progress_of(folder: Path) -> CampaignProgress:
    """How far the campaign in a folder is.

    Raises:
        InputError: there is none, or it is damaged.
    """
    with CampaignStore(folder / FILE) as store:
        done = sum(map(store.plan.size_of, store.numbers()))
        return CampaignProgress(done, store.plan.scenes, store.seconds())
