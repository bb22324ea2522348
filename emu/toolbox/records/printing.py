"""The Printing Manager's records (Inside Macintosh: Imaging With QuickDraw, chapter 9)."""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    boolean,
    data,
    handle,
    int16,
    int32,
    nested,
    pointer,
    procedure,
    rect,
    uint8,
)
from emu.toolbox.records.quickdraw import GrafPort, QDProcs
from emu.toolbox.records.record import Record
from emu.toolbox.records.windows import DialogRecord


class TPrInfo(Record):
    """Resolution in dots an inch, and the rectangle of a page that can be printed on."""

    iDev = int16()
    iVRes = int16()
    iHRes = int16()
    rPage = rect()


class TPrStl(Record):
    """The printer, and the paper's height and width in 120ths of an inch."""

    wDev = int16()
    iPageV = int16()
    iPageH = int16()
    bPort = uint8()
    feed = uint8()


class TPrXInfo(Record):
    """What a driver notes of its bands."""

    iRowBytes = int16()
    iBandV = int16()
    iBandH = int16()
    iDevBytes = int16()
    iBands = int16()
    bPatScale = uint8()
    bUlThick = uint8()
    bUlOffset = uint8()
    bUlShadow = uint8()
    scan = uint8()
    bXInfoX = uint8()


class TPrJob(Record):
    """Which pages are printed, how often, and whether they are spooled first."""

    iFstPage = int16()
    iLstPage = int16()
    iCopies = int16()
    bJDocLoop = uint8()
    fFromUsr = uint8()
    pIdleProc = procedure()
    pFileName = pointer()
    iFileVol = int16()
    bFileVers = uint8()
    bJobX = uint8()


class TPrint(Record):
    """All that is known of how a document is printed."""

    iPrVersion = int16()
    prInfo = nested(TPrInfo)
    rPaper = rect()
    prStl = nested(TPrStl)
    prInfoPT = nested(TPrInfo)
    prXInfo = nested(TPrXInfo)
    prJob = nested(TPrJob)
    printX = array(int16(), 19)


class TPrPort(Record):
    """The port that a document is drawn in."""

    gPort = nested(GrafPort)
    gProcs = nested(QDProcs)
    lGParam1 = int32()
    lGParam2 = int32()
    lGParam3 = int32()
    lGParam4 = int32()
    fOurPtr = uint8()
    fOurBits = uint8()


class TPrDlg(Record):
    """A dialog of the Printing Manager that a program may change."""

    Dlg = nested(DialogRecord)
    pFltrProc = procedure()
    pItemProc = procedure()
    hPrintUsr = handle(TPrint)
    fDoIt = boolean()
    fDone = boolean()
    lUser1 = int32()
    lUser2 = int32()
    lUser3 = int32()
    lUser4 = int32()


class TPrStatus(Record):
    """How far the printing of a spooled document is."""

    iTotPages = int16()
    iCurPage = int16()
    iTotCopies = int16()
    iCurCopy = int16()
    iTotBands = int16()
    iCurBand = int16()
    fPgDirty = uint8()
    fImaging = uint8()
    hPrint = handle(TPrint)
    pPrPort = pointer(TPrPort)
    hPic = handle()


class TGnlData(Record):
    """What the questions to PrGeneral begin with."""

    iOpCode = int16()
    iError = int16()
    lReserved = int32()
    hPrint = handle(TPrint)
    fLandscape = uint8()
    bXtra = data(1)
