"""macproof: evidence that a ported classic-Macintosh routine still does what it did.

These are the names that are promised to users; ``docs/api.md`` lists them.
They come from the rooms of ``emu``, and each is imported when it is first asked for, so that
``import macproof`` costs next to nothing.

Example:
    >>> import macproof
    >>> case = macproof.load_case("four-shifts")
    >>> programs = macproof.programs_of(case, cpus=["68040", "601"], builds=["O2"])
    >>> macproof.verify(case, programs, scenes=20, seed=1994).verdict
    'verified'
    >>> machine = macproof.Machine(programs[0])
    >>> machine.globals["gObjects"]["x"][:2] = [100, 129]
    >>> machine.functions._DetermineCollisions()
"""

from __future__ import annotations

import os.path
import sys

_HOME = os.path.dirname(*__path__)

# `python -m` looks for modules in the working folder first, as the command `macproof` does not, and
# a folder of cases may well have a `numpy.py`. Python calls a module "-m" until it has found it.
if (
    sys.argv[:1] == ["-m"]
    and "macproof" in sys.orig_argv
    and not sys.flags.safe_path
    and sys.path[0] != _HOME
):
    del sys.path[0]

import importlib  # noqa: E402
from typing import TYPE_CHECKING  # noqa: E402

from macproof.installation import conflict as _conflict  # noqa: E402

if TYPE_CHECKING:
    from emu.base.errors import CaseError as CaseError
    from emu.base.errors import CompileError as CompileError
    from emu.base.errors import GuestError as GuestError
    from emu.base.errors import InputError as InputError
    from emu.base.errors import InternalError as InternalError
    from emu.base.errors import MacproofError as MacproofError
    from emu.base.errors import ProgramError as ProgramError
    from emu.base.errors import ToolMissingError as ToolMissingError
    from emu.base.errors import UsageError as UsageError
    from emu.base.errors import WrongResultError as WrongResultError
    from emu.base.yaml_document import YamlSection as YamlSection
    from emu.cases.case import Case as Case
    from emu.cases.find import load_case as load_case
    from emu.cases.generators.texts import random_text as random_text
    from emu.cases.programs.programs import given_program as given_program
    from emu.cases.programs.programs import programs_of as programs_of
    from emu.cases.programs.selection import Selection as Selection
    from emu.cases.programs.subject import Subject as Subject
    from emu.cases.simpler import simpler_bytes as simpler_bytes
    from emu.cases.simpler import simpler_numbers as simpler_numbers
    from emu.commands.interface.command import Command as Command
    from emu.machine.calls.batch import Budget as Budget
    from emu.machine.calls.faults import ContractViolation as ContractViolation
    from emu.machine.calls.faults import GuestFault as GuestFault
    from emu.machine.guest.guest_functions import GuestFunction as GuestFunction
    from emu.machine.guest.guest_globals import GuestGlobals as GuestGlobals
    from emu.machine.guest.guest_values import GuestObject as GuestObject
    from emu.program.model.model import Program as Program
    from emu.program.model.wide_floats import DoubleDouble as DoubleDouble
    from emu.program.model.wide_floats import Extended as Extended
    from emu.program.read import read_program as read_program
    from emu.runner.runner import RunResult as RunResult
    from emu.runner.runner import run_program as run_program
    from emu.search.fuzz.search import Fuzz as Fuzz
    from emu.search.fuzz.search import fuzz as fuzz
    from emu.search.selfcheck.selfcheck import Selfcheck as Selfcheck
    from emu.search.selfcheck.selfcheck import selfcheck as selfcheck
    from emu.timing.predict import Prediction as Prediction
    from emu.timing.predict import UnpricedError as UnpricedError
    from emu.timing.run import predict as predict
    from emu.toolbox.computer.settings import Settings as Settings
    from emu.toolbox.single_calls.toolbox_machine import Machine as Machine
    from emu.verify.check import CheckFailed as CheckFailed
    from emu.verify.check import check as check
    from emu.verify.explain.explanation import Explanation as Explanation
    from emu.verify.explain_failure import ExplainedFailure as ExplainedFailure
    from emu.verify.explain_failure import explain as explain
    from emu.verify.verification import Verification as Verification
    from emu.verify.verification import verify as verify

_HOMES = {
    # cases and their programs
    "load_case": "emu.cases.find",
    "Case": "emu.cases.case",
    "programs_of": "emu.cases.programs.programs",
    "given_program": "emu.cases.programs.programs",
    "Selection": "emu.cases.programs.selection",
    "Subject": "emu.cases.programs.subject",
    "simpler_numbers": "emu.cases.simpler",
    "simpler_bytes": "emu.cases.simpler",
    "random_text": "emu.cases.generators.texts",
    # verdicts
    "verify": "emu.verify.verification",
    "Verification": "emu.verify.verification",
    "check": "emu.verify.check",
    "CheckFailed": "emu.verify.check",
    "explain": "emu.verify.explain_failure",
    "ExplainedFailure": "emu.verify.explain_failure",
    "Explanation": "emu.verify.explain.explanation",
    "selfcheck": "emu.search.selfcheck.selfcheck",
    "Selfcheck": "emu.search.selfcheck.selfcheck",
    "fuzz": "emu.search.fuzz.search",
    "Fuzz": "emu.search.fuzz.search",
    # guest code called from Python
    "Machine": "emu.toolbox.single_calls.toolbox_machine",
    "Budget": "emu.machine.calls.batch",
    "GuestFunction": "emu.machine.guest.guest_functions",
    "GuestGlobals": "emu.machine.guest.guest_globals",
    "GuestObject": "emu.machine.guest.guest_values",
    "Extended": "emu.program.model.wide_floats",
    "DoubleDouble": "emu.program.model.wide_floats",
    "read_program": "emu.program.read",
    "Program": "emu.program.model.model",
    # whole Mac programs
    "run_program": "emu.runner.runner",
    "RunResult": "emu.runner.runner",
    "Settings": "emu.toolbox.computer.settings",
    # speeds
    "predict": "emu.timing.run",
    "Prediction": "emu.timing.predict",
    # commands of other packages
    "Command": "emu.commands.interface.command",
    "YamlSection": "emu.base.yaml_document",
    # what goes wrong
    "MacproofError": "emu.base.errors",
    "UsageError": "emu.base.errors",
    "InputError": "emu.base.errors",
    "CaseError": "emu.base.errors",
    "ProgramError": "emu.base.errors",
    "CompileError": "emu.base.errors",
    "ToolMissingError": "emu.base.errors",
    "WrongResultError": "emu.base.errors",
    "UnpricedError": "emu.timing.predict",
    "GuestError": "emu.base.errors",
    "GuestFault": "emu.machine.calls.faults",
    "ContractViolation": "emu.machine.calls.faults",
    "InternalError": "emu.base.errors",
}
"""The module that each public name comes from, in the order of ``docs/api.md``."""

__all__ = [*_HOMES]
__version__: str

if not TYPE_CHECKING:  # of a name that is none here, a type checker is to say so

    def __getattr__(name: str) -> object:
        home = "emu" if name == "__version__" else _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'macproof' has no attribute {name!r}")
        if problem := _conflict():
            raise ImportError(problem)
        if name in _HOMES:
            importlib.import_module("emu.base.system.support").require_posix()
        value = getattr(importlib.import_module(home), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_HOMES})
