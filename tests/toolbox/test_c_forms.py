"""The forms of routines for C, which PowerPC programs import in lower case."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import UnknownRoutineError
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.all_managers import MANAGERS
from tests.toolbox.conftest import make_mac, run_code

_JUMP = "7d8903a6 4e800420"  # mtctr r12; bctr, with the caller's LR left alone


class Writer(Manager):
    """Remembers strings and points, and stores a string."""

    title: ClassVar[str] = "Writer"

    def __post_init__(self) -> None:
        self.seen: list[Any] = []

    @routine(
        "FUNCTION WriteBoth (first: Str255; where: Point; second: Str255; VAR answer: Str255): "
        "INTEGER",
        architecture="powerpc",
    )
    def write_both(self, first: int, where: Point, second: int, answer: int) -> int:
        strings = self.guest.pascal_string(first), self.guest.pascal_string(second)
        engine = self.host.engine
        self.seen.append((*strings, where, int(engine.registers[engine.index["r1"]])))
        self.guest.put_pascal_string(answer, b"stored")
        return 7

    @routine("PROCEDURE WriteNumber (number: LONGINT)", architecture="powerpc")
    def write_number(self, number: int) -> None:
        self.seen.append(number)


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> Macintosh:
    monkeypatch.setitem(MANAGERS, "writer", Writer)
    return make_mac("601")


def stored(mac: Macintosh, data: bytes) -> int:
    address = mac.memory.new_pointer(len(data))
    mac.guest.write(address, data)
    return address


def call(mac: Macintosh, name: str, **registers: int) -> dict[str, int]:
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    stub = mac.guest.u32(mac.dispatcher.import_address(name))
    return run_code(mac, _JUMP, r12=stub, **registers)


def test_strings_end_with_a_zero_and_points_are_passed_by_address(mac: Macintosh) -> None:
    first, second = stored(mac, b"one\0"), stored(mac, b"x" * 300 + b"\0")
    where, answer = stored(mac, b"\xff\xfe\0\5"), stored(mac, b"\xaa" * 16)
    registers = call(mac, "writeboth", r3=first, r4=where, r5=second, r6=answer)
    writer = mac.managers["writer"]
    assert isinstance(writer, Writer)
    ((text, long, point, stack_pointer),) = writer.seen
    assert (text, long, point) == (b"one", b"x" * 255, Point(-2, 5))
    assert registers["r3"] == 7
    assert mac.guest.read(answer, 8) == b"stored\0\xaa"
    assert mac.guest.read(first, 4) == b"one\0"
    assert stack_pointer % 16 == 0 and registers["r1"] - stack_pointer >= 2 * 256
    assert mac.guest.u32(stack_pointer) == registers["r1"]


def test_a_missing_string_is_empty(mac: Macintosh) -> None:
    where, answer = stored(mac, bytes(4)), stored(mac, bytes(16))
    call(mac, "writeboth", r3=0, r4=where, r5=0, r6=answer)
    writer = mac.managers["writer"]
    assert isinstance(writer, Writer)
    assert writer.seen[0][:3] == (b"", b"", Point(0, 0))


def test_a_routine_without_strings_and_points_has_no_such_form(mac: Macintosh) -> None:
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    assert mac.dispatcher.knows("WriteNumber") and not mac.dispatcher.knows("writenumber")
    assert mac.dispatcher.knows("getdialogitemtext") and mac.dispatcher.knows("setcontroltitle")
    with pytest.raises(UnknownRoutineError, match="import writenumber"):
        call(mac, "writenumber", r3=1)
