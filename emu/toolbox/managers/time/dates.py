"""Dates and times: seconds since 1904, and what people write.

Source: Inside Macintosh: Operating System Utilities, chapter 4.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DateTimeRec

_EPOCH = datetime(1904, 1, 1)
_RECORD = DateTimeRec.layout()


def date_record(seconds: int) -> bytes:
    """A DateTimeRec of seconds since 1904: year to second, and the weekday with Sunday as 1."""
    when = _EPOCH + timedelta(seconds=seconds & 0xFFFFFFFF)
    weekday = when.isoweekday() % 7 + 1
    return _RECORD.pack(
        when.year, when.month, when.day, when.hour, when.minute, when.second, weekday
    )


def record_seconds(record: bytes) -> int:
    """Seconds since 1904 of a DateTimeRec, whose values may lie outside their usual ranges."""
    year, month, day, hour, minute, second, _ = _RECORD.unpack(record)
    year += (month - 1) // 12
    first = datetime(min(max(year, 1), 9998), (month - 1) % 12 + 1, 1)
    days = (first - _EPOCH).days + day - 1
    return int(days * 86400 + hour * 3600 + minute * 60 + second) & 0xFFFFFFFF


class DateManager(Manager):
    """Tells the date."""

    title = "Date, Time, and Measurement Utilities"

    def _now(self) -> int:
        self.host.clock.read()
        self.host.show_time()
        return self.host.clock.seconds()

    @routine("PROCEDURE GetDateTime (VAR secs: LONGINT)")
    def get_date_time(self, variable: int) -> None:
        """Seconds since 1904."""
        self.guest.put32(variable, self._now())

    @routine("FUNCTION ReadDateTime (VAR time: LONGINT): OSErr")
    def read_date_time(self, variable: int) -> int:
        """Seconds since 1904, from the clock chip."""
        self.guest.put32(variable, self._now())
        return 0

    @routine("FUNCTION SetDateTime (time: LONGINT): OSErr")
    def set_date_time(self, seconds: int) -> int:
        """Set the clock, which cannot be set here."""
        return ResultCode.clkWrErr

    @routine("PROCEDURE GetTime (VAR d: DateTimeRec)")
    def get_time(self, record: int) -> None:
        """The date and time now."""
        self.guest.write(record, date_record(self._now()))

    @routine("PROCEDURE SetTime (d: Ptr)")
    def set_time(self, record: int) -> None:
        """Set the clock, which cannot be set here."""

    @routine("PROCEDURE SecondsToDate (secs: LONGINT; VAR d: DateTimeRec)", imports=("Secs2Date",))
    def seconds_to_date(self, seconds: int, record: int) -> None:
        """The date of seconds since 1904."""
        self.guest.write(record, date_record(seconds))

    @routine(
        "PROCEDURE DateToSeconds (d: Ptr; VAR secs: LONGINT)",
        imports=("Date2Secs",),
        architecture="powerpc",
    )
    def date_to_seconds(self, record: int, variable: int) -> None:
        """Seconds since 1904 of a date."""
        self.guest.put32(variable, record_seconds(self.guest.read(record, _RECORD.size)))

    @routine("FUNCTION DateToSeconds (d: Ptr): LONGINT", registers="A0 -> D0", architecture="m68k")
    def date_to_seconds_68k(self, record: int) -> int:
        """The same."""
        return record_seconds(self.guest.read(record, _RECORD.size))
