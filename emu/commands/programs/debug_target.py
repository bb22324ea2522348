"""What ``macproof debug`` debugs: a program, a case on a scene, or the failure that a file has."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from emu.base.errors import UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.commands.interface.options import add_program_options, select
from emu.commands.interface.trust import add_trust_option, require_trust
from emu.commands.programs.machine_options import (
    add_folder_option,
    add_machine_options,
    add_step_option,
    chosen_cpu,
    machine_settings,
)
from emu.debug.targets import DebuggedProgram, DebuggedScene
from emu.machine.cpu import MAC_CPUS
from emu.runner.runner import RunRequest
from emu.toolbox.computer.macintosh_models import MACHINES
from emu.verify.explain_failure import cases_to_run, chosen_failure
from emu.verify.scenes.fills import Fill
from emu.verify.scenes.scene_spec import spec_of

_SECONDS = 86_400.0
_ABOUT_PROGRAMS = ("script", "symbols", "machine", "screen", "memory", "stack", "folder")
_USUAL_CPU, _USUAL_BUILD = "68040", "O0"


def add_debugged(parser: argparse.ArgumentParser) -> None:
    """Declare what is debugged, and the options about it."""
    parser.add_argument(
        "what",
        metavar="PROGRAM|CASE|REPORT",
        help="an application; or a case, with --scene; or a JSON report of verify or fuzz, of "
        "which the first failure is taken, on the smallest scene that shows it",
    )
    parser.add_argument(
        "--script", type=Path, metavar="FILE", help="a script of the user's actions, as YAML"
    )
    parser.add_argument(
        "--symbols", type=Path, metavar="FILE", help="its linked ELF or XCOFF file with symbols"
    )
    add_step_option(parser)
    add_machine_options(parser)
    add_folder_option(parser)
    parser.add_argument(
        "--scene",
        metavar="NAME",
        help="the scene of a case: GENERATOR:OBJECTS:SEED, and :FILL for another memory than "
        f"{Fill.LOADED} ({', '.join(Fill)})",
    )
    parser.add_argument(
        "--smallest",
        action="store_true",
        help="make the scene of a case smaller first, as long as it fails",
    )
    parser.add_argument(
        "--at-difference",
        action="store_true",
        help="stop first where the first wrong value of a scene was stored",
    )
    add_trust_option(parser)
    add_program_options(parser)


def chosen_target(
    arguments: argparse.Namespace, console: Console
) -> DebuggedProgram | DebuggedScene:
    """What the options ask for.

    Raises:
        UsageError: they contradict each other, or name nothing.
        InputError: a file of them is damaged.
    """
    if arguments.scene is not None:
        return _scene(arguments)
    if arguments.what.endswith(".json"):
        return _failure(Path(arguments.what), arguments, console)
    for option in ("smallest", "at_difference"):
        if getattr(arguments, option):
            name = option.replace("_", "-")
            raise UsageError(f"--{name} is about a case with --scene, or about a report")
    return DebuggedProgram(_request(arguments))


def _request(arguments: argparse.Namespace) -> RunRequest:
    path = Path(arguments.what)
    is_case = path.suffix in (".yaml", ".yml") or path.is_dir() or not path.suffix
    if (is_case and not path.is_file()) or path.suffix in (".yaml", ".yml"):
        try:
            load_case(arguments.what)
        except UsageError as error:
            raise UsageError(f"{path}: no program can be read there, and {error}") from error
        raise UsageError(
            f"{arguments.what} is a case: say on which scene, as in --scene uniform:20:1994"
        )
    for option in ("build", "source", "program"):
        if getattr(arguments, option):
            raise UsageError(f"--{option} is about a case with --scene")
    cpus = arguments.cpu or []
    if len(cpus) > 1 or not set(cpus) <= set(MAC_CPUS):
        raise UsageError(f"a program is debugged on one --cpu: {', '.join(MAC_CPUS)}")
    arguments.against = None  # there is no other program that it is compared with
    return RunRequest(
        program=path,
        cpu=chosen_cpu(cpus[0] if cpus else None, MACHINES.get(arguments.machine)),
        settings=machine_settings(arguments, timeout=_SECONDS),
        step=arguments.step,
        script=arguments.script,
        symbols=arguments.symbols,
    )


def _scene(arguments: argparse.Namespace) -> DebuggedScene:
    for option in _ABOUT_PROGRAMS:
        if getattr(arguments, option) is not None:
            raise UsageError(f"--{option} is about a program, and --scene about a case")
    case = load_case(arguments.what)
    spec = spec_of(arguments.scene)
    cpus, builds = arguments.cpu or [], arguments.build or []
    if len(cpus) > 1 or not set(cpus) <= set(MAC_CPUS):
        raise UsageError(f"a case is debugged on one --cpu: {', '.join(MAC_CPUS)}")
    if len(builds) > 1:
        raise UsageError("a case is debugged in one --build")
    if spec.generator not in case.generators:
        raise UsageError(
            f"there is no generator {spec.generator}; there are {', '.join(case.generators)}"
        )
    selection = select(
        case,
        arguments,
        cpus=cpus or [_usual_cpu(case)],
        builds=None if arguments.program else builds or [_usual_build(case)],
    )
    return DebuggedScene(
        case,
        selection[0],
        spec,
        is_smallest=arguments.smallest,
        finds_difference=arguments.at_difference,
    )


def _usual_cpu(case: Case) -> str:
    return _USUAL_CPU if _USUAL_CPU in case.cpus else case.cpus[0]


def _usual_build(case: Case) -> str:
    """The build whose lines and locals are easiest to follow, if the case has it."""
    return _USUAL_BUILD if _USUAL_BUILD in case.builds else case.usual_build()


def _failure(path: Path, arguments: argparse.Namespace, console: Console) -> DebuggedScene:
    require_trust(cases_to_run(path), arguments, console)
    chosen = chosen_failure(path, arguments.cpu, arguments.build)
    if chosen is None:
        raise UsageError(f"{path}: no scene of it failed, so there is none to debug")
    return DebuggedScene(
        chosen.case,
        chosen.subject,
        chosen.spec,
        chosen.changed,
        is_smallest=True,
        finds_difference=arguments.at_difference,
    )
