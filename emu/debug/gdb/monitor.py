"""``monitor`` commands: what GDB has no words for."""

from __future__ import annotations

from emu.base.yaml_document import did_you_mean
from emu.debug.gdb.resumption import UserPoints
from emu.debug.monitor import HELP
from emu.debug.symbols.program_symbols import ProgramSymbols
from emu.debug.timeline import Timeline
from emu.machine.cpu import CPUS
from emu.toolbox.declarations import declarations

_LOADS_SEGMENTS = "LoadSeg"
_OWN_HELP = """\
break NAME     stop before each call of a Toolbox routine, such as DrawString
delete NAME    no longer
finding [off]  stop when a check finds a mistake of the program; off: no longer
symbols        files with symbols, and where their sections lie
time           how many instructions the program has executed
where          the next instruction's place in words
"""


class MonitorCommands:
    """Answers ``monitor`` commands.

    Args:
        timeline: the program.
        symbols: its files with symbols.
        points: what the user wants to stop at.
    """

    def __init__(self, timeline: Timeline, symbols: ProgramSymbols, points: UserPoints) -> None:
        self._timeline = timeline
        self._symbols = symbols
        self._points = points

    def answer(self, text: str) -> str:
        """The answer, lines of text."""
        words = text.split()
        match words:
            case [] | ["help"]:
                return _OWN_HELP + HELP
            case ["break", name]:
                return self._set_routine(name, wanted=True)
            case ["delete", name]:
                return self._set_routine(name, wanted=False)
            case ["finding"] | ["finding", "on"]:
                self._timeline.stop_at_findings(True)
                return "the program stops at the next finding\n"
            case ["finding", "off"]:
                self._timeline.stop_at_findings(False)
                return "findings do not stop the program\n"
            case ["symbols"]:
                return self._symbols.lines()
            case ["time"]:
                return f"{self._timeline.stop.instructions:,} instructions\n"
            case ["where"]:
                return f"{self._timeline.describe(self._timeline.stop.pc)}\n"
        return self._timeline.monitor(text)

    def _set_routine(self, name: str, *, wanted: bool) -> str:
        names = {
            declared.routine.name
            for declared in declarations(CPUS[self._timeline.cpu].architecture).all
        }
        if name not in names:
            return f"there is no Toolbox routine {name}{did_you_mean(name, sorted(names))}\n"
        if name == _LOADS_SEGMENTS:
            self._points.loads = wanted
        elif wanted:
            self._timeline.set_routine(name)
        else:
            self._timeline.clear_routine(name)
        verb = "stops" if wanted else "no longer stops"
        return f"the program {verb} before calls of {name}\n"
