"""Dialogs of the Printing Manager that a program has changed."""

from __future__ import annotations

from typing import Any

import pytest

from emu.toolbox.records.printing import TPrDlg
from tests.toolbox.window_kit import Desktop

INIT, ITEM = 0x1001, 0x1003
OK, CANCEL, OWN = 1, 2, 4


@pytest.fixture(params=["68040", "601"])
def desk(request: pytest.FixtureRequest) -> Desktop:
    return Desktop(request.param)


class Program:
    """A program with an item of its own in the job dialog; its routines are Python."""

    def __init__(self, desk: Desktop, *hits: int) -> None:
        self.desk, self.hits, self.seen = desk, list(hits), list[int]()
        self.record = desk.call("NewHandle", 120)
        mac = desk.mac
        mac.host.call_guest = self.call
        mac.managers["dialog_events"].wait_for_item = self.wait

    def wait(self, procedure: int) -> int:
        assert self.desk.call("FrontWindow") == self.dialog.address
        return self.hits.pop(0)

    def call(self, address: int, heading: str, *values: Any, registers: str | None = None) -> int:
        if address == INIT:
            place = self.desk.call("PrJobInit", *values)
            self.dialog = TPrDlg(self.desk.guest, place)
            self.standard = self.dialog.pItemProc
            self.dialog.pItemProc = ITEM
            return int(place)
        assert (address, values[0]) == (ITEM, self.dialog.address)
        self.seen.append(values[1])
        if values[1] != OWN:
            self.desk.call("PrintDialogItem", *values)
        return 0

    def ask(self) -> bool:
        return bool(self.desk.call("PrDlgMain", self.record, INIT))


@pytest.mark.parametrize(("last", "accepted"), [(OK, True), (CANCEL, False)])
def test_the_programs_routine_gets_each_item_until_the_dialog_is_done(
    desk: Desktop, last: int, accepted: bool
) -> None:
    program = Program(desk, OWN, OWN, last)
    assert program.ask() is accepted
    assert program.seen == [OWN, OWN, last]
    assert program.standard != 0
    assert desk.call("FrontWindow") == 0


def test_a_dialog_may_be_for_the_paper_and_has_the_usual_record(desk: Desktop) -> None:
    record = desk.call("NewHandle", 120)
    dialog = TPrDlg(desk.guest, desk.call("PrStlInit", record))
    assert (dialog.hPrintUsr, dialog.fDone) == (record, False)
    assert desk.mac.memory.contents(record)[:2] == b"\0\3"  # it has become one of this printer's


def test_a_program_that_makes_no_dialog_prints_nothing(desk: Desktop) -> None:
    program = Program(desk)
    program.call = lambda *arguments, **more: 0  # type: ignore[method-assign]
    desk.mac.host.call_guest = program.call
    assert program.ask() is False
