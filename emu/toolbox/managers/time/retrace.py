"""The Vertical Retrace Manager: tasks that run every few ticks.

As those of the Time Manager, they run when the program asks for the time or for an event.
Source: Inside Macintosh: Processes, chapter 4; Inside Macintosh II, chapter 11.
"""

from __future__ import annotations

from emu.toolbox.computer.clock import TICKS_A_SECOND
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import VBLTask

_TYPE = 1
_MICROSECONDS = 1_000_000 / TICKS_A_SECOND


class RetraceManager(Manager):
    """Runs tasks by the ticks."""

    title = "Vertical Retrace Manager"
    plumbing = True

    _time: TimeManager

    @routine("FUNCTION VInstall (vblTaskPtr: QElemPtr): OSErr")
    def v_install(self, task: int) -> int:
        """Have a task run after the ticks in its record."""
        record = VBLTask(self.guest, task)
        if record.qType != _TYPE:
            return ResultCode.vTypErr
        self._plan(task, record.vblCount + record.vblPhase)
        return 0

    @routine("FUNCTION VRemove (vblTaskPtr: QElemPtr): OSErr")
    def v_remove(self, task: int) -> int:
        """Forget a task; qErr if it is not in the queue."""
        return 0 if self._time.drop_alarm(task) else ResultCode.qErr

    @routine("FUNCTION SlotVInstall (vblBlockPtr: QElemPtr; theSlot: INTEGER): OSErr")
    def slot_v_install(self, task: int, slot: int) -> int:
        """Have a task run at the retraces of a screen, of which there is one, 60 times a second."""
        return self.v_install(task)

    @routine("FUNCTION SlotVRemove (vblBlockPtr: QElemPtr; theSlot: INTEGER): OSErr")
    def slot_v_remove(self, task: int, slot: int) -> int:
        """Forget such a task."""
        return self.v_remove(task)

    @routine("FUNCTION AttachVBL (theSlot: INTEGER): OSErr", trap=0xA071, registers="D0 -> D0")
    def attach_vbl(self, slot: int) -> int:
        """Say whose retraces drive the others: the one screen's."""
        return 0

    def _plan(self, task: int, ticks: int) -> None:
        at = self.host.clock.now() + int(max(ticks, 1) * _MICROSECONDS)
        self._time.set_alarm(task, at, self._run)

    def _run(self, task: int) -> None:
        """Run a task; it runs again if it has put a new count into its record."""
        record = VBLTask(self.guest, task)
        record.vblCount = 0
        # It stays in the queue while it runs, so that it can remove itself.
        self._time.set_alarm(task, 1 << 62, self._run)
        self._time.call_task(record.vblAddr, task, "a0")
        if record.vblCount > 0 and self._time.drop_alarm(task):
            self._plan(task, record.vblCount)
