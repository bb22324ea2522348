"""Options that several commands share, and the programs that they select."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from emu.base.errors import CaseError, CompileError, UsageError
from emu.cases.case import DEFAULT_SCENES, DEFAULT_SEED, Case
from emu.cases.find import default_case, load_case
from emu.cases.programs.programs import given_program, programs_of
from emu.cases.programs.selection import Selection
from emu.commands.interface.compilers import add_compiler_option, add_toolchain_option
from emu.commands.interface.numbers import add_jobs_option, add_number_option, whole_number
from emu.commands.interface.overwriting import NamedFile, places_of, places_of_case
from emu.commands.interface.source_options import (
    SourceAction,
    add_header_options,
    headers_of_options,
    source_files,
)
from emu.engines.registry import ENGINES
from emu.machine.calls.batch import USUAL_INSTRUCTIONS
from emu.machine.cpu import CPUS
from emu.program.mac_file.mac_file import host_files
from emu.toolchain.builds import ALL_TARGETS
from emu.toolchain.sanitizers import SANITIZERS

MOST_SCENES = 1_000_000
MOST_OBJECTS = 100_000  # as in the schema of case files


def scene_count(text: str) -> int:
    """Read a number of scenes.

    Raises:
        argparse.ArgumentTypeError: the text is not a number, or more than a run can hold.
    """
    return _at_most(MOST_SCENES, text)


def object_count(text: str) -> int:
    """Read a number of objects.

    Raises:
        argparse.ArgumentTypeError: the text is not a number, or more than any case allows.
    """
    return _at_most(MOST_OBJECTS, text)


def object_counts(text: str) -> list[int]:
    """Read numbers of objects with commas between them, such as "10,20,50"."""
    return [object_count(part) for part in text.split(",")]


def _at_most(limit: int, text: str) -> int:
    number = whole_number(text)
    if number > limit:
        raise argparse.ArgumentTypeError(f"{text} is more than {limit:,}")
    return number


def add_case_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the case that a command is about; `chosen_case` loads it."""
    parser.add_argument(
        "case",
        nargs="?",
        metavar="CASE",
        help="case name, folder or file (default: the one whose file says default: true)",
    )


def chosen_case(arguments: argparse.Namespace) -> Case:
    """The case that is asked for."""
    return default_case() if arguments.case is None else load_case(arguments.case)


def files_of_cases(
    cases: Iterable[Case], arguments: argparse.Namespace, *options: str
) -> Iterator[NamedFile]:
    """The files that a command reads: its cases, their sources, and what its options name.

    Args:
        cases: the cases.
        arguments: the command line.
        options: options that name further files, such as "equivalent".
    """
    yield from places_of(arguments, *options)
    yield from (NamedFile("--source", path) for path in source_files(arguments.source))
    if arguments.program is not None:
        yield from (NamedFile("--program", file) for file in host_files(arguments.program))
    for case in cases:
        yield from places_of_case(case, f"case {case.name}", f"the source of {case.name}")


def add_programs_option(
    parser: argparse.ArgumentParser,
    default: str | None = "auto",
    in_words: str = "compiled for each processor with a compiler",
) -> None:
    """Declare ``--programs``: where programs come from."""
    parser.add_argument(
        "--programs",
        choices=["auto", "compiled", "prebuilt"],
        default=default,
        help=f"where programs come from (default: {in_words})",
    )
    add_compiler_option(parser)


def add_program_options(
    parser: argparse.ArgumentParser,
    *,
    programs: str | None = "auto",
    has_toolchain: bool = True,
    programs_default: str = "compiled for each processor with a compiler",
) -> None:
    """Declare ``--cpu``, ``--build``, ``--source``, ``--program`` and ``--programs``.

    Args:
        parser: the parser of a command.
        programs: the default of ``--programs``.
        has_toolchain: whether it also gets ``--toolchain``, which `build` declares for itself.
        programs_default: this default in words, for the help text.
    """
    parser.add_argument(
        "--cpu",
        action="append",
        choices=list(CPUS),
        help="only this processor; may be repeated (default: those of the case)",
    )
    parser.add_argument(
        "--build",
        action="append",
        metavar="BUILD",
        help="only this build: O0 O1 O2 Os period, or one of the case's; may be repeated",
    )
    parser.add_argument(
        "--source",
        action=SourceAction,
        metavar="[NAME=]FILE",
        help="compile this C++, C or assembler file in place of the case's own; with NAME= in "
        "place of this one of them, may be repeated",
    )
    add_header_options(parser)
    parser.add_argument(
        "--program",
        type=Path,
        metavar="FILE",
        help="run this program as it is: ELF, XCOFF, PEF, or a Mac application in MacBinary, "
        "AppleDouble or a disk image; needs exactly one --cpu",
    )
    add_programs_option(parser, programs, programs_default)
    if has_toolchain:
        add_toolchain_option(parser)


def add_engine_option(
    parser: argparse.ArgumentParser,
    default: str = "unicorn, with translated code where that pays",
) -> None:
    """Declare ``--engine``: what executes the programs; several make each program run on each."""
    parser.add_argument(
        "--engine",
        action="append",
        choices=list(ENGINES),
        help=f"what executes the programs; may be repeated (default: {default})",
    )


def sanitizer_names(text: str, further: Sequence[str] = ()) -> list[str]:
    """Read names of sanitizers with commas between them, such as "address,undefined".

    Args:
        text: the names.
        further: names that there are beside those of `SANITIZERS`.

    Raises:
        argparse.ArgumentTypeError: there is no such sanitizer.
    """
    names = text.split(",")
    for name in names:
        if name not in (*SANITIZERS, *further):
            choices = ", ".join((*SANITIZERS, *further))
            raise argparse.ArgumentTypeError(f"there is no sanitizer {name[:40]!r}, only {choices}")
    return names


def add_sanitize_option(parser: argparse.ArgumentParser, further: Sequence[str] = ()) -> None:
    """Declare ``--sanitize``: the sanitizers to compile with, and ``further`` ones beside GCC's."""
    parser.add_argument(
        "--sanitize",
        type=partial(sanitizer_names, further=further),
        default=[],
        metavar="NAME,NAME",
        help=f"compile with GCC's sanitizers ({', '.join((*SANITIZERS, *further))}); what they "
        "find refutes a program",
    )


def add_layouts_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--layouts``: in how many places each program is run."""
    parser.add_argument(
        "--layouts",
        type=int,
        choices=[1, 2],
        default=1,
        help="2: run each program a second time, linked to other addresses, with its variables in "
        "reverse order (default: 1)",
    )


def instructions(text: str) -> int:
    """A budget of instructions, as a number.

    Raises:
        ArgumentTypeError: it is none, or too small.
    """
    number = whole_number(text)
    if number < USUAL_INSTRUCTIONS:
        raise argparse.ArgumentTypeError(f"{text} is less than {USUAL_INSTRUCTIONS} instructions")
    return number


def add_budget_option(parser: argparse.ArgumentParser) -> None:
    """Declare ``--budget``: after how many instructions a call counts as one that never returns."""
    parser.add_argument(
        "--budget",
        type=instructions,
        metavar="INSTRUCTIONS",
        help="a call that does not return within so many instructions counts as one that never "
        f"does, in place of the case's `budget` (without both, {USUAL_INSTRUCTIONS:,} are given to "
        "each call, and one that needs more decides nothing)",
    )


def with_budget(case: Case, arguments: argparse.Namespace) -> Case:
    """The case with the budget of ``--budget``, if it was given."""
    return case if arguments.budget is None else replace(case, budget=arguments.budget)


def add_code_option(parser: argparse.ArgumentParser, default: str = "its own") -> None:
    """Declare ``--code``: for which processors code is made; ``default`` says it in words."""
    parser.add_argument(
        "--code",
        action="append",
        default=[],
        choices=list(ALL_TARGETS),
        help="make code for this processor, and run it on every --cpu that executes it: a 68040 "
        f"executes 68000 code; may be repeated (default: for each processor {default})",
    )


def add_scene_options(parser: argparse.ArgumentParser) -> None:
    """Declare ``--scenes``, ``--seed``, ``--objects`` and ``--jobs``."""
    parser.add_argument(
        "--scenes",
        type=scene_count,
        metavar="N",
        help=f"how many scenes (default: the case's, or {DEFAULT_SCENES})",
    )
    add_number_option(parser, "--seed", DEFAULT_SEED, "seed of the first scene of each kind")
    parser.add_argument(
        "--objects",
        type=object_counts,
        metavar="N,N,...",
        help="numbers of objects (default: the case's)",
    )
    add_jobs_option(parser)


def select(
    case: Case,
    arguments: argparse.Namespace,
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    use: str | None = None,
) -> Selection:
    """Find or compile the programs of a case that the options ask for.

    Args:
        case: the case.
        arguments: the values of the options declared by `add_program_options`.
        cpus: processors to take in place of those of ``--cpu``.
        builds: builds to take in place of those of ``--build``.
        use: where programs come from, in place of the value of ``--programs``.

    Raises:
        UsageError: there is no such build, or options contradict each other.
        ToolMissingError, CompileError, CaseError, ProgramError: as for `programs_of`.
    """
    cpus, builds = cpus or arguments.cpu, builds or arguments.build
    use, source = use or arguments.programs, arguments.source
    sanitize, layouts = getattr(arguments, "sanitize", ()), getattr(arguments, "layouts", 1)
    codes = getattr(arguments, "code", ())
    if arguments.program is not None:
        if cpus is None or len(set(cpus)) != 1:
            raise UsageError("--program needs one --cpu: the processor the program is for")
        if source is not None or builds:
            raise UsageError("--program is run as it is; leave out --source and --build")
        if arguments.prefix or arguments.headers is not None:
            raise UsageError("--program is run as it is; --prefix and --headers are for compiling")
        if sanitize or layouts > 1 or codes:
            raise UsageError(
                "--program is run as it is; --sanitize, --layouts and --code need sources to "
                "compile"
            )
        return given_program(case, arguments.program, cpus[0], use=use)
    headers_of_options(arguments.prefix, arguments.headers)  # its messages name the options
    try:
        return programs_of(
            case,
            cpus=cpus,
            builds=builds,
            source=source,
            use=use,
            sanitize=sanitize,
            layouts=layouts,
            codes=codes,
            prefix=arguments.prefix,
            headers=arguments.headers,
        )
    except (CompileError, CaseError) as error:
        if not isinstance(source, Path) or len(case.sources) == 1:
            raise
        raise type(error)(
            error.path,
            error.problem.rstrip(),
            where=error.where,
            remedy=f"\n--source FILE takes the place of all that {case.name} is made of: "
            f"{', '.join(case.sources)}. To replace one of them: "
            f"--source {case.sources[0]}={source}",
        ) from error


def select_on_engines(
    case: Case,
    arguments: argparse.Namespace,
    usual: Callable[[Selection], Sequence[str]] = lambda selection: (),
) -> Selection:
    """What `select` finds, on the engines of ``--engine``, or else on the usual ones.

    Args:
        case: the case.
        arguments: the options.
        usual: gives the names of the usual engines for some programs; by default none, so that
            `macproof.verify` chooses.
    """
    engines = arguments.engine or ()
    is_variant = (
        bool(getattr(arguments, "sanitize", []))
        or getattr(arguments, "layouts", 1) > 1
        or bool(getattr(arguments, "code", []))
    )
    for name in engines:
        if is_variant and ENGINES[name].make_native:
            raise UsageError(
                "--sanitize, --layouts and --code are about guest programs, which the engine "
                f"{name} does not execute; the engine host-sanitizers has sanitizers of its own"
            )
    selection = select(case, arguments)
    names = engines or usual(selection)
    return on_engines(selection, names) if names else selection


def on_engines(selection: Selection, names: Iterable[str]) -> Selection:
    """Programs on engines of these names."""
    chosen = [ENGINES[name] for name in names]
    return selection.on(
        {engine.name: engine.has_sanitizers if engine.make_native else None for engine in chosen}
    )


def require_one_case(
    names: Sequence[str],
    arguments: argparse.Namespace,
    options: Sequence[str] = ("source", "program"),
) -> None:
    """Refuse options about the program of one case, such as ``--source``, for several cases.

    Raises:
        UsageError: one of them was given with several cases.
    """
    for option in options:
        if len(names) > 1 and getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is about the program of one case; name the case first")
