"""Dates and times: seconds since 1904, dates of any era, and what people write.

Dates are read as people in the USA write them: 11/6/94, or November 6, 1994. A long date is a
number of seconds since 1904 with 64 bits.
Sources: Inside Macintosh: Operating System Utilities, chapter 4; Inside Macintosh: Text, chapter 5
(StringToDate, StringToTime and their status).
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DateTimeRec, LongDateRec

_EPOCH = datetime(1904, 1, 1)
_RECORD = DateTimeRec.layout()
_FOUND, _LEFT_OVER = 1, 2
_NOT_FOUND, _INVALID = 0x8400 - 0x10000, 0x8800 - 0x10000
"""longDateFound, leftOverChars, dateTimeNotFound, dateTimeInvalid."""

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NUMBERS = re.compile(r"\s*(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{1,4}))?")
_WORDS = re.compile(r"\s*(?:[a-z]+,?\s+)??([a-z]{3,})\.?\s+(\d{1,2})(?:,?\s+(\d{1,4}))?", re.I)
_TIME = re.compile(r"\s*(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2}))?\s*([ap])?\.?(?:m\.?)?", re.I)
_CENTURY, _LATE = 100, 90
"""A year of two digits is of this century; or near its end, of the one nearer to the present."""


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

    @routine("PROCEDURE SecondsToDate (secs: LONGINT; VAR d: DateTimeRec)")
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


def date_in(text: str, today: datetime) -> tuple[datetime | None, int]:
    """The date at the beginning of a text and where it ends; None, and -1 where none is written.

    Args:
        text: what somebody wrote.
        today: gives the year if none is written, and the century.
    """
    numbers, words = _NUMBERS.match(text), _WORDS.match(text)
    if numbers:
        month, match = int(numbers[1]), numbers
    elif words and words[1][:3].lower() in _MONTHS:
        month, match = _MONTHS.index(words[1][:3].lower()) + 1, words
    else:
        return None, -1
    year = int(match[3]) if match[3] else today.year
    if match[3] and len(match[3]) <= 2:
        year += today.year - today.year % _CENTURY
        if year % _CENTURY >= _LATE > 50 > today.year % _CENTURY:
            year -= _CENTURY
    try:
        return datetime(year, month, int(match[2])), match.end()
    except ValueError:
        return None, match.end()


def time_in(text: str) -> tuple[tuple[int, int, int] | None, int]:
    """The hour, minute and second at the beginning of a text, likewise."""
    match = _TIME.match(text)
    if not match:
        return None, -1
    hour, minute, second = (int(part or 0) for part in match.groups()[:3])
    if match[4]:
        hour = hour % 12 + (12 if match[4].lower() == "p" else 0)
    valid = hour < 24 and minute < 60 and second < 60
    return ((hour, minute, second) if valid else None), match.end()


class DateStrings(Manager):
    """Reads dates and times, and converts long dates."""

    @routine("FUNCTION InitDateCache (theCache: Ptr): OSErr")
    def init_date_cache(self, cache: int) -> int:
        """Prepare to read dates: the names of the months are known anyway."""
        return 0

    def _finish(self, is_valid: bool, end: int, length: int, used: int) -> int:
        if end < 0:
            return _NOT_FOUND
        self.guest.put32(used, end)
        if not is_valid:
            return _INVALID
        return _FOUND if end == length else _FOUND | _LEFT_OVER

    @routine(
        "FUNCTION StringToDate (textPtr: Ptr; textLen: LONGINT; theCache: Ptr; "
        "VAR lengthUsed: LONGINT; VAR dateTime: Ptr): INTEGER"
    )
    def string_to_date(self, text: int, length: int, cache: int, used: int, result: int) -> int:
        """Read a date; its time of day stays as it is in the record."""
        read = self.guest.read(text, max(length, 0)).decode("mac_roman")
        today = _EPOCH + timedelta(seconds=self.host.clock.seconds())
        when, end = date_in(read, today)
        if when is not None:
            self._put_date(LongDateRec(self.guest, result), when)
        return self._finish(when is not None, end, len(read), used)

    @routine(
        "FUNCTION StringToTime (textPtr: Ptr; textLen: LONGINT; theCache: Ptr; "
        "VAR lengthUsed: LONGINT; VAR dateTime: Ptr): INTEGER"
    )
    def string_to_time(self, text: int, length: int, cache: int, used: int, result: int) -> int:
        """Read a time of day; the date stays as it is in the record."""
        read = self.guest.read(text, max(length, 0)).decode("mac_roman")
        when, end = time_in(read)
        if when is not None:
            record = LongDateRec(self.guest, result)
            record.hour, record.minute, record.second = when
            record.pm = int(when[0] >= 12)
        return self._finish(when is not None, end, len(read), used)

    def _put_date(self, record: LongDateRec, when: datetime) -> None:
        record.era, record.year, record.month, record.day = 0, when.year, when.month, when.day
        record.dayOfWeek = when.isoweekday() % 7 + 1
        record.dayOfYear = when.timetuple().tm_yday
        record.weekOfYear = (record.dayOfYear + 6) // 7

    @routine("PROCEDURE LongDateToSeconds (lDate: Ptr; VAR lSecs: Ptr)")
    def long_date_to_seconds(self, date: int, result: int) -> None:
        """Seconds since 1904; months and the like may lie outside their usual ranges."""
        record = LongDateRec(self.guest, date)
        year, month = record.year + (record.month - 1) // 12, (record.month - 1) % 12 + 1
        days = (datetime(min(max(year, 1), 9999), month, 1) - _EPOCH).days + record.day - 1
        seconds = days * 86400 + record.hour * 3600 + record.minute * 60 + record.second
        self.guest.write(result, seconds.to_bytes(8, "big", signed=True))

    @routine("PROCEDURE LongSecondsToDate (lSecs: Ptr; VAR lDate: Ptr)")
    def long_seconds_to_date(self, seconds: int, result: int) -> None:
        """The date and time of seconds since 1904, in the years 1 to 9999."""
        count = int.from_bytes(self.guest.read(seconds, 8), "big", signed=True)
        try:
            when = _EPOCH + timedelta(seconds=count)
        except OverflowError as error:
            raise self.host.stopped(
                f"LongSecondsToDate: {count} seconds since 1904 lie outside the years 1 to 9999, "
                "which are all that macproof knows"
            ) from error
        record = LongDateRec(self.guest, result)
        record.clear()
        self._put_date(record, when)
        record.hour, record.minute, record.second = when.hour, when.minute, when.second
        record.pm = int(when.hour >= 12)
