"""The Help Manager: nobody points at anything for long, and the menu bar has no Help menu.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 3 "Help Manager".
"""

from __future__ import annotations

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager

_HELP_DISPATCH = 0xA830
_NO_HELP_MENU = -855
"""hmHelpManagerNotInited: the Help menu is not set up."""

_NOT_VISIBLE = -853
"""hmNoBalloonUp."""


class BalloonManager(Manager):
    """Keeps whether balloon help is on; no balloon appears."""

    title = "Help Manager"

    def __post_init__(self) -> None:
        self._is_on = False

    @routine("FUNCTION HMGetBalloons : BOOLEAN", trap=_HELP_DISPATCH, selector=("D0", 0x3))
    def hm_get_balloons(self) -> bool:
        """Whether balloon help is on."""
        return self._is_on

    @routine(
        "FUNCTION HMSetBalloons (flag: BOOLEAN): OSErr", trap=_HELP_DISPATCH, selector=("D0", 0x104)
    )
    def hm_set_balloons(self, flag: bool) -> int:
        """Turn balloon help on or off."""
        self._is_on = flag
        return 0

    @routine("FUNCTION HMIsBalloon : BOOLEAN", trap=_HELP_DISPATCH, selector=("D0", 0x7))
    def hm_is_balloon(self) -> bool:
        """Whether a balloon is shown: none is."""
        return False

    @routine("FUNCTION HMRemoveBalloon : OSErr", trap=_HELP_DISPATCH, selector=("D0", 0x2))
    def hm_remove_balloon(self) -> int:
        """Take the balloon away; there is none."""
        return _NOT_VISIBLE

    @routine(
        "FUNCTION HMGetHelpMenuHandle (VAR mh: MenuHandle): OSErr",
        trap=_HELP_DISPATCH,
        selector=("D0", 0x200),
    )
    def hm_get_help_menu_handle(self, result: int) -> int:
        """The Help menu, to which a program adds items: the menu bar has none."""
        self.guest.put32(result, 0)
        return _NO_HELP_MENU
