"""How the run of a program ends: by itself, by its script, or with a problem."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from emu.base.errors import MacproofError
from emu.checks.isa import missing_instruction
from emu.machine import CodeBlock
from emu.runner.machine_hints import ScreenStores, address_hint
from emu.toolbox.guest.findings import GuestStopError, OutOfTimeError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.stale_registers import UNSET, stale_registers
from emu.toolbox.users.exact_user import ExactUser
from emu.toolbox.users.patient_user import PatientUser
from emu.toolbox.users.script import ScriptError
from emu.toolbox.users.users import ScriptedUser

_LONGEST_INSTRUCTION = 22  # bytes, of a 68020 and later

_BRANCH, _BRANCH_AND_LINK = 0xFC000003, 0x48000001
_LOAD_VECTOR = 0x8182
"""lwz r12,n(r2), by which code that calls another fragment fetches a transition vector from its
table of contents; it then saves the table's address at 20(r1)."""
_GLUE = 7
"""Instructions from there to the branch (Assembler for Macintosh with PowerPC, "glue code")."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended: problem, exit code, whether stopped, whether late, the step not done."""

    problem: str = ""
    code: int = 0
    stopped: bool = False
    is_late: bool = False
    undone: int | None = None


def run_to_the_end(mac: Macintosh, user: PatientUser | ScriptedUser | ExactUser) -> Ending:
    """Run a loaded program until it ends, or cannot go on."""
    screen = ScreenStores(mac)
    _go_on_with_float_status(mac)
    try:
        mac.run()
        screen.tell()
        mac.clock.now()  # the model may not know code that was executed
        if isinstance(user, ExactUser):
            user.end()
    except MacproofError as error:
        screen.tell()
        problem = str(error)
        if isinstance(error, GuestStopError):
            problem += whose_instruction(mac, problem) + address_hint(mac)
            problem += _missing_routine(mac) + _stale_registers(mac)
        if isinstance(error, OutOfTimeError) and not isinstance(user, PatientUser):
            problem = user.end_of_time(problem)
        # Keep pictures of the screen, unless the window list is broken.
        with contextlib.suppress(MacproofError):
            mac.windows.finish()
        undone = error.step if isinstance(error, ScriptError) else None
        is_late = isinstance(error, OutOfTimeError)
        return Ending(problem, error.exit_code, True, is_late, undone)
    if mac.host.exit_status:
        problem = f"the program ended with status {mac.host.exit_status}"
        return Ending(problem, ScriptError.exit_code)
    if not isinstance(user, PatientUser) and not user.finished:
        if user.steps_done == user.total:
            return Ending(
                "the program ended before the last exact input of the script was given. Without "
                "its key recorded, the script is done by its steps",
                ScriptError.exit_code,
            )
        problem = f"the program ended before step {user.steps_done + 1} of the script was done"
        return Ending(problem, ScriptError.exit_code, undone=user.steps_done)
    return Ending()


def _go_on_with_float_status(mac: Macintosh) -> None:
    """Only report what is not known of the exceptions of floating point.

    Many programs save and restore the whole status around their calculations, such as UMBRAPHILE,
    and few look at the exceptions in it.
    """

    def go_on(problem: str) -> None:
        state.is_float_status_stale = False
        mac.host.report(
            "float status", f"what the FPU says of its exceptions may lack some: {problem}"
        )

    state = mac.engine.special.execution.state
    state.on_unknown_status = go_on


def _missing_routine(mac: Macintosh) -> str:
    """A line about the routine whose nil a PowerPC program has called, which it imports weakly."""
    registers, index, guest = mac.engine.registers, mac.engine.index, mac.guest
    if mac.cpu.architecture != "powerpc" or registers[index["pc"]]:
        return ""
    code = registers[index["lr"]] - 4
    word = guest.u32(code) if guest.is_mapped(code, 4) else 0
    if word & _BRANCH == _BRANCH_AND_LINK:  # to glue
        code += ((word & 0x03FFFFFC) ^ 0x02000000) - 0x02000000 + 4 * _GLUE
    for place in range(code - 4 * _GLUE, code + 4, 4):
        word = guest.u32(place) if guest.is_mapped(place, 4) else 0
        if word >> 16 == _LOAD_VECTOR:
            contents = guest.u32(registers[index["r1"]] + 20)
            vector = contents + ((word & 0xFFFF) ^ 0x8000) - 0x8000
            found = [fragment.import_at(vector) for fragment in mac.fragments.loaded.values()]
            for symbol in filter(None, found):
                return (
                    f"\n  it calls {symbol.name} of {symbol.library}, which it imports weakly and "
                    "which is not there: programs test such an import for nil before"
                )
    return ""


def _stale_registers(mac: Macintosh) -> str:
    """A line for each register that still has the address of a block which has moved, or nothing.

    Where a block has come since, a read through such a register is none of a mistake that can be
    seen; WASTE 1.1 faults two reads later, at an address that says nothing.
    """
    stale = stale_registers(mac.host, mac.memory.zones)
    lines = [f"\n  {register.words}" for register in stale]
    registers, index = mac.engine.registers, mac.engine.index
    unset = next((name for name, place in index.items() if registers[place] == UNSET), "")
    if unset:
        lines.append(f"\n  {unset} has what new and free memory holds here, 0x{UNSET:08x}")
    if lines and mac.settings.scramble:
        lines.append("\n  with --no-scramble blocks stay where they are, and it may get further")
    return "".join(lines)


def whose_instruction(mac: Macintosh, problem: str) -> str:
    """A line about the illegal instruction that stopped a program, if another processor has it."""
    first, _, _ = problem.partition("\n")
    if not first.startswith("processor exception") or "instruction" not in first:
        return ""
    address = mac.engine.registers[mac.engine.index["pc"]]
    region = mac.engine.memory.find(address)
    if region is None:
        return ""
    size = min(_LONGEST_INSTRUCTION, region.end - address)
    code = mac.engine.memory.view(address, size).tobytes()
    lack = missing_instruction(mac.cpu.name, CodeBlock(address, code))
    return "" if lack is None else f"\n  {lack.words}; run it with --cpu {lack.cpu}"
