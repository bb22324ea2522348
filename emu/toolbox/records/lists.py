"""The record of a list.

Source: Inside Macintosh IV, the chapter on the List Manager Package; Inside Macintosh: More
Macintosh Toolbox, chapter 4.
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    handle,
    int8,
    int16,
    int32,
    point,
    pointer,
    procedure,
    rect,
    uint8,
    uint16,
    uint32,
)
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.record import Record
from emu.toolbox.records.windows import ControlRecord


class ListRec(Record):
    """What a list's handle leads to.

    After it come, for each cell and once more, the offset of the cell's data in ``cells``; the high
    bit of a cell's says that it is selected.
    """

    rView = rect()
    port = pointer(GrafPort)
    indent = point()
    cellSize = point()
    visible = rect()
    vScroll = handle(ControlRecord)
    hScroll = handle(ControlRecord)
    selFlags = int8()
    lActive = uint8("Boolean")
    lReserved = int8()
    listFlags = uint8()
    clikTime = uint32("long")
    clikLoc = point()
    mouseLoc = point()
    lClickLoop = procedure()
    lastClick = point()
    refCon = int32()
    listDefProc = handle()
    userHandle = handle()
    dataBounds = rect()
    cells = handle()
    maxIndex = int16()
    cellArray = array(uint16("short"))
