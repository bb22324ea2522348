"""Programs print: their pages become pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.records.printing import TGnlData, TPrint, TPrPort, TPrStatus
from tests.toolbox.conftest import make_mac, run_code
from tests.toolbox.quickdraw_kit import Drawing


@pytest.fixture(params=["68040", "601"])
def draw(request: pytest.FixtureRequest) -> Drawing:
    """A Macintosh with a printer."""
    return Drawing(make_mac(request.param))


def record_of(draw: Drawing) -> int:
    """A new print record."""
    handle: int = draw.mac.memory.new_handle(TPrint.size)
    draw.call("PrintDefault", handle)
    return handle


def pages(draw: Drawing) -> dict[str, int]:
    """How many pixels are black on each page."""
    found = {}
    for picture in draw.mac.outputs.pictures:
        pixels = np.asarray(Image.open(io.BytesIO(picture.png)).convert("L"))
        assert pixels.shape == (730, 552)
        found[picture.name] = int((pixels == 0).sum())
    return found


def print_pages(draw: Drawing, record: int, widths: tuple[int, ...], given: int = 0) -> None:
    port = draw.call("PrOpenDoc", record, given, 0)
    assert draw.call("PrError") == 0 and draw.guest.u32(draw.globals) == port
    for width in widths:
        draw.call("PrOpenPage", port, 0)
        draw.call("PaintRect", draw.rect(551, 729, 551 + width, 731))
        draw.call("PenSize", 5, 5)
        draw.call("PrClosePage", port)
    draw.call("PrCloseDoc", port)


def test_every_page_is_a_picture(draw: Drawing) -> None:
    draw.call("PrOpen")
    record = record_of(draw)
    assert draw.call("PrStlDialog", record) is True and draw.call("PrJobDialog", record) is True
    info = TPrint(draw.guest, draw.mac.memory.address(record))
    assert (info.prInfo.rPage, info.prInfo.iVRes) == ((0, 0, 730, 552), 72)
    assert (info.prJob.iFstPage, info.prJob.iLstPage, info.prJob.iCopies) == (1, 9999, 1)
    blocks = len(draw.mac.memory.heap.blocks)
    print_pages(draw, record, (1, 0))
    print_pages(draw, record, (100,), draw.mac.memory.new_pointer(TPrPort.size))
    assert pages(draw) == {"page-1": 1, "page-2": 0, "page-3": 1}
    assert len(draw.mac.memory.heap.blocks) == blocks + 4  # three rectangles, and our port
    draw.call("PrClose")
    assert draw.black() == 0 and not draw.mac.outputs.findings


def test_only_the_pages_of_the_job_are_printed(draw: Drawing) -> None:
    record, other = record_of(draw), record_of(draw)
    job = TPrint(draw.guest, draw.mac.memory.address(record)).prJob
    job.iFstPage = job.iLstPage = 2
    draw.call("PrJobMerge", record, other)
    print_pages(draw, other, (1, 0, 1))
    assert pages(draw) == {"page-1": 0}


def test_a_spooled_document_is_printed_when_asked(draw: Drawing) -> None:
    record = record_of(draw)
    TPrint(draw.guest, draw.mac.memory.address(record)).prJob.bJDocLoop = 1
    print_pages(draw, record, (1, 1))
    assert not draw.mac.outputs.pictures
    status = draw.mac.memory.new_pointer(TPrStatus.size)
    draw.call("PrPicFile", record, 0, 0, 0, status)
    assert list(pages(draw)) == ["page-1", "page-2"]
    assert TPrStatus(draw.guest, status).iTotPages == 2
    draw.call("PrPicFile", record, 0, 0, 0, 0)
    assert len(draw.mac.outputs.pictures) == 2


def test_an_idle_procedure_ends_the_printing(draw: Drawing) -> None:
    record = record_of(draw)
    TPrint(draw.guest, draw.mac.memory.address(record)).prJob.pIdleProc = 0x12340
    called: list[int] = []
    draw.mac.host.call_guest = lambda address, *_: called.append(address)
    port = draw.call("PrOpenDoc", record, 0, 0)
    draw.call("PrOpenPage", port, 0)
    draw.call("PrClosePage", port)
    draw.call("PrSetError", 128)
    draw.call("PrOpenPage", port, 0)
    draw.call("PrClosePage", port)
    draw.call("PrCloseDoc", port)
    assert draw.call("PrError") == 128
    assert list(pages(draw)) == ["page-1"] and called == [0x12340, 0x12340]


def test_records_are_validated_and_questions_answered(draw: Drawing) -> None:
    handle = draw.mac.memory.new_handle(4, True)
    assert draw.call("PrValidate", handle) is True
    assert draw.call("PrValidate", handle) is False
    question = TGnlData(draw.guest, draw.mac.memory.new_pointer(TGnlData.size))
    question.iOpCode, question.fLandscape = 8, 7
    draw.call("PrGeneral", question.address)
    assert (question.iError, question.fLandscape) == (0, 0)
    question.iOpCode = 4
    draw.call("PrGeneral", question.address)
    assert question.iError == 2


def test_pages_out_of_order(draw: Drawing) -> None:
    port = draw.call("PrOpenDoc", record_of(draw), 0, 0)
    draw.call("PrClosePage", port)
    draw.call("PrOpenPage", port, 0)
    draw.call("PrOpenPage", port, 0)
    assert [check for check, _ in draw.mac.outputs.findings] == ["print page"] * 2
    with pytest.raises(GuestStopError, match="which PrOpenDoc did not make"):
        draw.call("PrOpenPage", draw.port, 0)


def test_the_selector_is_a_long_word_on_the_stack() -> None:
    mac = make_mac("68040")
    mac.guest.put16(0x944, 0)
    # MOVE.W #5,-(SP); MOVE.L #PrSetError,-(SP); trap; CLR.W -(SP); PrError; pop; RTS
    code = "3f3c0005 2f3cc0000200 a8fd 4267 2f3cba000000 a8fd 301f 4e75"
    assert run_code(mac, code)["d0"] & 0xFFFF == 5
