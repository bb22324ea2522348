"""The Power Manager of a desktop Macintosh: nothing sleeps, and there is no battery.

Gestalt says so ('powr' is 0). Programs with a screen saver or a long computation call some of these
without asking.
Sources: Inside Macintosh: Devices, chapter 6 "Power Manager" (result codes too); Apple's Power.h
(trap words, with selectors in D0) and Power.a (which routines are commands to the microcontroller).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.time.ticks import Ticks

_NO_REPLY = -13001
"""pmReplyTOErr."""
_COMMAND, _IDLE_UPDATE, _IDLE_STATE, _SERIAL_POWER = 0xA085, 0xA285, 0xA485, 0xA685


class PowerManager(Manager):
    """Answers that nothing saves power here."""

    plumbing = True

    _ticks: Ticks

    @routine(
        "FUNCTION PMgrOp (pmCommandRec: Ptr; selector: LONGINT): LONGINT",
        trap=_COMMAND,
        registers="A0,D0 -> D0",
        variants={
            "IdleUpdateTrap": _IDLE_UPDATE,
            "IdleStateTrap": _IDLE_STATE,
            "SerialPowerTrap": _SERIAL_POWER,
        },
        architecture="m68k",
    )
    def power_68k(self, block: int, selector: int, *, trap: int) -> int:
        """Ask the microcontroller, which is not there, or do one of three other calls.

        IdleState with a negative selector is GetCPUSpeed; with others it lets the processor run
        slowly, or not, and SerialPower switches power of ports: both have no effect.
        """
        if trap == _IDLE_UPDATE:
            return self.idle_update()
        if trap == _IDLE_STATE and selector < 0:
            return self.cpu_speed()
        return _NO_REPLY if trap == _COMMAND else 0

    @routine("FUNCTION IdleUpdate: LONGINT", architecture="powerpc")
    def idle_update(self) -> int:
        """Keep the machine from sleeping, which it does not; the ticks."""
        return self._ticks.tick_count()

    @routine("FUNCTION GetCPUSpeed: LONGINT", architecture="powerpc")
    def cpu_speed(self) -> int:
        """The processor's clock in MHz."""
        return self.host.machine.megahertz

    @routine("PROCEDURE EnableIdle", architecture="powerpc", imports=("DisableIdle",))
    @routine(
        "PROCEDURE AOn", architecture="powerpc", imports=("AOnIgnoreModem", "BOn", "AOff", "BOff")
    )
    def switch(self) -> None:
        """Let the processor run slowly, or switch power of a port: all is on, and stays so."""

    @routine(
        "PROCEDURE SleepQInstall (qRecPtr: Ptr)",
        trap=0xA28A,
        registers="A0",
        variants={"SleepQRemove": 0xA48A},
    )
    def sleep_queue(self, record: int, *, trap: int) -> None:
        """Have a routine called before the machine sleeps, or no longer: it never does."""

    # -- the microcontroller of portables ----------------------------------------------------------

    @routine("FUNCTION DisableWUTime: OSErr", architecture="powerpc")
    def disable_wake_up(self) -> int:
        """Set no time to wake up: no microcontroller answers."""
        return _NO_REPLY

    @routine("FUNCTION SetWUTime (time: UInt32): OSErr", architecture="powerpc")
    @routine("FUNCTION ModemStatus (VAR status: SignedByte): OSErr", architecture="powerpc")
    def command(self, argument: int) -> int:
        """Set the time to wake up, or ask for the modem: no microcontroller answers."""
        return _NO_REPLY

    @routine(
        "FUNCTION BatteryStatus (VAR status: SignedByte; VAR power: SignedByte): OSErr",
        architecture="powerpc",
    )
    @routine(
        "FUNCTION GetWUTime (VAR time: LONGINT; VAR flag: SignedByte): OSErr",
        architecture="powerpc",
    )
    def question(self, first: int, second: int) -> int:
        """Ask for the battery, or the time to wake up: no microcontroller answers."""
        return _NO_REPLY

    # -- what later systems can tell ---------------------------------------------------------------

    @routine("FUNCTION PMSelectorCount: INTEGER", architecture="powerpc", imports=("BatteryCount",))
    @routine("FUNCTION PMFeatures: UInt32", architecture="powerpc")
    @routine("FUNCTION GetSleepTimeout: Byte", architecture="powerpc")
    def nothing(self) -> int:
        """How many features or batteries there are, or when it sleeps: 0, none and never."""
        return 0

    @routine("PROCEDURE SetSleepTimeout (timeout: Byte)", architecture="powerpc")
    def set_sleep_timeout(self, timeout: int) -> None:
        """Have the machine sleep after some time: it never does."""

    @routine("FUNCTION IsProcessorCyclingEnabled: BOOLEAN", architecture="powerpc")
    def is_cycling(self) -> bool:
        """Whether the processor is stopped now and then to save power: no."""
        return False
