"""A decorator for calls that take a parameter block.

A low-level File Manager call has up to four forms, which differ by two bits of the trap word. The
hierarchical form (PBH...) has a directory ID in its block. The asynchronous form calls a completion
routine at the end.
Source: Inside Macintosh: Files, "Summary of the File Manager" (ParamBlockRec, HParamBlockRec,
CInfoPBRec, CMovePBRec, WDPBRec, FCBPBRec).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.records.files import ParamBlockHeader
from emu.toolbox.records.results import ResultCode

if TYPE_CHECKING:
    from emu.toolbox.computer.manager import Manager

_COMPLETION = "PROCEDURE IOCompletion (paramBlock: ParmBlkPtr; result: OSErr)"

HIERARCHICAL = 0x200
ASYNCHRONOUS = 0x400

_Block = TypeVar("_Block", bound=ParamBlockHeader)
_Method = TypeVar("_Method", bound=Callable[..., Any])


def block_call(
    name: str,
    trap: int,
    kind: type[_Block],
    *,
    selector: int | None = None,
    hierarchical: bool = False,
    asynchronous: bool = True,
    also: dict[str, int] | None = None,
) -> Callable[[Callable[[Any, _Block, int], int | None]], Callable[..., int]]:
    """Declare a call that takes the address of a parameter block.

    The method gets the block as a record, and the trap word. The code that it returns, or that of
    a `FileError` that it raises, becomes the result, and is stored in the block too.

    Args:
        name: the call's name without "PB" ("Open").
        trap: the trap word of the plain form.
        kind: what of the block the call uses.
        selector: its number, if several calls share the trap.
        hierarchical: whether there is also a form whose name begins with "PBH".
        asynchronous: whether there are asynchronous forms.
        also: further forms: the name with "PB", and the trap word.
    """
    forms = {f"PB{name}": trap, **(also or {})}
    forms |= {f"PBH{name}": trap | HIERARCHICAL} if hierarchical else {}

    def declare(method: Callable[[Any, _Block, int], int | None]) -> Callable[..., int]:
        @functools.wraps(method)
        def call(self: Manager, address: int, trap: int = trap) -> int:
            block, code = kind(self.guest, address), 0
            try:
                code = method(self, block, trap) or 0
            except FileError as error:
                code = int(error.code)
                report_misuse(self, error)
            block.ioResult = code
            if asynchronous and trap & ASYNCHRONOUS:
                _complete(self, block, code)
            return code

        return routine(
            f"FUNCTION PB{name} (paramBlock: ParmBlkPtr): OSErr",
            trap=trap,
            registers="A0 -> D0",
            selector=None if selector is None else ("D0", selector),
            variants=_variants(forms, asynchronous),
        )(call)

    return declare


def _variants(forms: dict[str, int], asynchronous: bool) -> dict[str, int]:
    """The trap words of all forms by name, synchronous and, if there are such, asynchronous."""
    variants: dict[str, int] = {}
    for form, word in forms.items():
        variants[f"{form}Sync"] = word
        if asynchronous:
            variants[f"{form}Async"] = word | ASYNCHRONOUS
    return variants


def _complete(manager: Manager, block: ParamBlockHeader, code: int) -> None:
    """Call the completion routine, as a driver does at interrupt time.

    On the 68K it gets the error code, too (Inside Macintosh: Devices, chapter 1).
    """
    completion = block.ioCompletion
    if completion:
        manager.host.call_guest(completion, _COMPLETION, block.address, code, registers="A0,D0")


def error_code(heading: str, **declaration: Any) -> Callable[[_Method], _Method]:
    """Declare a routine that returns an error code: the code of the `FileError` that it raises.

    The arguments are those of `declaration.routine`.
    """

    def declare(method: _Method) -> _Method:
        @functools.wraps(method)
        def call(self: Manager, *arguments: Any) -> int:
            try:
                method(self, *arguments)
            except FileError as error:
                report_misuse(self, error)
                return int(error.code)
            return 0

        declared: Any = routine(heading, **declaration)(call)
        return declared  # type: ignore[no-any-return]

    return declare


_DRIVERS = {-6: ".AIn", -7: ".AOut", -8: ".BIn", -9: ".BOut"}
"""The drivers of the serial ports by reference number (Inside Macintosh II, chapter 6)."""

_MOST_UNITS = 64
"""How many drivers there is room for in the unit table; their numbers go from -1 down."""


def report_misuse(manager: Manager, error: FileError) -> None:
    """Record what a program should not have tried; the error that it gets says so, too."""
    if error.is_answer:
        return
    driver, number = _DRIVERS.get(error.driver), error.driver
    which = f"the serial driver {driver}" if driver else f"the device driver {number}"
    if number < -_MOST_UNITS:
        which = f"the reference number {number}, of a file or driver"
    problems = {
        ResultCode.wrPermErr: "the program wrote to a file that is open only for reading",
        ResultCode.fLckdErr: "the program tried to change a locked file",
        ResultCode.permErr: "the program opened a locked file for writing",
        ResultCode.rfNumErr: "the program used a file that is not open",
        ResultCode.badUnitErr: f"the program used {which}, which this Macintosh does not have",
        ResultCode.notOpenErr: f"the program used {which}, which it has not opened",
    }
    if error.code in problems:
        manager.host.report("file access", problems[error.code])
