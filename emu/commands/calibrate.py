"""``macproof calibrate``: ask all engines the same probes, and list what they disagree about."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console

from emu.base.errors import ToolMissingError, UsageError
from emu.cases.case import Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.commands.interface.numbers import add_number_option
from emu.commands.interface.options import on_engines, scene_count
from emu.commands.interface.outputs import add_report_options, publish, report_places
from emu.commands.interface.overwriting import NamedFile, refuse_overwriting
from emu.engines.calibration.calibration import calibrate
from emu.engines.calibration.instructions import find_instructions
from emu.engines.calibration.opcodes.opcode_map import opcode_map
from emu.engines.calibration.probes import ProbePlan
from emu.engines.registry import ENGINES, UNICORN, engine_of
from emu.machine.cpu import CPUS, MAC_CPUS
from emu.program import Program, read_program
from emu.verify.documents.calibration_document import (
    CALIBRATED,
    DISAGREE,
    NOTHING,
    calibration_document,
)
from emu.verify.runs.oracles import Oracles, ask_oracles

_MOST, _ENCODINGS, _STATES, _SEED, _SCENES = 60, 2, 8, 1994, 20
_BUILD = "O2"
EXIT_CODES = {CALIBRATED: 0, DISAGREE: 1, NOTHING: 4}


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "programs",
        nargs="*",
        type=Path,
        metavar="PROGRAM",
        help="take instructions from these programs (default: from the processor's opcode map)",
    )
    parser.add_argument(
        "--cpu", action="append", choices=MAC_CPUS, help="only this processor; may be repeated"
    )
    parser.add_argument(
        "--engine",
        action="append",
        metavar="ENGINE",
        help=f"one of {', '.join(ENGINES)}; may be repeated (default: all that are installed)",
    )
    add_number_option(parser, "--states", _STATES, "states of the registers for each instruction")
    add_number_option(
        parser, "--most", _MOST, "instructions of each processor's opcode map; 0 for all"
    )
    add_number_option(
        parser, "--encodings", _ENCODINGS, "instructions of each form in the given programs"
    )
    add_number_option(parser, "--seed", _SEED, "what the states are made of")
    _add_case_options(parser)
    add_report_options(parser)


def _add_case_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--case",
        action="append",
        default=[],
        metavar="CASE",
        help="compare all engines and the reference on scenes of this case, too; may be repeated",
    )
    add_number_option(parser, "--scenes", _SCENES, "how many scenes of each case", scene_count)


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Calibrate the engines; 1 if they disagree about something that nobody has judged.

    4 if there was nothing that two of them answered.
    """
    began = time.monotonic()
    refuse_overwriting(
        report_places(arguments), [NamedFile("the program", path) for path in arguments.programs]
    )
    if not arguments.states or not arguments.encodings:
        raise UsageError("--states and --encodings have to be at least 1")
    if arguments.case and not arguments.scenes:
        raise UsageError("--scenes 0 leaves nothing of --case to compare; it has to be at least 1")
    given = [read_program(path) for path in arguments.programs]
    cases = [load_case(name) for name in arguments.case]
    names = _engines(arguments.engine, arguments.case)
    engines = {name: engine_of(name).make for name in names if _executes_guest_code(name)}
    calibrations = []
    for name in arguments.cpu or MAC_CPUS:
        plan = _of_programs(name, given, arguments) if given else _of_map(name, arguments)
        if plan.instructions and len(engines) > 1:
            calibrations.append(calibrate(plan, engines))
    if not calibrations and not arguments.case:
        raise UsageError("these programs and engines leave no instructions to compare")
    oracles = [_oracles(case, names, arguments) for case in cases]
    document = calibration_document(
        calibrations, oracles, command=arguments.command_line, seconds=time.monotonic() - began
    )
    publish(document, arguments, console, names_files=True)
    return EXIT_CODES[document.data.verdict]


def _engines(wanted: Sequence[str] | None, cases: Sequence[str]) -> list[str]:
    """The names of the engines to be asked.

    Args:
        wanted: those that the user names.
        cases: the cases to be compared. Without any, only engines that execute guest code count.

    Raises:
        UsageError: there is no such engine, or only one is named.
        ToolMissingError: one is not installed; if none is named, none but Unicorn.
    """
    if wanted:
        chosen = [engine_of(name) for name in wanted]
        if len(set(wanted)) < 2:
            raise UsageError("one engine alone has nothing to be compared with; name another one")
        for engine in chosen:
            engine.describe()
        return list(dict.fromkeys(wanted))
    engines, missing = [], []
    for name, engine in ENGINES.items():
        try:
            engine.describe()
            engines.append(name)
        except ToolMissingError as error:
            missing.append(str(error))
    if not cases:
        engines = list(filter(_executes_guest_code, engines))
    if len(engines) < 2:
        raise ToolMissingError(f"there is nothing to compare Unicorn with: {'; '.join(missing)}")
    return engines


def _executes_guest_code(engine: str) -> bool:
    return engine == UNICORN or engine_of(engine).make is not None


def _oracles(case: Case, engines: Iterable[str], arguments: argparse.Namespace) -> Oracles:
    """What the prebuilt programs of a case say on every engine."""
    cpus = arguments.cpu or [cpu for cpu in MAC_CPUS if cpu in case.cpus]
    programs = programs_of(case, cpus=cpus, builds=[_BUILD], use="prebuilt")
    subjects = on_engines(programs, engines).subjects
    return ask_oracles(case, subjects, arguments.scenes, arguments.seed)


def _of_programs(cpu: str, given: Sequence[Program], arguments: argparse.Namespace) -> ProbePlan:
    """The probes of the instructions in programs for a processor."""
    programs = [program for program in given if program.architecture == CPUS[cpu].architecture]
    instructions = find_instructions(CPUS[cpu], programs, arguments.encodings)
    return ProbePlan(cpu, instructions, arguments.states, arguments.seed)


def _of_map(cpu: str, arguments: argparse.Namespace) -> ProbePlan:
    """The probes of a processor's whole opcode map, or of as much of it as is wanted."""
    whole = opcode_map(cpu)
    some = whole.sample(arguments.most, arguments.seed)
    others = len(whole.instructions) - len(some)
    return ProbePlan(cpu, some, arguments.states, arguments.seed, others, whole.left_out)
