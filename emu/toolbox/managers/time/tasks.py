"""The Time Manager and the Vertical Retrace Manager: tasks that run after some time, or ticks.

Tasks run when the program asks for the time or for an event, not between two instructions.
Sources: Inside Macintosh: Processes, chapters 3 and 4; Inside Macintosh II, chapter 11.
"""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.computer.clock import TICKS_A_SECOND
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import TMTask, VBLTask

_ACTIVE = 0x8000
"""The bit of a task's queue type that says it is waiting to be run."""
_TYPE = 1
_MICROSECONDS = 1_000_000 / TICKS_A_SECOND

TASK = "PROCEDURE Task (taskPtr: Ptr)"
"""The heading of a task's routine; what a 68K one gets is in a register."""


class TimeManager(Manager):
    """Runs tasks."""

    plumbing = True

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._due: dict[int, int | None] = {}
        self._alarms: dict[int, tuple[int, Callable[[int], None]]] = {}
        self.next_due = float("inf")
        self.is_running = False

    def run_due(self) -> None:
        """Run every task whose time has come. Also called where the program waits for events."""
        if self.is_running:
            return
        now = self.host.clock.now()
        due = sorted((at, task) for task, at in self._due.items() if at is not None and at <= now)
        self.is_running = True
        try:
            for task in [task for task, (at, _) in self._alarms.items() if at <= now]:
                _, action = self._alarms.pop(task)
                action(task)
            for at, task in due:
                if self._due.get(task) == at:
                    self._due[task] = None
                    self._set_active(task, False)
                    self._run(task)
        finally:
            self.is_running = False
            self._plan()

    def _run(self, task: int) -> None:
        procedure = TMTask(self.guest, task).tmAddr
        if procedure:
            self.host.call_guest(procedure, TASK, task, registers="A1")

    def set_alarm(self, task: int, at: int, action: Callable[[int], None]) -> None:
        """Have another manager's task done once; one that is set already is set anew.

        Args:
            task: the address of its record.
            at: when, in microseconds of the clock.
            action: does it, given the address.
        """
        self._alarms[task] = at, action
        self._plan()

    def drop_alarm(self, task: int) -> bool:
        """Take back `set_alarm`; whether there was one."""
        return self._alarms.pop(task, None) is not None

    def _plan(self) -> None:
        times = [at for at in self._due.values() if at is not None]
        times += [at for at, _ in self._alarms.values()]
        self.next_due = min(times, default=float("inf"))

    def _set_active(self, task: int, active: bool) -> None:
        record = TMTask(self.guest, task)
        kind = record.qType & ~_ACTIVE
        record.qType = kind | _ACTIVE if active else kind

    @routine("PROCEDURE InsTime (tmTaskPtr: QElemPtr)", variants={"InsXTime": 0xA458})
    def ins_time(self, task: int, *, trap: int) -> None:
        """Make a task known; it does not run yet."""
        if task in self._due:
            self.host.report("time tasks", f"the task at 0x{task:08x} was installed twice")
        self._due.setdefault(task, None)
        self._set_active(task, False)
        self._memory.error(0)

    @routine("PROCEDURE PrimeTime (tmTaskPtr: QElemPtr; count: LONGINT)")
    def prime_time(self, task: int, count: int) -> None:
        """Have a task run after milliseconds, or, if negative, microseconds."""
        self._memory.error(0)
        if task not in self._due:
            # Since System 6.0.3 InsTime only clears flags, and PrimeTime installs the task
            # (Apple's sources of 1994, TimeMgr.a).
            self.host.report("time tasks", f"the task at 0x{task:08x} was primed before InsTime")
        microseconds = -count if count < 0 else count * 1000
        self._due[task] = self.host.clock.now() + microseconds
        self._set_active(task, True)
        self._plan()

    @routine("PROCEDURE RmvTime (tmTaskPtr: QElemPtr)")
    def rmv_time(self, task: int) -> None:
        """Forget a task; what was left of its time is in its record."""
        self._memory.error(0)
        if task not in self._due:
            # A Macintosh looks for it in its queue, and does not find it.
            problem = f"the task at 0x{task:08x} was removed, and is not installed"
            self.host.report("time tasks", problem, Sureness.UNUSUAL)
            return
        at = self._due.pop(task)
        left = max(at - self.host.clock.now(), 0) if at is not None else 0
        # Milliseconds, or the negative of microseconds if it is less than those can hold.
        TMTask(self.guest, task).tmCount = -left if left < 1 << 31 else left // 1000
        self._set_active(task, False)
        self._plan()


class RetraceManager(Manager):
    """Runs tasks by the ticks."""

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
        self.host.call_guest(record.vblAddr, TASK, task, registers="A0")
        if record.vblCount > 0 and self._time.drop_alarm(task):
            self._plan(task, record.vblCount)
