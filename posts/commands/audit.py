"""``macproof audit``: measure the numeric claims of the posts, and judge them by stated rules."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from emu.base.yaml_document import did_you_mean
from emu.commands.interface.numbers import add_jobs_option
from emu.commands.interface.options import add_programs_option
from emu.commands.interface.outputs import (
    add_report_options,
    output_folder,
    publish,
    report_files,
    report_places,
)
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.commands.interface.progress import counted_progress
from emu.report.forms.terminal import say
from macproof import UsageError
from posts.audit.claims import Claim, ClaimPlot, Post, load_posts
from posts.audit.document import audit_document
from posts.audit.report import make_report
from posts.audit.run import audit


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="only these claims (default: all); --list names them",
    )
    parser.add_argument(
        "--post",
        nargs="+",
        action="extend",
        default=[],
        metavar="NUMBER",
        help="only claims of these posts, such as 001",
    )
    parser.add_argument("--list", action="store_true", help="name the claims, and measure nothing")
    add_programs_option(parser)
    add_jobs_option(parser)
    add_report_options(parser)
    parser.add_argument(
        "--plots", type=output_folder, metavar="FOLDER", help="draw plots into this folder, as png"
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Measure the claims, judge them and print the verdicts; 0 if all could be measured."""
    posts = load_posts(arguments.post)
    claims = _named_claims(posts, arguments.claims)
    if arguments.list:
        for claim in claims:
            say(console, f"{claim.post}  {claim.id}: {claim.says}")
        return 0
    # Plots show whole posts. Their series take time, so they are measured only if asked for.
    files = report_files(arguments)
    is_written = files.json or files.markdown or files.html or arguments.plots
    plots = [plot for post in posts for plot in post.plots if is_written and not arguments.claims]
    if arguments.plots and not plots:
        raise UsageError("--plots draws plots of whole posts; leave out the names of claims")
    pictures = _pictures(arguments, plots)
    refuse_overwriting(
        _output_files(arguments, pictures.values()),
        (NamedFile("the claims", post.path) for post in posts),
    )
    began = time.monotonic()
    with counted_progress(arguments) as progress:
        task = progress.add_task("measuring", total=len(claims))
        audited = audit(
            posts,
            claims,
            plots,
            jobs=arguments.jobs,
            programs=arguments.programs,
            on_progress=lambda count: progress.advance(task, count),
        )
    report = make_report(
        audited,
        command=arguments.command_line,
        programs=arguments.programs,
        seconds=time.monotonic() - began,
    )
    document = audit_document(report)
    publish(document, arguments, console, pictures, names_files=True)
    return max(answer.exit_code for answer in audited.answers)


def _named_claims(posts: Sequence[Post], names: Sequence[str]) -> list[Claim]:
    """The claims of the given names, or all, in the order of the posts.

    Raises:
        UsageError: there is no claim of a name.
    """
    claims = [claim for post in posts for claim in post.claims]
    ids = [claim.id for claim in claims]
    for name in names:
        if name not in ids:
            close = did_you_mean(name, ids).partition("; there are")[0]
            raise UsageError(f"there is no claim {name}{close or '; --list names them'}")
    return [claim for claim in claims if not names or claim.id in names]


def _pictures(arguments: argparse.Namespace, plots: Sequence[ClaimPlot]) -> dict[str, Path]:
    """The file to draw each plot into."""
    if arguments.plots is None:
        return {}
    return {plot.id: arguments.plots / f"{plot.id}.png" for plot in plots}


def _output_files(arguments: argparse.Namespace, pictures: Iterable[Path]) -> Iterator[NamedFile]:
    yield from report_places(arguments)
    yield from (NamedFile("--plots", path) for path in pictures)
