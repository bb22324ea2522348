"""``macproof build --app``: build Mac applications, fat ones too, with either toolchain."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Column

from emu.base.errors import InputError, ToolMissingError, UsageError
from emu.base.files import write_whole
from emu.commands.interface.source_options import headers_of_options, whole_source
from emu.machine.cpu import CPUS
from emu.toolchain.builds import BUILDS, TARGETS, Build, Target
from emu.toolchain.compilers.find import how_to_install, missing_compilers
from emu.toolchain.mac_app.application import SYMBOL_SUFFIXES, build_application
from emu.toolchain.mac_app.applications import ApplicationRecipe, find_applications
from emu.toolchain.mac_app.compile import program_files
from emu.toolchain.mac_app.fat import make_fat_application
from emu.toolchain.mac_app.mac_prebuilt import (
    PREBUILT_CPUS,
    prebuilt_application,
    write_prebuilt_applications,
)
from emu.toolchain.mac_app.retro68 import build_with_retro68
from emu.toolchain.retro68 import RETRO68_TARGETS, find_retro68
from emu.toolchain.sanitizers import sanitized_application
from emu.toolchain.sources import mac_sources

_USUAL_CPUS = ("68000", "601")
_USUAL_BUILD = "O2"
_FAT = "fat"
_OUTPUT = Path("build")
_LONGEST_TITLE = 31  # of a file on an HFS disk


@dataclass(frozen=True, slots=True)
class _Made:
    """An application that was built: its processor, where it came from, and its file."""

    cpu: str
    origin: str
    path: Path


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options that only applications have."""
    group = parser.add_argument_group(
        "Mac applications",
        "One for the 68000 and one for the 601, if no --cpu is given. With --source, the "
        "application of your own file.",
    )
    group.add_argument(
        "--app", action="store_true", help="build Mac applications, in MacBinary files"
    )
    group.add_argument(
        "--fat",
        action="store_true",
        help="also build one with the programs for both processors in it",
    )
    group.add_argument(
        "--retro68",
        type=Path,
        metavar="DIR",
        help="Retro68's folder (default: the environment variable RETRO68, or out of PATH)",
    )
    group.add_argument(
        "--name", metavar="NAME", help="the name on the Mac of the application made of --source"
    )


def wanted(arguments: argparse.Namespace) -> bool:
    """Whether the options ask for applications.

    Raises:
        UsageError: they do not, but one of them makes sense for applications only.
    """
    if arguments.app or arguments.fat or arguments.toolchain == "retro68":
        return True
    for option in ("retro68", "name"):
        if getattr(arguments, option) is not None:
            remedy = "--toolchain retro68" if option == "retro68" else "--app"
            raise UsageError(f"--{option} needs {remedy}")
    return False


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Build applications, and print a line for each."""
    _check(arguments)
    title = _title(arguments)
    applications = [] if title is not None else find_applications(arguments.cases, mac_sources())
    if arguments.write_prebuilt:
        manifest = write_prebuilt_applications(applications, mac_sources())
        console.print(f"{len(applications)} applications described in {manifest}", soft_wrap=True)
        return 0
    cpus = tuple(dict.fromkeys(arguments.cpu or _USUAL_CPUS))
    for cpu in cpus:
        if cpu not in TARGETS:
            raise UsageError(f"no Macintosh has a {cpu}; there are {', '.join(TARGETS)}")
    output = arguments.output or _OUTPUT / arguments.toolchain
    if arguments.toolchain == "retro68":
        apps = _with_retro68(arguments, applications, title, cpus, output, console)
    else:
        apps = _with_gcc(arguments, applications, title, cpus, output)
    if arguments.fat:
        apps += _fat(apps, output)
    if not arguments.quiet:
        for app in apps:
            console.print(
                f"{app.origin:8}  {app.cpu:5}  {app.path.stat().st_size:9,} bytes  {app.path}",
                soft_wrap=True,
                highlight=False,
                markup=False,
            )
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if arguments.program is not None:
        raise UsageError("--program is already built; leave it out")
    whole_source(arguments.source, "an application")
    if arguments.source is None and arguments.name is not None:
        raise UsageError("--name names the application made of --source; give --source too")
    if arguments.source is None and (arguments.prefix or arguments.headers is not None):
        raise UsageError("--prefix and --headers are for the application of --source")
    if arguments.source is not None and arguments.cases:
        raise UsageError("--source makes an application of its own; leave out the names of others")
    sanitized_application(BUILDS[_USUAL_BUILD], arguments.sanitize)  # raises UsageError
    if arguments.fat and arguments.cpu:
        architectures = sorted(CPUS[cpu].architecture for cpu in set(arguments.cpu))
        if architectures != ["m68k", "powerpc"]:
            raise UsageError("--fat needs the 601 and one of the 68000 and the 68040")
    if arguments.toolchain == "retro68":
        if arguments.prefix or arguments.headers is not None:
            raise UsageError("--prefix and --headers are for --toolchain gcc")
        if arguments.compiler:
            raise UsageError("--compiler is for --toolchain gcc; Retro68 has compilers of its own")
        if arguments.write_prebuilt:
            raise UsageError("--write-prebuilt stores what --toolchain gcc makes")
        if arguments.build:
            raise UsageError("--build is for --toolchain gcc; Retro68's programs are built with O2")
        if "68040" in (arguments.cpu or ()):
            raise UsageError("Retro68 builds for the 68000; that runs on a 68040 as it is")
        if arguments.programs == "prebuilt":
            raise UsageError(
                "the prebuilt applications were made by --toolchain gcc, not by Retro68"
            )
    elif arguments.retro68 is not None:
        raise UsageError("--retro68 needs --toolchain retro68")
    chosen = (arguments.cpu, arguments.build, arguments.source, arguments.output, arguments.fat)
    if arguments.write_prebuilt and any((*chosen, arguments.sanitize)):
        raise UsageError(
            "--write-prebuilt stores every program of an application; leave out --cpu, --build, "
            "--source, --output, --fat and --sanitize"
        )
    builds = arguments.build or [_USUAL_BUILD]
    if len(builds) != 1 or builds[0] not in BUILDS:
        raise UsageError(f"an application is built with one --build of {', '.join(BUILDS)}")


def _title(arguments: argparse.Namespace) -> str | None:
    """The name of the application of the user's own file, or None if none was given.

    Raises:
        UsageError: a file on a Mac cannot have that name.
        InputError: there is no such file.
    """
    source: Path | None = arguments.source
    if source is None:
        return None
    if not source.is_file():
        raise InputError(source, "there is no such file")
    title: str = source.stem if arguments.name is None else arguments.name
    try:
        size = len(title.encode("mac_roman"))
    except UnicodeEncodeError:
        size = 0
    if not 1 <= size <= _LONGEST_TITLE or set(title) & set(":/\0") or title.startswith("."):
        raise UsageError(
            f"{title!r} is no name for a Mac application: 1 to {_LONGEST_TITLE} characters of "
            "MacRoman, without : and /. Give one with --name"
        )
    return title


def _with_gcc(
    arguments: argparse.Namespace,
    applications: Sequence[ApplicationRecipe],
    title: str | None,
    cpus: Sequence[str],
    output: Path,
) -> list[_Made]:
    build = sanitized_application(
        BUILDS[(arguments.build or [_USUAL_BUILD])[0]], arguments.sanitize
    )
    missing = missing_compilers([TARGETS[cpu] for cpu in cpus], {})
    use = arguments.programs or "auto"
    own = title is not None or bool(arguments.build) or bool(arguments.sanitize)
    if use == "prebuilt" and own:
        raise UsageError(
            "--programs prebuilt cannot be combined with --build, --source or --sanitize"
        )
    kept = not own and all(cpu in PREBUILT_CPUS for cpu in cpus)
    if use == "prebuilt" or (use == "auto" and missing and kept):
        return _prebuilt(applications, cpus, output)
    prefix, headers = headers_of_options(arguments.prefix, arguments.headers)
    if title is not None:
        program_files([arguments.source], prefix=prefix, headers=headers)
    if missing:
        raise _not_installed(missing, has_prebuilt=kept)
    if title is not None:
        return [
            _Made(
                cpu,
                "compiled",
                build_application(
                    [arguments.source],
                    title,
                    cpu,
                    None,
                    output / cpu,
                    build=build,
                    prefix=prefix,
                    headers=headers,
                ),
            )
            for cpu in cpus
        ]
    return [
        _Made(cpu, "compiled", _build_recipe(application, cpu, build, output / cpu))
        for cpu in cpus
        for application in applications
    ]


def _not_installed(missing: Sequence[Target], *, has_prebuilt: bool) -> ToolMissingError:
    names = " and ".join(sorted({target.compiler for target in missing}))
    others = ". The prebuilt ones: --programs prebuilt" if has_prebuilt else ""
    return ToolMissingError(f"{names} not installed. {how_to_install(missing)}{others}")


def _build_recipe(recipe: ApplicationRecipe, cpu: str, build: Build, folder: Path) -> Path:
    """Compile an application that comes with macproof."""
    sources = mac_sources()
    return build_application(
        recipe.source_paths(sources),
        recipe.title,
        cpu,
        sources / recipe.resources,
        folder,
        build=build,
    )


def _prebuilt(
    applications: Sequence[ApplicationRecipe], cpus: Sequence[str], output: Path
) -> list[_Made]:
    """Copy the prebuilt applications. If one is missing, none is copied."""
    prebuilt = [
        (cpu, prebuilt_application(application, cpu, mac_sources()))
        for cpu in cpus
        for application in applications
    ]
    apps = []
    for cpu, application in prebuilt:
        path = output / cpu / application.path.name
        write_whole(path, application.path.read_bytes())
        write_whole(path.with_name(application.symbols.name), application.symbols.read_bytes())
        apps.append(_Made(cpu, "prebuilt", path))
    return apps


def _with_retro68(
    arguments: argparse.Namespace,
    applications: Sequence[ApplicationRecipe],
    title: str | None,
    cpus: Sequence[str],
    output: Path,
    console: Console,
) -> list[_Made]:
    build = sanitized_application(BUILDS[_USUAL_BUILD], arguments.sanitize)
    retro68 = find_retro68(arguments.retro68, cpus)
    listing = None if title is None else (arguments.source, title)
    if not arguments.quiet:
        console.print(
            f"Retro68 in {retro68.folder}, with {retro68.interfaces}",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    apps = []
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn(
            "{task.fields[what]}",
            markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis", max_width=40),
        ),
        console=console,
        transient=True,
        disable=arguments.quiet or not console.is_terminal,
    ) as shown:
        for cpu in cpus:
            task = shown.add_task(cpu, total=1.0, what="")
            paths = build_with_retro68(
                retro68,
                applications,
                cpu,
                output / cpu,
                mac_sources(),
                listing=listing,
                sanitizers=build.sanitizers,
                progress=lambda done, what, task=task: shown.update(  # type: ignore[misc]
                    task, completed=done, what=what
                ),
            )
            apps += [_Made(cpu, "Retro68", path) for path in paths]
    return apps


def _fat(apps: Sequence[_Made], output: Path) -> list[_Made]:
    """Merge each pair of 68K and PowerPC applications; the symbols of both lie beside the file."""
    suffixes = [*SYMBOL_SUFFIXES.values(), *(t.symbols for t in RETRO68_TARGETS.values())]
    fat = []
    for first in apps:
        if CPUS[first.cpu].architecture != "m68k":
            continue
        for second in apps:
            if CPUS[second.cpu].architecture == "powerpc" and second.path.name == first.path.name:
                path = output / _FAT / first.path.name
                write_whole(path, make_fat_application(first.path, second.path))
                for half in (first.path, second.path):
                    for suffix in dict.fromkeys(suffixes):
                        symbols = half.with_name(half.stem + suffix)
                        if symbols.is_file():
                            write_whole(path.with_name(symbols.name), symbols.read_bytes())
                fat.append(_Made(_FAT, first.origin, path))
    return fat
