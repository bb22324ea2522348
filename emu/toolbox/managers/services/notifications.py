"""The Notification Manager: what a program would tell a user who is not looking.

The text of a notification is kept with the texts of windows, as its alert box would show it.
Source: Inside Macintosh: Processes, chapter 5.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.tasks import TimeManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import NMRec

_NO_RESPONSE, _REMOVE_ITSELF = 0, 0xFFFF_FFFF
_TYPE = 8


class NotificationManager(Manager):
    """Takes notifications."""

    _time: TimeManager

    def __post_init__(self) -> None:
        self._installed: list[int] = []

    @routine("FUNCTION NMInstall (nmReqPtr: QElemPtr): OSErr")
    def nm_install(self, request: int) -> int:
        """Show a notification; the user sees it at once, and the response procedure is called."""
        record = NMRec(self.guest, request)
        if record.qType != _TYPE:
            return ResultCode.nmTypErr
        if record.nmStr:
            text = self.guest.pascal_string(record.nmStr).decode("mac_roman")
            self.host.outputs.keep_window("Notification", text)
        response = record.nmResp
        if response == _REMOVE_ITSELF:
            return 0
        self._installed.append(request)
        if response != _NO_RESPONSE:
            self._time.set_alarm(request, self.host.clock.now(), self._respond)
        return 0

    def _respond(self, request: int) -> None:
        if request in self._installed:
            response = NMRec(self.guest, request).nmResp
            self.host.call_guest(response, "PROCEDURE Response (nmReqPtr: QElemPtr)", request)

    @routine("FUNCTION NMRemove (nmReqPtr: QElemPtr): OSErr")
    def nm_remove(self, request: int) -> int:
        """Take a notification back; qErr if it is not there any more."""
        if request not in self._installed:
            return ResultCode.qErr
        self._installed.remove(request)
        return 0
