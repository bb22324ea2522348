"""Options about the Macintosh that a whole program runs on."""

from __future__ import annotations

import argparse
import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

from emu.base.errors import UsageError
from emu.machine.cpu import MAC_CPUS
from emu.quickdraw import DEPTHS
from emu.runner.runner import RunRequest
from emu.toolbox.computer.clock import USUAL_STEP
from emu.toolbox.computer.macintosh_models import MACHINES, MacintoshModel
from emu.toolbox.computer.partition import LARGEST_PARTITION, LARGEST_STACK
from emu.toolbox.computer.settings import Settings

_LARGEST_SCREEN = 4096
_SMALLEST_SIZE = 4 << 10


def add_cpu_option(parser: argparse.ArgumentParser) -> None:
    """Declare the processor that the program runs on."""
    parser.add_argument("--cpu", choices=MAC_CPUS, help="the processor (default: the program's)")


def add_other_program(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare the program that is held against the first one.

    Args:
        parser: the command's.
        what: what is done with it, as help.
    """
    parser.add_argument("--against", type=Path, metavar="OTHER", help=what)
    parser.add_argument("--against-cpu", choices=MAC_CPUS, help="the other program's processor")


def other_request(arguments: argparse.Namespace, request: RunRequest) -> RunRequest | None:
    """The other program on the same machine; None without ``--against``.

    Raises:
        UsageError: there is a processor for it, and no program.
    """
    if arguments.against is None:
        if arguments.against_cpu is not None:
            raise UsageError("--against-cpu is about the program of --against, which is missing")
        return None
    cpu = chosen_cpu(arguments.against_cpu, MACHINES.get(arguments.machine))
    return dataclasses.replace(request, program=arguments.against, cpu=cpu, symbols=None)


def add_step_option(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Declare how much time each question for the time takes.

    Args:
        parser: the command's.
        default: what is usual for the command; None for what is usual for the script.
    """
    usual = f"{USUAL_STEP}, or as the script was recorded" if default is None else default
    parser.add_argument(
        "--step",
        type=int,
        default=default,
        metavar="US",
        help=f"microseconds for each question, for --clock calls (default: {usual})",
    )


def add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Declare the model, its screen, how memory moves, and its disk."""
    parser.add_argument(
        "--machine",
        choices=list(MACHINES),
        help="the model of Macintosh: its processor, screen and what it says of itself (default: "
        "the processor's, with a screen of 640x480)",
    )
    parser.add_argument(
        "--screen", metavar="WxH", help="the screen (default: the machine's, or 640x480)"
    )
    parser.add_argument(
        "--depth",
        type=int,
        choices=DEPTHS,
        help="bits for each pixel (default: the machine's; 1 with --against and no --machine)",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        help="the memory that it gets, such as 900K or 4M (default: what its SIZE resource says)",
    )
    parser.add_argument(
        "--stack",
        metavar="SIZE",
        help="bytes of its memory that its heap leaves to its stack, such as 64K (default: the "
        "machine's 32K or 8K)",
    )
    parser.add_argument(
        "--no-scramble",
        action="store_true",
        help="leave relocatable blocks where they are at calls that may move them",
    )


def add_folder_option(parser: argparse.ArgumentParser) -> None:
    """Declare the folder that is the program's disk."""
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="the folder that is its disk (default: none)"
    )


def add_open_option(parser: argparse.ArgumentParser) -> None:
    """Declare the documents that the program is opened with."""
    parser.add_argument(
        "--open",
        action="append",
        default=[],
        metavar="NAME",
        help="a file on its disk that it is opened with, such as Letters:Hello; may be repeated",
    )


def _memory_size(option: str, text: str | None, most: int) -> int:
    """The bytes that a size stands for; 0 if none is given.

    Raises:
        UsageError: it is no size, or out of bounds.
    """
    if text is None:
        return 0
    match = re.fullmatch(r"(\d{1,9})([KM]?)", text)
    size = int(match[1]) << {"": 0, "K": 10, "M": 20}[match[2]] if match else 0
    if not _SMALLEST_SIZE <= size <= most:
        raise UsageError(
            f"{option} {text}: it is a number of bytes, with K or M of kilobytes or megabytes, "
            f"from {_SMALLEST_SIZE >> 10}K to {most >> 20}M"
        )
    return size


def machine_settings(
    arguments: argparse.Namespace,
    *,
    timeout: float,
    keeps_log: bool = False,
    documents: Sequence[str] = (),
) -> Settings:
    """The settings that the options stand for.

    Args:
        arguments: what was parsed, with ``against`` too.
        timeout: seconds that the program may take.
        keeps_log: whether every call is recorded.
        documents: what the program is opened with.

    Raises:
        UsageError: one of them cannot be.
    """
    machine = MACHINES.get(arguments.machine)
    width, height = machine.screen if machine is not None else (640, 480)
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", arguments.screen or f"{width}x{height}")
    if not match or not all(64 <= int(side) <= _LARGEST_SCREEN for side in match.groups()):
        raise UsageError(
            f"--screen {arguments.screen}: it is WIDTHxHEIGHT, each from 64 to {_LARGEST_SCREEN}"
        )
    if arguments.step is not None and not 1 <= arguments.step <= 10_000_000:
        raise UsageError("--step is from 1 to 10000000 microseconds")
    if arguments.folder is not None and not arguments.folder.is_dir():
        raise UsageError(f"{arguments.folder}: there is no such folder")
    return Settings(
        screen=(int(match[1]), int(match[2])),
        depth=arguments.depth or int(arguments.against is not None and machine is None),
        timeout=timeout,
        scramble=not arguments.no_scramble,
        keep_log=keeps_log,
        folder=arguments.folder,
        memory=_memory_size("--memory", arguments.memory, LARGEST_PARTITION),
        stack=_memory_size("--stack", arguments.stack, LARGEST_STACK),
        machine=arguments.machine or "",
        documents=tuple(documents),
    )


def chosen_cpu(chosen: str | None, machine: MacintoshModel | None) -> str | None:
    """The processor by its name; None for the program's usual one."""
    return machine.cpu if machine is not None and chosen is None else chosen
