"""``macproof build``: compile cases with the cross compilers, and Mac applications."""

from __future__ import annotations

import argparse

from rich.console import Console

from emu.base.errors import UsageError
from emu.base.files import write_whole
from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.cases.find import load_case
from emu.cases.programs.programs import PREBUILT
from emu.commands.interface.options import (
    add_program_options,
    add_sanitize_option,
    require_one_case,
    select,
)
from emu.commands.interface.outputs import output_folder
from emu.commands.programs import build_applications
from emu.toolchain.programs import prebuilt
from emu.toolchain.sanitizers import STACK


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "cases",
        nargs="*",
        metavar="CASE",
        help="case name, folder or file; with --app, an application (default: all)",
    )
    add_program_options(
        parser,
        has_toolchain=False,
        programs=None,
        programs_default="compiled; with --app auto: compiled if the compilers are installed, else "
        "prebuilt if the sources are the same",
    )
    parser.add_argument(
        "--toolchain",
        choices=["gcc", "retro68"],
        default="gcc",
        help="the compilers to use; retro68 makes Mac applications (default: gcc)",
    )
    add_sanitize_option(parser, [STACK])
    build_applications.add(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=output_folder,
        metavar="DIR",
        help="copy the programs into this folder (applications: build/TOOLCHAIN)",
    )
    parser.add_argument(
        "--write-prebuilt",
        action="store_true",
        help="for maintainers: store the programs and their manifest in mac_src/prebuilt",
    )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Compile the programs of cases, or build applications, and print a line for each."""
    if build_applications.wanted(arguments):
        return build_applications.run(arguments, console)
    chosen = arguments.cpu or arguments.build or arguments.program or arguments.source
    if arguments.write_prebuilt and (chosen or arguments.sanitize):
        raise UsageError(
            "--write-prebuilt stores every program of a case; leave out --cpu, --build, --source, "
            "--program and --sanitize"
        )
    names = arguments.cases or [read_case(path).name for path in find_cases()]
    require_one_case(names, arguments)
    for name in names:
        selection = select(load_case(name), arguments, use=arguments.programs or "compiled")
        programs = selection.built
        for program in programs:
            path = program.path
            if arguments.output is not None:
                path = arguments.output / f"{selection.case.name}-{program.cpu}-{program.build}.elf"
                write_whole(path, program.path.read_bytes())
            if not arguments.quiet:
                console.print(
                    f"{program.origin:8}  {program.cpu:5}  {program.build:9}  "
                    f"{path.stat().st_size:6} bytes  {path}",
                    soft_wrap=True,
                    highlight=False,
                    markup=False,
                )
        if arguments.write_prebuilt:
            kept = [program for program in programs if program.build in selection.case.prebuilt]
            manifest = prebuilt.write(selection.case.name, kept, PREBUILT)
            console.print(f"{len(kept)} programs described in {manifest}", soft_wrap=True)
    return 0
