"""``macproof campaign``: verify on very many scenes, in shards, and go on after an interruption."""

from __future__ import annotations

import argparse
from datetime import timedelta
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.campaign.campaign import (
    DEFAULT_SHARD,
    CampaignProgress,
    engines_of,
    progress_of,
    report_of,
    run_campaign,
)
from emu.campaign.plan import require_scenes
from emu.campaign.report import CampaignReport
from emu.cases.case import DEFAULT_SEED
from emu.cases.find import load_case
from emu.cases.programs.selection import Selection
from emu.commands.interface.numbers import add_jobs_option, add_number_option, whole_number
from emu.commands.interface.options import (
    add_engine_option,
    add_program_options,
    object_counts,
    select_on_engines,
)
from emu.commands.interface.outputs import add_report_options, publish
from emu.commands.interface.progress import counted_progress
from emu.commands.verify import EXIT_CODES
from emu.engines.registry import UNICORN
from emu.engines.usual_engine import usual_engine
from emu.report.forms.terminal import say


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "action",
        choices=("run", "status", "report"),
        help="run it, or go on with it; say how far it is; report what it has found so far",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the campaign is kept")
    parser.add_argument("case", nargs="?", metavar="CASE", help="for run: name, folder or file")
    add_program_options(parser)
    add_engine_option(parser, "translated where that is possible, else unicorn")
    parser.add_argument(
        "--scenes",
        type=whole_number,
        default=1_000_000,
        metavar="N",
        help="how many scenes (default: 1,000,000)",
    )
    add_number_option(parser, "--seed", DEFAULT_SEED, "seed of the first scene of each kind")
    parser.add_argument(
        "--objects",
        type=object_counts,
        default=[],
        metavar="N,N,...",
        help="numbers of objects (default: the case's)",
    )
    add_number_option(parser, "--shard", DEFAULT_SHARD, "scenes that are kept together")
    add_jobs_option(parser)
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="run the shards on the cluster of this scheduler, such as tcp://10.0.0.1:8786",
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Do what was asked for; the verdict decides the exit code."""
    if (arguments.action == "run") != (arguments.case is not None):
        raise UsageError("macproof campaign run takes a folder and a case, the others a folder")
    if arguments.action == "status":
        say(console, _status(progress_of(arguments.folder)))
        return 0
    report = report_of(arguments.folder) if arguments.action == "report" else _run(arguments)
    publish(report.document, arguments, console)
    return EXIT_CODES[report.verdict]


def _run(arguments: argparse.Namespace) -> CampaignReport:
    if arguments.jobs and arguments.dask:
        raise UsageError("--jobs is for this machine; with --dask the cluster has its own workers")
    require_scenes(arguments.scenes, arguments.shard)
    selection = select_on_engines(
        load_case(arguments.case), arguments, lambda programs: _usual_engines(arguments, programs)
    )
    with counted_progress(arguments, "scenes", has_words=True) as bar:
        task = bar.add_task(selection.case.name, total=arguments.scenes, words="")
        return run_campaign(
            arguments.folder,
            selection,
            scenes=arguments.scenes,
            seed=arguments.seed,
            objects=arguments.objects,
            shard=arguments.shard,
            jobs=arguments.jobs,
            dask=arguments.dask,
            on_progress=lambda now: bar.update(task, completed=now.done, words=_rate(now)),
        )


def _usual_engines(arguments: argparse.Namespace, programs: Selection) -> tuple[str, ...]:
    """The engines of a campaign that goes on, or the usual one of a new campaign.

    A cluster's computers may differ from this one, so there Unicorn is the usual engine.
    """
    begun = engines_of(arguments.folder)
    if begun:
        return begun
    if arguments.dask:
        return (UNICORN,)
    return (usual_engine(built.cpu for built in programs.built),)


def _status(now: CampaignProgress) -> str:
    share, took = now.done / now.scenes, timedelta(seconds=int(now.seconds))
    words = f"{now.done:,} of {now.scenes:,} scenes are done ({share:.1%}), in {took}"
    rate = _rate(now)
    return f"{words}; {rate}." if rate else f"{words}."


def _rate(now: CampaignProgress) -> str:
    """How fast it runs and when it ends, as in "270 scenes a second, 1:02:03 left"; "" at first."""
    if not now.done or not now.seconds:
        return ""
    rate = now.done / now.seconds
    remaining = timedelta(seconds=round((now.scenes - now.done) / rate))
    words = f"{rate:,.{0 if rate >= 10 else 1}f} scenes a second"
    return f"{words}, {remaining} left" if remaining else words
