"""The records of the Window, Control, Dialog and Menu Managers, and of TextEdit.

Sources: Inside Macintosh I, the chapters of these managers; IV and V for what came later.
"""

from __future__ import annotations

from emu.toolbox.records.fields import (
    array,
    boolean,
    data,
    handle,
    int16,
    int32,
    nested,
    point,
    pointer,
    procedure,
    rect,
    string,
    string_handle,
    uint8,
    uint16,
    uint32,
)
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, Picture, Region
from emu.toolbox.records.record import Record


class ControlRecord(Record):
    """What a control's handle leads to; only the used part of the title is there (I, p. I-317)."""

    nextControl = handle("ControlRecord")
    contrlOwner = pointer(GrafPort)
    contrlRect = rect()
    contrlVis = uint8()
    contrlHilite = uint8()
    contrlValue = int16()
    contrlMin = int16()
    contrlMax = int16()
    contrlDefProc = handle()
    contrlData = handle()
    contrlAction = procedure()
    contrlRfCon = int32()
    contrlTitle = string(255)


class WindowRecord(Record):
    """A window; a pointer to one is a pointer to its port too (I, p. I-276)."""

    port = nested(GrafPort)
    windowKind = int16()
    visible = boolean(0xFF)
    hilited = boolean(0xFF)
    goAwayFlag = boolean()
    spareFlag = boolean()
    strucRgn = handle(Region)
    contRgn = handle(Region)
    updateRgn = handle(Region)
    windowDefProc = handle()
    dataHandle = handle()
    titleHandle = string_handle()
    titleWidth = int16()
    controlList = handle(ControlRecord)
    nextWindow = pointer("WindowRecord")
    windowPic = handle(Picture)
    refCon = int32()


class CWindowRecord(Record):
    """A window whose port is in colour (V, p. V-200)."""

    port = nested(CGrafPort)
    windowKind = int16()
    visible = boolean(0xFF)
    hilited = boolean(0xFF)
    goAwayFlag = boolean()
    spareFlag = boolean()
    strucRgn = handle(Region)
    contRgn = handle(Region)
    updateRgn = handle(Region)
    windowDefProc = handle()
    dataHandle = handle()
    titleHandle = string_handle()
    titleWidth = int16()
    controlList = handle(ControlRecord)
    nextWindow = pointer("CWindowRecord")
    windowPic = handle(Picture)
    refCon = int32()


class WStateData(Record):
    """Where a window with a zoom box goes; its dataHandle leads there (IV, p. IV-49)."""

    userState = rect()
    stdState = rect()


class DialogItem(Record):
    """An item of a dialog's list, before its data; its size byte is dataLength (I, p. I-427)."""

    placeholder = handle()
    displayRect = rect()
    itemType = uint8()
    dataLength = uint8()


class TERec(Record):
    """What the handle of an edited text leads to (I, p. I-374)."""

    destRect = rect()
    viewRect = rect()
    selRect = rect()
    lineHeight = int16()
    fontAscent = int16()
    selPoint = point()
    selStart = uint16("short")
    selEnd = uint16("short")
    active = int16()
    wordBreak = procedure()
    clikLoop = procedure()
    clickTime = uint32("long")
    clickLoc = int16()
    caretTime = uint32("long")
    caretState = int16()
    just = int16()
    teLength = int16()
    hText = handle()
    recalBack = int16()
    recalLines = int16()
    clikStuff = int16()
    crOnly = int16()
    txFont = int16()
    txFace = uint8("Style")
    filler = data(1)
    txMode = int16()
    txSize = int16()
    inPort = pointer(GrafPort)
    highHook = procedure()
    caretHook = procedure()
    nLines = int16()
    lineStarts = array(int16())


class DialogRecord(Record):
    """A dialog, which is a window (I, p. I-408)."""

    window = nested(WindowRecord)
    items = handle()
    textH = handle(TERec)
    editField = int16()
    editOpen = int16()
    aDefItem = int16()


class MenuInfo(Record):
    """What a menu's handle leads to; the items follow the title (I, p. I-344)."""

    menuID = int16()
    menuWidth = int16()
    menuHeight = int16()
    menuProc = handle()
    enableFlags = uint32("long")
    menuData = string(255)


class MenuListHeader(Record):
    """What a menu list begins with, and its submenus after the entries of the bar (V, p. V-228)."""

    lastMenu = uint16("short")
    lastRight = uint16("short")
    mbResID = int16()


class MenuListEntry(Record):
    """A menu in the menu list: its left edge in the bar (V, p. V-228)."""

    menuOH = handle(MenuInfo)
    menuLeft = uint16("short")
