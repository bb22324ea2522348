"""QuickDraw's records.

Sources: Inside Macintosh I, chapter "QuickDraw"; V, chapter "Color QuickDraw".
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    boolean,
    data,
    fixed,
    handle,
    int8,
    int16,
    int32,
    nested,
    pattern,
    point,
    pointer,
    procedure,
    rect,
    uint8,
    uint16,
    uint32,
)
from emu.toolbox.records.record import Record


class BitMap(Record):
    """Pixels of one bit (I, chapter "QuickDraw")."""

    baseAddr = pointer()
    rowBytes = uint16("short")
    bounds = rect()


class Region(Record):
    """What a region's handle leads to; rows of edges follow in one that is no rectangle (I-141)."""

    rgnSize = uint16("short")
    rgnBBox = rect()


class Picture(Record):
    """What a picture's handle leads to; its operation codes follow (I, p. I-159)."""

    picSize = uint16("short")
    picFrame = rect()


class OpenCPicParams(Record):
    """What a program asks for when it records a picture (Imaging With QuickDraw, p. 7-39)."""

    srcRect = rect()
    hRes = fixed()
    vRes = fixed()
    version = int16()
    reserved1 = int16()
    reserved2 = int32()


class Polygon(Record):
    """What a polygon's handle leads to (I, p. I-159)."""

    polySize = uint16("short")
    polyBBox = rect()
    polyPoints = array(point())


class Cursor(Record):
    """The mouse pointer: 16 rows of image and of mask (I, chapter "QuickDraw")."""

    data = array(uint16("short"), 16)
    mask = array(uint16("short"), 16)
    hotSpot = point()


class FontInfo(Record):
    """The measures of a port's font, in pixels (I, p. I-173)."""

    ascent = int16()
    descent = int16()
    widMax = int16()
    leading = int16()


class Pattern(Record):
    """8 by 8 pixels, a byte for each row; fields hold one as bytes (I, p. I-145)."""

    pat = array(uint8(), 8)


class FMInput(Record):
    """What FMSwapFont is asked for (Inside Macintosh: Text, chapter 4, where pointSize is size)."""

    family = int16()
    pointSize = int16()
    face = uint8("Style")
    needBits = boolean()
    device = int16()
    numer = point()
    denom = point()


class FMOutput(Record):
    """What FMSwapFont answers (Inside Macintosh: Text, chapter 4)."""

    errNum = int16("OSErr")
    fontHandle = handle()
    boldPixels = uint8()
    italicPixels = uint8()
    ulOffset = uint8()
    ulShadow = uint8()
    ulThick = uint8()
    shadowPixels = uint8()
    extra = int8()
    ascent = uint8()
    descent = uint8()
    widMax = uint8()
    leading = int8()
    unused = int8()
    numer = point()
    denom = point()


class FMetricRec(Record):
    """The measures of a port's font, in pixels with fractions (IV, p. IV-32)."""

    ascent = fixed()
    descent = fixed()
    leading = fixed()
    widMax = fixed()
    wTabHandle = handle()


class PenState(Record):
    """The pen of a port (I, p. I-169)."""

    pnLoc = point()
    pnSize = point()
    pnMode = int16()
    pnPat = pattern()


class QDProcs(Record):
    """The low-level routines of a port (I, p. I-197)."""

    textProc = procedure()
    lineProc = procedure()
    rectProc = procedure()
    rRectProc = procedure()
    ovalProc = procedure()
    arcProc = procedure()
    polyProc = procedure()
    rgnProc = procedure()
    bitsProc = procedure()
    commentProc = procedure()
    txMeasProc = procedure()
    getPicProc = procedure()
    putPicProc = procedure()


class CQDProcs(QDProcs):
    """The low-level routines of a port in colour (V, p. V-77)."""

    opcodeProc = procedure()
    newProc1 = procedure()
    newProc2 = procedure()
    newProc3 = procedure()
    newProc4 = procedure()
    newProc5 = procedure()
    newProc6 = procedure()


class GrafPort(Record):
    """A port: where is drawn, and how (I, p. I-148)."""

    device = int16()
    portBits = nested(BitMap)
    portRect = rect()
    visRgn = handle(Region)
    clipRgn = handle(Region)
    bkPat = pattern()
    fillPat = pattern()
    pnLoc = point()
    pnSize = point()
    pnMode = uint16("short")
    pnPat = pattern()
    pnVis = int16()
    txFont = int16()
    txFace = uint8("Style")
    filler = data(1)
    txMode = uint16("short")
    txSize = int16()
    spExtra = fixed()
    fgColor = uint32("long")
    bkColor = uint32("long")
    colrBit = int16()
    patStretch = int16()
    picSave = handle()
    rgnSave = handle()
    polySave = handle()
    grafProcs = pointer(QDProcs)


class QDGlobals(Record):
    """The globals of a program that QuickDraw fills, downwards from thePort (I, "QuickDraw")."""

    privates = data(76)
    randSeed = int32()
    screenBits = nested(BitMap)
    arrow = nested(Cursor)
    dkGray = pattern()
    ltGray = pattern()
    gray = pattern()
    black = pattern()
    white = pattern()
    thePort = pointer(GrafPort)


class RGBColor(Record):
    """A colour: each part from 0 to 65535 (V, p. V-43)."""

    red = uint16()
    green = uint16()
    blue = uint16()


class ColorSpec(Record):
    """An entry of a colour table (V, p. V-43)."""

    value = int16()
    rgb = nested(RGBColor)


class ColorTable(Record):
    """A colour table; ctSize is one less than the number of its entries (V, "Color QuickDraw")."""

    ctSeed = uint32("long")
    ctFlags = uint16("short")
    ctSize = int16()
    ctTable = array(nested(ColorSpec))


class PixMap(Record):
    """Pixels of several bits (V, p. V-52)."""

    baseAddr = pointer()
    rowBytes = uint16("short")
    bounds = rect()
    pmVersion = int16()
    packType = int16()
    packSize = int32()
    hRes = fixed()
    vRes = fixed()
    pixelType = int16()
    pixelSize = uint16("short")
    cmpCount = int16()
    cmpSize = int16()
    planeBytes = int32()
    pmTable = handle(ColorTable)
    pmReserved = int32()


class PixPat(Record):
    """A pattern in colour (V, p. V-55)."""

    patType = int16()
    patMap = handle(PixMap)
    patData = handle()
    patXData = handle()
    patXValid = int16()
    patXMap = handle()
    pat1Data = pattern()


class CIcon(Record):
    """An icon in colour; rows of its mask and bit map follow (V, chapter "Color QuickDraw")."""

    iconPMap = nested(PixMap)
    iconMask = nested(BitMap)
    iconBMap = nested(BitMap)
    iconData = handle()
    iconMaskData = array(uint16("short"))


class CCrsr(Record):
    """A mouse pointer in colour (V, chapter "Color QuickDraw")."""

    crsrType = uint16("short")
    crsrMap = handle(PixMap)
    crsrData = handle()
    crsrXData = handle()
    crsrXValid = int16()
    crsrXHandle = handle()
    crsr1Data = data(32)
    crsrMask = data(32)
    crsrHotSpot = point()
    crsrXTable = int32()
    crsrID = int32()


class GDevice(Record):
    """A screen (V, p. V-119)."""

    gdRefNum = int16()
    gdID = int16()
    gdType = int16()
    gdITable = handle()
    gdResPref = int16()
    gdSearchProc = pointer()
    gdCompProc = pointer()
    gdFlags = uint16("short")
    gdPMap = handle(PixMap)
    gdRefCon = int32()
    gdNextGD = handle("GDevice")
    gdRect = rect()
    gdMode = int32()
    gdCCBytes = int16()
    gdCCDepth = int16()
    gdCCXData = handle()
    gdCCXMask = handle()
    gdReserved = int32()


class GrafVars(Record):
    """What else a colour port keeps (V, chapter "Color QuickDraw")."""

    rgbOpColor = nested(RGBColor)
    rgbHiliteColor = nested(RGBColor)
    pmFgColor = handle()
    pmFgIndex = int16()
    pmBkColor = handle()
    pmBkIndex = int16()
    pmFlags = int16()


class CGrafPort(Record):
    """A port in colour, of the same size as a `GrafPort` (V, p. V-49)."""

    device = int16()
    portPixMap = handle(PixMap)
    portVersion = uint16("short")
    grafVars = handle(GrafVars)
    chExtra = int16()
    pnLocHFrac = int16()
    portRect = rect()
    visRgn = handle(Region)
    clipRgn = handle(Region)
    bkPixPat = handle(PixPat)
    rgbFgColor = nested(RGBColor)
    rgbBkColor = nested(RGBColor)
    pnLoc = point()
    pnSize = point()
    pnMode = uint16("short")
    pnPixPat = handle(PixPat)
    fillPixPat = handle(PixPat)
    pnVis = int16()
    txFont = int16()
    txFace = uint8("Style")
    filler = data(1)
    txMode = uint16("short")
    txSize = int16()
    spExtra = fixed()
    fgColor = uint32("long")
    bkColor = uint32("long")
    colrBit = int16()
    patStretch = int16()
    picSave = handle()
    rgnSave = handle()
    polySave = handle()
    grafProcs = pointer(CQDProcs)
