"""``macproof timing --profile`` and ``--annotate``: where the cycles of a call go."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress

from rich.console import Console
from rich.text import Text

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.sources import source_tree
from emu.commands.outputs import output_file
from emu.commands.overwriting import Place
from emu.commands.timing_programs import Chosen, choose_programs, clock_of
from emu.timing.annotated_page import annotated_page
from emu.timing.comparison import CHOICE
from emu.timing.predict import Plan
from emu.timing.profile_report import make_profile_report
from emu.timing.profile_text import profile_lines
from emu.timing.profiling import SourceTexts, profile_programs, source_texts
from emu.timing.report import Report

_PAGE_SUFFIXES = (".html", ".htm")
# Outputs of the comparison with history, and what is put beside it: asking for one asks for it.
_OF_COMPARISON = ("json", "markdown", "plot", "events_plot", "measured", "harness")


@dataclass(frozen=True, slots=True)
class ProfileResult:
    """A profile, and the text of the sources it is of."""

    report: Report
    texts: SourceTexts

    def page(self) -> bytes:
        """The annotated page."""
        return annotated_page(self.report, self.texts).encode("utf-8", "backslashreplace")

    def show(self, console: Console, *, is_whole: bool) -> None:
        """Print it."""
        for line in profile_lines(self.report, self.texts, whole=is_whole):
            style = "bold" if line.endswith(":") else ""
            console.print(Text(line, style=style), soft_wrap=True)


def add_profile_options(parser: argparse.ArgumentParser) -> None:
    """``--profile --annotate``."""
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print where the cycles go, by function and by line, with the most objects, of the "
        f"build {CHOICE} if none is chosen; in place of the comparison, unless that is asked for "
        "too, as by --json",
    )
    parser.add_argument(
        "--annotate",
        type=output_file,
        metavar="FILE",
        help="write the same as a page (.html): the source with the cost of each line beside it",
    )


def wants_profile(arguments: argparse.Namespace) -> bool:
    """Whether a profile is asked for."""
    return arguments.profile or arguments.annotate is not None


def wants_comparison(arguments: argparse.Namespace) -> bool:
    """Whether the comparison is: always, but for a profile without any of its outputs."""
    return not wants_profile(arguments) or any(
        getattr(arguments, option) for option in _OF_COMPARISON
    )


def check_profile(arguments: argparse.Namespace) -> None:
    """Refuse a name that no browser would take for a page.

    Raises:
        UsageError: ``--annotate`` has another suffix.
    """
    path = arguments.annotate
    if path is not None and path.suffix.lower() not in _PAGE_SUFFIXES:
        raise UsageError(f"--annotate {path}: the page is HTML; let its name end in .html")


def places_written(arguments: argparse.Namespace) -> Iterator[Place]:
    """The page, if one is written."""
    if arguments.annotate is not None:
        yield Place("--annotate", arguments.annotate)


def make_profile_result(case: Case, plan: Plan, arguments: argparse.Namespace) -> ProfileResult:
    """Profile the programs that are meant.

    Raises:
        MacproofError: they cannot be had, or do not do what they should, or have no price.
    """
    chosen = _programs(case, arguments)
    clocks = {
        one.subject.cpu: clock_of(case, one.subject.cpu, arguments.mhz) for one in chosen.programs
    }
    profiled, unpriced = profile_programs(
        case, chosen.programs, chosen.built, plan, clocks, jobs=arguments.jobs
    )
    texts = source_texts(source_tree(case, arguments.source), [one.profile for one in profiled])
    report = make_profile_report(
        case,
        plan,
        profiled,
        texts,
        unpriced=unpriced,
        command=["macproof", *map(str, arguments.words)],
    )
    return ProfileResult(report, texts)


def _programs(case: Case, arguments: argparse.Namespace) -> Chosen:
    """The programs to be profiled: of one build if none is chosen, and of the given source only."""
    narrowed = argparse.Namespace(**vars(arguments))
    if not arguments.build and arguments.program is None:
        narrowed.build = [CHOICE if CHOICE in case.builds else next(iter(case.builds))]
    chosen = choose_programs(case, narrowed)
    if arguments.source is None or arguments.program is not None:
        return chosen
    mine = [one.source != case.sources[0] for one in chosen.programs]
    return replace(
        chosen,
        programs=tuple(compress(chosen.programs, mine)),
        built=tuple(compress(chosen.built, mine)),
    )
