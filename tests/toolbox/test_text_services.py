"""The Text Services Manager: documents of a program, and no service."""

from __future__ import annotations

import pytest

from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.records.results import ResultCode
from tests.toolbox.conftest import do
from tests.toolbox.window_kit import Desktop


@pytest.fixture
def kinds(mac: Macintosh) -> int:
    """The address of the one type of document."""
    place = mac.memory.new_pointer(4)
    mac.guest.write(place, b"tsvc")
    return place


def test_documents_are_of_a_program_that_knows_services(mac: Macintosh, kinds: int) -> None:
    result = mac.memory.new_pointer(4)
    assert do(mac, "CloseTSMAwareApplication") == ResultCode.tsmNeverRegisteredErr
    assert do(mac, "NewTSMDocument", 1, kinds, result, 7) == ResultCode.tsmNeverRegisteredErr
    assert do(mac, "InitTSMAwareApplication") == 0
    assert do(mac, "InitTSMAwareApplication") == ResultCode.tsmAlreadyRegisteredErr
    assert do(mac, "NewTSMDocument", 2, kinds, result, 7) == ResultCode.tsmUnsupportedTypeErr
    assert do(mac, "NewTSMDocument", 1, kinds, result, 7) == 0
    document = mac.guest.u32(result)
    assert mac.memory.is_handle(document)
    assert do(mac, "CloseTSMAwareApplication") == ResultCode.tsmDocumentOpenErr
    assert do(mac, "DeleteTSMDocument", document) == 0
    assert do(mac, "DeleteTSMDocument", document) == ResultCode.tsmInvalidDocIDErr
    assert do(mac, "CloseTSMAwareApplication") == 0


def test_one_document_is_active(mac: Macintosh, kinds: int) -> None:
    result = mac.memory.new_pointer(4)
    do(mac, "InitTSMAwareApplication")
    documents = []
    for _ in range(2):
        do(mac, "NewTSMDocument", 1, kinds, result, 0)
        documents.append(mac.guest.u32(result))
    one, two = documents
    assert do(mac, "FixTSMDocument", one) == ResultCode.tsmDocNotActiveErr
    assert [do(mac, "ActivateTSMDocument", document) for document in (one, two)] == [0, 0]
    assert do(mac, "FixTSMDocument", one) == ResultCode.tsmDocNotActiveErr
    assert do(mac, "FixTSMDocument", two) == 0
    assert do(mac, "DeactivateTSMDocument", two) == 0
    assert do(mac, "DeactivateTSMDocument", two) == ResultCode.tsmDocNotActiveErr
    for name in ("ActivateTSMDocument", "DeactivateTSMDocument", "FixTSMDocument"):
        assert do(mac, name, 0) == ResultCode.tsmInvalidDocIDErr
    assert do(mac, "UseInputWindow", 0, True) == do(mac, "UseInputWindow", one, False) == 0
    assert do(mac, "UseInputWindow", 5, True) == -50


def test_nothing_is_taken_by_a_service(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(16)
    assert not do(mac, "TSMEvent", place)
    assert not do(mac, "TSMMenuSelect", 0x00800001)
    assert not do(mac, "SetTSMCursor", Point(5, 5))
    assert do(mac, "OpenTextService", 0, 0, place) == ResultCode.tsmInvalidDocIDErr
    assert do(mac, "CloseTextService", 0, 0) == ResultCode.tsmInvalidDocIDErr
    assert do(mac, "GetDefaultInputMethod", place, place) == ResultCode.tsmScriptHasNoIMErr
    assert do(mac, "GetTextServiceLanguage", place) == 0
    assert do(mac, "SetTextServiceLanguage", place) == 0
    mac.guest.put16(place, 1)
    assert do(mac, "SetTextServiceLanguage", place) == -50


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_windows_that_float(cpu: str) -> None:
    desk = Desktop(cpu)
    result = desk.store(bytes(4))
    desk.window(40, 40, 100, 200)

    def front() -> int:
        assert desk.call("GetFrontServiceWindow", result) == 0
        return desk.guest.u32(result)

    assert front() == 0
    box, title = desk.rect(120, 40, 180, 200), desk.string(b"Palette")
    assert desk.call("NewServiceWindow", 0, box, title, True, 4, -1, True, 0, result) == 0
    palette = desk.guest.u32(result)
    assert front() == palette
    assert desk.call("FindServiceWindow", Point(150, 100), result) == 3, "its contents"
    assert desk.guest.u32(result) == palette
    assert desk.call("FindServiceWindow", Point(70, 100), result) == 0, "a window of the program"
    assert desk.guest.u32(result) == 0
    assert desk.call("CloseServiceWindow", palette) == 0
    assert desk.call("CloseServiceWindow", palette) == -50
    assert front() == 0


def test_a_window_floats_over_a_program_that_has_not_called_init_windows(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(300)
    mac.guest.write(place, bytes.fromhex("0028002800640064 00"))
    do(mac, "InitGraf", place + 280)
    assert do(mac, "NewServiceWindow", 0, place, place + 8, True, 4, -1, True, 0, place + 12) == 0
    assert do(mac, "GetFrontServiceWindow", place + 16) == 0
    assert mac.guest.u32(place + 12) == mac.guest.u32(place + 16) != 0
