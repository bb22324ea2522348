"""Calls of the Toolbox in words, for somebody who debugs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from emu.toolbox.calls.call_log import CallLog
from emu.toolbox.computer.declaration import Routine, RoutineParameter
from emu.toolbox.macintosh import Macintosh

LAST_CALLS = 10_000
"""How many calls a program that is debugged remembers at least."""

_LARGEST_WORD = 0xFFFF


def remember_calls(mac: Macintosh) -> None:
    """Have a Macintosh remember its last calls."""
    mac.log = CallLog(mac.guest, mac.is_plumbing, LAST_CALLS)


def call_in_words(mac: Macintosh, routine: Routine, arguments: Sequence[Any]) -> str:
    """A call that is about to be made: DrawString ("Hello")."""
    # Another log: one that is read later numbers objects in the order of the calls.
    words = CallLog(mac.guest, mac.is_plumbing)
    shown = ", ".join(
        _word(words, parameter, value)
        for parameter, value in zip(routine.parameters, arguments, strict=False)
    )
    return f"{routine.name} ({shown})"


def _word(words: CallLog, parameter: RoutineParameter, value: Any) -> str:
    """An argument; of what is changed by the call, and of objects, the address."""
    kind = parameter.type
    is_variable = kind.name.startswith("VAR ")
    text = f"{value:#x}" if is_variable else words.as_text(kind, value)
    is_object = isinstance(value, int) and value > _LARGEST_WORD and text.endswith(" 1")
    name = f"{parameter.name}: " if is_variable or is_object else ""
    return f"{name}{value:#x}" if is_object else f"{name}{text}"
