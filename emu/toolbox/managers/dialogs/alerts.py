"""The Dialog Manager: alerts."""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.dialogs.events import DialogEvents
from emu.toolbox.managers.dialogs.manager import DialogManager
from emu.toolbox.managers.dialogs.open_dialogs import DialogList
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.description import FRONT, WindowDescription, placed

# Low memory (Inside Macintosh I, p. I-411 and p. I-423).
_NUMBER = 0xA98
_COUNT = 0xA9A
_SOUND = 0xA9C

_D_BOX = 1
_NOT_SHOWN = -1
_LAST_STAGE = 3
_STOP, _NOTE, _CAUTION = 0, 1, 2
"""'ICON' resources of the System file."""


class AlertManager(Manager):
    """Alerts: dialogs that ask one thing."""

    _resources: ResourceManager
    _windows: WindowAccess
    _dialogs: DialogList
    _dialog_manager: DialogManager
    _dialog_events: DialogEvents

    @routine("FUNCTION Alert (alertID: INTEGER; filterProc: ProcPtr): INTEGER")
    def alert(self, number: int, procedure: int) -> int:
        """Show an alert, and wait for an answer; -1 if none is shown or its resource is missing."""
        return self._show(number, procedure)

    @routine("FUNCTION StopAlert (alertID: INTEGER; filterProc: ProcPtr): INTEGER")
    def stop_alert(self, number: int, procedure: int) -> int:
        """An alert that says that something cannot be done."""
        return self._show(number, procedure, _STOP)

    @routine("FUNCTION NoteAlert (alertID: INTEGER; filterProc: ProcPtr): INTEGER")
    def note_alert(self, number: int, procedure: int) -> int:
        """An alert that tells something."""
        return self._show(number, procedure, _NOTE)

    @routine("FUNCTION CautionAlert (alertID: INTEGER; filterProc: ProcPtr): INTEGER")
    def caution_alert(self, number: int, procedure: int) -> int:
        """An alert that warns."""
        return self._show(number, procedure, _CAUTION)

    def _show(self, number: int, procedure: int, icon: int | None = None) -> int:
        data = self._resources.data("ALRT", number)
        if data is None:
            self._resources.report_missing("ALRT", number, "no alert is shown, the answer is -1")
            return _NOT_SHOWN
        template = Template(self.host, "ALRT", number, data)
        bounds, items, stages = template.rectangle(), template.i16(), template.u16()
        bounds = placed(self._windows.list, bounds, template.position(), has_title=False)
        nibble = stages >> 4 * self._next_stage(number) & 15
        self._sound(nibble & 3)
        if not nibble & 4:
            return _NOT_SHOWN
        wanted = WindowDescription(bounds, b"", True, _D_BOX, FRONT, False, 0)
        wanted = self._dialog_manager.in_color(wanted, "actb", number)
        dialog = self._dialog_manager.of_resource(0, wanted, items)
        if not dialog:
            return _NOT_SHOWN
        choices = self._dialogs.choices[dialog]
        choices.default = choices.ring = 2 if nibble & 8 else 1
        if icon is not None:
            choices.icon = self._resources.get("ICON", icon)
        hit = self._dialog_events.wait_for_item(procedure)
        self._dialog_manager.dispose_dialog(dialog)
        return hit

    def _next_stage(self, number: int) -> int:
        """0 for the first time an alert comes, up to 3 if it comes again and again."""
        guest = self.guest
        again = guest.i16(_NUMBER) == number
        stage = min(guest.u16(_COUNT) + 1, _LAST_STAGE) if again else 0
        guest.put16(_NUMBER, number)
        guest.put16(_COUNT, stage)
        return stage

    def _sound(self, sound: int) -> None:
        procedure = self.guest.u32(_SOUND)
        if procedure:
            self.host.call_guest(procedure, "PROCEDURE Sound (soundNo: INTEGER)", sound)

    @routine("PROCEDURE ErrorSound (soundProc: ProcPtr)")
    def error_sound(self, procedure: int) -> None:
        """The routine that makes the sounds of alerts."""
        self.guest.put32(_SOUND, procedure)

    @routine("FUNCTION GetAlertStage : INTEGER")
    def get_alert_stage(self) -> int:
        """How often the last alert came in a row, less one; at most 3."""
        return self.guest.u16(_COUNT)

    @routine("PROCEDURE ResetAlertStage", imports=("ResetAlrtStage",))
    def reset_alert_stage(self) -> None:
        """Let the next alert count as the first."""
        self.guest.put16(_NUMBER, -1)
        self.guest.put16(_COUNT, 0)
