"""The Printing Manager: every page that a program prints becomes a picture.

The printer has 72 dots an inch, black and white, and paper of 8.5 by 11 inches. The user
accepts the style and job dialogs as they are: all pages, one copy; no dialog is seen (but see
`print_dialogs`). A page is kept when it is closed. If a program sets bJDocLoop to spool, its pages
are kept by PrPicFile. The printer's driver takes no calls of a program's (PrCtlCall).
Source: Inside Macintosh: Imaging With QuickDraw, chapter 9 "Printing Manager".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.quickdraw import PixelRegion, PixelView, Rectangle, bytes_in_row, screenshot
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.records.printing import TGnlData, TPrint, TPrPort, TPrStatus
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.results import ResultCode

_GLUE = 0xA8FD
_VERSION = 3
_DEVICE = 3 << 8
"""wDev: the number of the LaserWriter's driver is in its high byte."""

_DOTS = 72
PAGE = Rectangle(0, 0, 730, 552)
"""What can be printed on, in dots."""

PAPER = Rectangle(-31, -30, 761, 582)
_PAPER_HEIGHT, _PAPER_WIDTH = 1320, 1020
_LAST_PAGE = 9999
_SPOOL = 1
_NOT_IMPLEMENTED = 2
_GET_ROTATION = 8


@dataclass(slots=True)
class _Document:
    """A document being printed.

    Attributes:
        record: the handle of its TPrint.
        port: its TPrPort.
        pixels: the address of the page's pixels.
        given: whether the program has given the memory of the port.
        pages: how many have been opened.
        is_open: whether one is open.
    """

    record: int
    port: int
    pixels: int
    given: bool
    pages: int = 0
    is_open: bool = False
    spooled: list[bytes] = field(default_factory=list)


class PrintingManager(Manager):
    """Prints documents page by page."""

    _memory: MemoryManager
    _quickdraw: QuickDraw

    def __post_init__(self) -> None:
        self._documents: dict[int, _Document] = {}
        self._spooled: dict[int, list[bytes]] = {}
        self._printed = 0

    # -- the driver --------------------------------------------------------------------------------

    @routine("PROCEDURE PrOpen")
    def pr_open(self) -> None:
        """Prepare to print."""
        self._error(0)

    @routine("PROCEDURE PrClose")
    def pr_close(self) -> None:
        """Be done with printing."""

    @routine("FUNCTION PrError : INTEGER")
    def pr_error(self) -> int:
        """What went wrong last."""
        return self.guest.i16(LowMemory.PRINT_ERROR)

    @routine("PROCEDURE PrSetError (iErr: INTEGER)")
    def pr_set_error(self, error: int) -> None:
        """Say that something went wrong, as an idle procedure does to end the printing."""
        self._error(error)

    def _error(self, error: int) -> None:
        self.guest.put16(LowMemory.PRINT_ERROR, error)

    @routine("PROCEDURE PrDrvrOpen")
    def pr_drvr_open(self) -> None:
        """Open the printer's driver."""

    @routine("PROCEDURE PrDrvrClose")
    def pr_drvr_close(self) -> None:
        """Close the printer's driver."""

    @routine("FUNCTION PrDrvrVers : INTEGER")
    def pr_drvr_vers(self) -> int:
        """The version of the printer's driver."""
        return _VERSION

    @routine("PROCEDURE PrCtlCall (iWhichCtl: INTEGER; lParam1,lParam2,lParam3: LONGINT)")
    def pr_ctl_call(self, number: int, *parameters: int) -> None:
        """Tell the driver something, such as bits to be printed: it takes nothing."""
        self._error(ResultCode.controlErr)

    @routine("PROCEDURE PrPurge", trap=_GLUE, selector=("long on stack", 0xA8000000))
    def pr_purge(self) -> None:
        """Let the driver be purged, which takes no memory here."""

    @routine("PROCEDURE PrNoPurge", trap=_GLUE, selector=("long on stack", 0xB0000000))
    def pr_no_purge(self) -> None:
        """Keep the driver in memory."""

    @routine("PROCEDURE PrGeneral (pData: Ptr)")
    def pr_general(self, question: int) -> None:
        """Answer that the paper is upright; other resolutions and draft bits are not there."""
        record = TGnlData(self.guest, question)
        is_rotation = record.iOpCode == _GET_ROTATION
        record.iError = 0 if is_rotation else _NOT_IMPLEMENTED
        if is_rotation:
            record.fLandscape = 0

    # -- print records -----------------------------------------------------------------------------

    @routine("PROCEDURE PrintDefault (hPrint: Handle)")
    def print_default(self, handle: int) -> None:
        """Fill a print record with what is usual."""
        record = TPrint.copied()
        record.iPrVersion, record.rPaper = _VERSION, PAPER
        for info in (record.prInfo, record.prInfoPT):
            info.iVRes = info.iHRes = _DOTS
            info.rPage = PAGE
        style, job = record.prStl, record.prJob
        style.wDev, style.iPageV, style.iPageH = _DEVICE, _PAPER_HEIGHT, _PAPER_WIDTH
        job.iFstPage, job.iLstPage, job.iCopies = 1, _LAST_PAGE, 1
        self._memory.set_contents(handle, record.read())

    @routine("FUNCTION PrValidate (hPrint: Handle): BOOLEAN")
    def pr_validate(self, handle: int) -> bool:
        """Make a record one of this printer's; whether it was none."""
        data = self._memory.contents(handle)
        if len(data) >= TPrint.size and TPrint.iPrVersion.of(data) == _VERSION:
            return False
        self.print_default(handle)
        return True

    @routine("FUNCTION PrStlDialog (hPrint: Handle): BOOLEAN")
    def pr_stl_dialog(self, handle: int) -> bool:
        """Ask for the paper; the user accepts what is there."""
        self.pr_validate(handle)
        return True

    @routine("FUNCTION PrJobDialog (hPrint: Handle): BOOLEAN")
    def pr_job_dialog(self, handle: int) -> bool:
        """Ask which pages to print; the user accepts what is there."""
        self.pr_validate(handle)
        return True

    @routine("PROCEDURE PrJobMerge (hPrintSrc: Handle; hPrintDst: Handle)")
    def pr_job_merge(self, source: int, target: int) -> None:
        """Print a document as another one."""
        memory = self._memory
        job = TPrint(self.guest, memory.address(source)).prJob
        TPrint(self.guest, memory.address(target)).prJob = job

    # -- documents and pages -----------------------------------------------------------------------

    @routine("FUNCTION PrOpenDoc (hPrint: Handle; pPrPort: Ptr; pIOBuf: Ptr): Ptr")
    def pr_open_doc(self, handle: int, given: int, buffer: int) -> int:
        """Begin a document; its port becomes the current one. nil if there is no memory for it."""
        memory = self._memory
        row_bytes = bytes_in_row(PAGE.width, 1)
        pixels = memory.new_pointer(row_bytes * PAGE.height, True)
        port = given or (memory.new_pointer(TPrPort.size, True) if pixels else 0)
        if not pixels or not port:
            self._error(ResultCode.memFullErr)
            if pixels:
                memory.dispose_pointer(pixels)
            return 0
        self._documents[port] = _Document(handle, port, pixels, bool(given))
        self._quickdraw.open_port(port, PAGE)
        self._quickdraw.port = port
        self._error(0)
        return port

    @routine("PROCEDURE PrOpenPage (pPrPort: Ptr; pPageFrame: Ptr)")
    def pr_open_page(self, port: int, frame: int) -> None:
        """Begin a page, with a port as if it were new."""
        document = self._document(port)
        if document.is_open:
            self.host.report("print page", "PrOpenPage was called while a page was open")
        quickdraw, row_bytes = self._quickdraw, bytes_in_row(PAGE.width, 1)
        quickdraw.initialise_port(port)
        record = GrafPort(self.guest, port)
        bits = record.portBits
        bits.baseAddr, bits.rowBytes, bits.bounds = document.pixels, row_bytes, PAGE
        record.portRect = PAGE
        quickdraw.clip_visible(port, PixelRegion.from_rectangle(PAGE))
        self.guest.write(document.pixels, bytes(row_bytes * PAGE.height))
        document.pages, document.is_open = document.pages + 1, True
        quickdraw.port = port

    @routine("PROCEDURE PrClosePage (pPrPort: Ptr)")
    def pr_close_page(self, port: int) -> None:
        """End a page: it is kept if the job is to print it. The idle procedure is called."""
        document = self._document(port)
        if not document.is_open:
            self.host.report("print page", "PrClosePage was called while no page was open")
            return
        document.is_open = False
        job = TPrint(self.guest, self._memory.address(document.record)).prJob
        if job.iFstPage <= document.pages <= job.iLstPage and self.pr_error() == 0:
            png = screenshot(self._bitmap(document))
            document.spooled.append(png)
        idle = job.pIdleProc
        if idle:
            self.host.call_guest(idle, "PROCEDURE Idle")

    def _bitmap(self, document: _Document) -> PixelView:
        row_bytes = bytes_in_row(PAGE.width, 1)
        return self.guest.pixels(document.pixels, row_bytes, PAGE)

    @routine("PROCEDURE PrCloseDoc (pPrPort: Ptr)")
    def pr_close_doc(self, port: int) -> None:
        """End a document: its pages are printed, or wait for PrPicFile if it is spooled."""
        document = self._document(port)
        job = TPrint(self.guest, self._memory.address(document.record)).prJob
        if job.bJDocLoop == _SPOOL:
            self._spooled[document.record] = document.spooled
        else:
            self._print(document.spooled)
        self._quickdraw.close_port(port)
        self._memory.dispose_pointer(document.pixels)
        if not document.given:
            self._memory.dispose_pointer(port)
        del self._documents[port]

    @routine(
        "PROCEDURE PrPicFile (hPrint: Handle; pPrPort: Ptr; pIOBuf: Ptr; pDevBuf: Ptr; "
        "prStatus: Ptr)"
    )
    def pr_pic_file(self, handle: int, port: int, buffer: int, device: int, status: int) -> None:
        """Print the pages of a document that was spooled."""
        pages = self._spooled.pop(handle, [])
        self._print(pages)
        if status:
            record = TPrStatus(self.guest, status)
            record.iTotPages = record.iCurPage = len(pages)
            record.iTotCopies = record.iCurCopy = 1
            record.hPrint = handle

    def _print(self, pages: list[bytes]) -> None:
        for png in pages:
            self._printed += 1
            self.host.outputs.keep_picture(f"page-{self._printed}", png)

    def _document(self, port: int) -> _Document:
        """The document of a port.

        Raises:
            GuestStopped: it is none.
        """
        document = self._documents.get(port)
        if document is None:
            name = self.host.routine_name("PrOpenPage")
            raise self.host.stopped(f"{name} was given 0x{port:08x}, which PrOpenDoc did not make")
        return document
