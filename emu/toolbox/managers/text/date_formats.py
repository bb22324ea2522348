"""Dates as text, in the form that 'itl0' and 'itl1' resources describe.

Source: Inside Macintosh: Text, appendix B, "International Resources".
"""

from __future__ import annotations

from datetime import datetime, timedelta

from emu.toolbox.system_file.international import NAMES_OF_DAYS_AND_MONTHS, NUMBERS_AND_TIMES

EPOCH = datetime(1904, 1, 1)
_SHORT, _LONG = 0, 1

_ORDERS = ("mdy", "dmy", "ymd", "myd", "dym", "ydm")
_SHORT_ORDER, _SHORT_FORM, _SHORT_SEPARATOR = 7, 8, 9
_DAY_LEADING_ZERO, _MONTH_LEADING_ZERO, _CENTURY = 32, 64, 128

_NAME_SIZE = 16
_DAYS_OF_WEEK = 7
_SUPPRESSED, _LONG_ORDER, _LONG_LEADING_ZERO, _ABBREVIATION, _SEPARATORS = range(304, 309)
_SEPARATOR_SIZE = 4
_DAY_FIRST = 0
_PARTS = {"d": 1, "w": 2, "m": 4, "y": 8}
"""supDay, supWeek, supMonth and supYear."""
_ONLY_WEEKDAY = 255


def date_text(seconds: int, form: int, habits: bytes = b"") -> bytes:
    """A date: 0 "11/6/94", 1 "Sunday, November 6, 1994", 2 "Sun, Nov 6, 1994".

    Args:
        seconds: since the beginning of 1904.
        form: which of these.
        habits: an Intl0Rec for form 0, an Intl1Rec for the others. Where it is too short, that of
            the United States is taken.
    """
    when = EPOCH + timedelta(seconds=seconds)
    usual = NUMBERS_AND_TIMES if form == _SHORT else NAMES_OF_DAYS_AND_MONTHS
    habits = habits if len(habits) >= len(usual) else usual
    return _short(when, habits) if form == _SHORT else _long(when, habits, form != _LONG)


def _short(when: datetime, habits: bytes) -> bytes:
    form = habits[_SHORT_FORM]
    numbers = {
        "d": f"{when.day:0{2 if form & _DAY_LEADING_ZERO else 1}}",
        "m": f"{when.month:0{2 if form & _MONTH_LEADING_ZERO else 1}}",
        "y": f"{when.year}" if form & _CENTURY else f"{when.year % 100:02}",
    }
    order = _ORDERS[habits[_SHORT_ORDER] % len(_ORDERS)]
    return habits[_SHORT_SEPARATOR : _SHORT_SEPARATOR + 1].join(numbers[p].encode() for p in order)


def _long(when: datetime, habits: bytes, is_abbreviated: bool) -> bytes:
    """A date in words; with each part that is suppressed the separator behind it goes, too."""

    def name(number: int) -> bytes:
        size, *letters = habits[_NAME_SIZE * number :][:_NAME_SIZE]
        return bytes(letters)[: habits[_ABBREVIATION] if is_abbreviated else size]

    def separator(number: int) -> bytes:
        place = _SEPARATORS + _SEPARATOR_SIZE * number
        return habits[place : place + _SEPARATOR_SIZE].partition(b"\0")[0]

    suppressed = habits[_SUPPRESSED]
    suppressed = _PARTS["w"] if suppressed == _ONLY_WEEKDAY else suppressed
    parts = {
        "w": name(when.isoweekday() % _DAYS_OF_WEEK),
        "d": f"{when.day:0{2 if habits[_LONG_LEADING_ZERO] else 1}}".encode(),
        "m": name(_DAYS_OF_WEEK + when.month - 1),
        "y": f"{when.year}".encode(),
    }
    text = separator(0)
    for number, part in enumerate("wdmy" if habits[_LONG_ORDER] == _DAY_FIRST else "wmdy", 1):
        if not suppressed & _PARTS[part]:
            text += parts[part] + separator(number)
    return text
