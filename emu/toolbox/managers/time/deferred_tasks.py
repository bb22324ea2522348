"""The Deferred Task Manager: work that an interrupt leaves until all interrupts are served.

Sources: Inside Macintosh V, chapter 25; Inside Macintosh: Processes, chapter 6.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.tasks import TASK, TimeManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DeferredTask

_TYPE = 7


class DeferredTaskManager(Manager):
    """Runs each deferred task once, as soon as tasks may run."""

    plumbing = True

    _time: TimeManager

    @routine("FUNCTION DTInstall (dtTaskPtr: QElemPtr): OSErr", trap=0xA082, registers="A0 -> D0")
    def dt_install(self, task: int) -> int:
        """Have a task run once; vTypErr if it is no deferred task."""
        if DeferredTask(self.guest, task).qType != _TYPE:
            return ResultCode.vTypErr
        self._time.set_alarm(task, self.host.clock.now(), self._run)
        return 0

    def _run(self, task: int) -> None:
        record = DeferredTask(self.guest, task)
        self.host.call_guest(record.dtAddr, TASK, record.dtParam, registers="A1")
