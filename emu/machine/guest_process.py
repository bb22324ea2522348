"""Runs guest code in another process; if that crashes, names the instruction that did it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from emu.base.errors import MacproofError
from emu.base.processes import workers
from emu.base.processes.black_box import LastInstruction, read_black_box
from emu.base.processes.endings import is_from_outside
from emu.base.temporary import temporary_folder
from emu.machine.cpu import CPUS
from emu.program import read_program

T = TypeVar("T")


def run_apart(function: Callable[..., T], *arguments: Any, program: object = "") -> T:
    """Run something that executes guest code in a process of its own.

    If the process crashes, the function is called again in another process, which records each
    instruction before it is executed. So the function must do the same each time.

    Args:
        function: what is called.
        arguments: what it is called with; it must be possible to pickle them.
        program: the program of the guest code, for the message: "68040 O2 (a.c)".

    Raises:
        ProcessDown: the process crashed; the message names the instruction.
        MacproofError: what the function raised.
    """
    try:
        return workers.run_apart(function, *arguments)
    except workers.ProcessDown as error:
        whose = f"{program}: " if program else ""
        if is_from_outside(error.ending):
            raise workers.ProcessDown(f"{whose}{error}") from error
        last = last_words(lambda box: workers.run_apart(function, *arguments, box=box))
        raise workers.ProcessDown(f"{whose}{error}{last}") from error


class GuestWorkers(workers.Workers):
    """Worker processes for guest code; the message about a crash names the instruction."""

    def apart(self, function: Callable[..., T], *arguments: Any) -> T:
        """See `run_apart`."""
        return run_apart(function, *arguments)


def last_words(run: Callable[[Path], object]) -> str:
    """The last instruction before a crash, as the end of a sentence that reports the crash.

    Args:
        run: repeats what crashed in another process, in which engines record each instruction in
            the file that ``run`` is given. It raises ProcessDown if that crashes again.

    Raises:
        ProcessDown: somebody killed the process.
    """
    with temporary_folder() as folder:
        box = folder / "black-box"
        try:
            run(box)
        except workers.ProcessDown as down:
            if is_from_outside(down.ending):
                raise
            last = read_black_box(box) if box.exists() else None
            return f"; the last instruction it began was {describe(last)}" if last else ""
        except MacproofError:
            pass
        return "; it did not do so again while each instruction was recorded"


def describe(last: LastInstruction) -> str:
    """The text of an instruction and its place: "divs.l d1, d0 at 0x00010300 f+0x6 (a.c:7)"."""
    place = f"0x{last.address:08x}"
    if last.program is not None:
        program = read_program(last.program, architecture=CPUS[last.cpu].architecture)
        place = str(program.locate(last.address))
    return f"{CPUS[last.cpu].disassemble(last.code)} at {place}"
