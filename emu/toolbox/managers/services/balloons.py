"""The Help Manager: nobody points at anything for long, and the Help menu is not in the menu bar.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 3 "Help Manager".
"""

from __future__ import annotations

from typing import Any

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.menus.manager import MenuManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.system_file.menus import HELP_MENU

_NO_HELP = -1
"""What HMGetMenuResID and HMGetDialogResID tell where no help resource was chosen."""


class BalloonManager(Manager):
    """Keeps whether balloon help is on; no balloon appears."""

    _menus: MenuManager

    def __post_init__(self) -> None:
        self._menu = 0
        self._is_on = False
        self._of_menus: dict[int, int] = {}
        self._of_dialogs = _NO_HELP

    @routine("FUNCTION HMGetBalloons : BOOLEAN")
    def hm_get_balloons(self) -> bool:
        """Whether balloon help is on."""
        return self._is_on

    @routine("FUNCTION HMSetBalloons (flag: BOOLEAN): OSErr")
    def hm_set_balloons(self, flag: bool) -> int:
        """Turn balloon help on or off."""
        self._is_on = flag
        return 0

    @routine("FUNCTION HMIsBalloon : BOOLEAN")
    def hm_is_balloon(self) -> bool:
        """Whether a balloon is shown: none is."""
        return False

    @routine("FUNCTION HMRemoveBalloon : OSErr")
    def hm_remove_balloon(self) -> int:
        """Take the balloon away; there is none."""
        return ResultCode.hmNoBalloonUp

    @routine("FUNCTION HMGetHelpMenuHandle (VAR mh: MenuHandle): OSErr")
    def hm_get_help_menu_handle(self, result: int) -> int:
        """The Help menu, to which a program adds items; nobody can choose them."""
        if not self._menu:
            self._menu = self._menus.get_menu(HELP_MENU)
        self.guest.put32(result, self._menu)
        return 0 if self._menu else ResultCode.memFullErr

    # -- balloons ----------------------------------------------------------------------------------

    def _show(self) -> int:
        """The error of every try: help is off, or nobody points at anything for long enough."""
        return ResultCode.hmBalloonAborted if self._is_on else ResultCode.hmHelpDisabled

    @routine(
        "FUNCTION HMShowBalloon (aHelpMsg: Ptr; tip: Point; alternateRect: Ptr; tipProc: Ptr; "
        "theProc: INTEGER; variant: INTEGER; method: INTEGER): OSErr"
    )
    def hm_show_balloon(
        self, text: int, tip: Point, around: int, move: int, shape: int, variant: int, method: int
    ) -> int:
        """Show a balloon: the mouse never rests on anything."""
        return self._show()

    @routine(
        "FUNCTION HMShowMenuBalloon (itemNum: INTEGER; itemMenuID: INTEGER; itemFlags: LONGINT; "
        "itemReserved: LONGINT; tip: Point; alternateRect: Ptr; tipProc: Ptr; theProc: INTEGER; "
        "variant: INTEGER): OSErr"
    )
    def hm_show_menu_balloon(self, *arguments: int) -> int:
        """The same for a menu's item."""
        return self._show()

    # -- what help resources say -------------------------------------------------------------------

    @routine(
        "FUNCTION HMGetIndHelpMsg (whichType: ResType; whichResID: INTEGER; whichMsg: INTEGER; "
        "whichState: INTEGER; VAR options: LONGINT; VAR tip: Point; VAR altRect: Rect; "
        "VAR theProc: INTEGER; VAR variant: INTEGER; VAR helpMsg: Ptr; "
        "VAR count: INTEGER): OSErr"
    )
    @routine(
        "FUNCTION HMExtractHelpMsg (whichType: ResType; whichResID: INTEGER; whichMsg: INTEGER; "
        "whichState: INTEGER; VAR aHelpMsg: Ptr): OSErr"
    )
    @routine(
        "FUNCTION HMScanTemplateItems (whichID: INTEGER; whichResFile: INTEGER; "
        "whichType: ResType): OSErr"
    )
    def read_help(self, *arguments: Any) -> int:
        """Read a message of a help resource: none is read here, as if it were not there."""
        return ResultCode.resNotFound

    # -- whose help resources ----------------------------------------------------------------------

    @routine("FUNCTION HMSetMenuResID (menuID: INTEGER; resID: INTEGER): OSErr")
    def hm_set_menu_res_id(self, menu: int, number: int) -> int:
        """Say which 'hmnu' resource is a menu's; -1 for none."""
        self._of_menus[menu] = number
        return 0

    @routine("FUNCTION HMGetMenuResID (menuID: INTEGER; VAR resID: INTEGER): OSErr")
    def hm_get_menu_res_id(self, menu: int, number: int) -> int:
        """Which one is."""
        self.guest.put16(number, self._of_menus.get(menu, _NO_HELP))
        return 0

    @routine("FUNCTION HMSetDialogResID (resID: INTEGER): OSErr")
    def hm_set_dialog_res_id(self, number: int) -> int:
        """Say which 'hdlg' resource is that of the next dialog."""
        self._of_dialogs = number
        return 0

    @routine("FUNCTION HMGetDialogResID (VAR resID: INTEGER): OSErr")
    def hm_get_dialog_res_id(self, number: int) -> int:
        """Which one is."""
        self.guest.put16(number, self._of_dialogs)
        return 0
