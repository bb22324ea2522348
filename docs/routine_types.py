"""The C types of parameters and results about which a Pascal heading tells too little.

A heading of the Toolbox says ``Ptr`` or ``Handle`` where it does not matter to what: the Toolbox
sees an address. C sources need the type that the headers of the time had.
Source: Inside Macintosh I to VI, the summaries of the chapters.
"""

from __future__ import annotations

_PARAMETERS = {
    "const RGBColor*": """color: Ptr, srcRGB: Ptr, inColor: Ptr, backGround: Ptr, SetCPixel.cPix,
        rgbColor: Ptr""",
    "RGBColor*": "color: VAR Ptr, cPix: VAR Ptr",
    "const ColorSpec*": "RestoreBack.c, RestoreFore.c",
    "ColorSpec*": "SaveBack.c, SaveFore.c, SetEntries.aTable",
    "CGrafPtr": "OpenCPort.port, CloseCPort.port, InitCPort.port, SetGWorld.port",
    "CGrafPtr*": "GetGWorld.port",
    "GWorldPtr": "offscreenGWorld: Ptr",
    "GWorldPtr*": "offscreenGWorld: VAR Ptr",
    "GDHandle": "gd: Handle, gdh: Handle, aGDevice: Handle, curDevice: Handle, device: Handle",
    "GDHandle*": "gdh: VAR Handle",
    "ITabHandle": "iTabH: Handle",
    "CCrsrHandle": "cCrsr: Handle",
    "QDProcsPtr": "SetStdProcs.procs",
    "CQDProcsPtr": "SetStdCProcs.procs",
    "const OpenCPicParams*": "newHeader: Ptr",
    "FMetricRec*": "theMetrics: VAR Ptr",
    "const FMInput*": "FMSwapFont.inRec",
    "MCTableHandle": "menuCTbl: Handle",
    "MCEntryPtr": "menuCEntries: Ptr",
    "AuxCtlHandle*": "acHndl: VAR Handle",
    "AuxWinHandle*": "awHndl: VAR Handle",
    "const TextStyle*": "oldStyle: Ptr, newStyle: Ptr",
    "TextStyle*": "aStyle: VAR Ptr, theStyle: VAR Ptr",
    "StScrpHandle": "newStyles: Handle, hST: Handle",
    "TEStyleHandle": "TESetStyleHandle.theHandle",
    "StringHandle": "SetString.h",
    "unsigned long*": """GetDateTime.secs, ReadDateTime.time, DateToSeconds.secs, Date2Secs.secs,
        Delay.finalTicks, freeStack: VAR LONGINT""",
    "const DateTimeRec*": "DateToSeconds.d, Date2Secs.d, SetTime.d",
    "QHdrPtr": "Enqueue.qHeader, Dequeue.qHeader",
    "SymClass*": "symClass: VAR SignedByte",
    "AliasHandle": "alias: Handle",
    "AliasHandle*": "alias: VAR Handle",
    "SndChannelPtr": "chan: Ptr",
    "SndChannelPtr*": "chan: VAR Ptr",
    "SndListHandle": "SndPlay.sndHdl",
    "SndListHandle*": "SndRecord.sndHandle",
    "const SndCommand*": "cmd: Ptr",
    "Component": "aComponent: Ptr",
    "ComponentInstance": "aComponentInstance: Ptr, ci: Ptr",
    "ConstStr255Param": """FlushVol.volName, SetVol.volName, UnmountVol.volName, Eject.volName,
        HSetVol.volName""",
    "ThreadStyle": "threadStyle: LONGINT",
    "ThreadID": """suggestedThread: LONGINT, threadToSet: LONGINT, threadToGet: LONGINT,
        threadToDump: LONGINT, thread: LONGINT""",
    "ThreadID*": "currentThreadID: VAR LONGINT, threadMade: Ptr",
    "ThreadOptions": "NewThread.options",
    "ThreadState": "newState: INTEGER",
    "ThreadState*": "threadState: VAR INTEGER",
    "ThreadTaskRef*": "threadTRef: VAR Ptr",
    "void**": "NewThread.threadResult",
    "LongDateTime*": "IULDateString.dateTime, IULTimeString.dateTime",
    "THPrint": "hPrint: Handle, hPrintSrc: Handle, hPrintDst: Handle",
    "TPPrPort": "pPrPort: Ptr",
    "TPRect": "pPageFrame: Ptr",
    "TPrStatus*": "prStatus: Ptr",
    "EventRecord*": "theEvent: Ptr",
    "const void*": """FSWrite.buffPtr, sourcePtr: Ptr, text: Ptr, textBuf: Ptr, textAddr: Ptr,
        textPtr: Ptr, source: Ptr, srcPtr: Ptr, ptr1: Ptr, ptr2: Ptr, LAddToCell.dataPtr,
        LSearch.dataPtr, LSetCell.dataPtr, BitTst.bytePtr, KeyTranslate.transData,
        cmyColor: Ptr, hslColor: Ptr, hsvColor: Ptr""",
    "void*": "nmReqPtr: QElemPtr, RGB2CMY.cmyColor, RGB2HSL.hslColor, RGB2HSV.hsvColor",
}
_RESULTS = {
    "CCrsrHandle": "GetCCursor",
    "CursHandle": "GetCursor",
    "PatHandle": "GetPattern",
    "StringHandle": "GetString NewString",
    "GDHandle": """GetDeviceList GetGDevice GetGWorldDevice GetMainDevice GetMaxDevice GetNextDevice
        NewGDevice""",
    "MCEntryPtr": "GetMCEntry",
    "MCTableHandle": "GetMCInfo",
    "FMOutPtr": "FMSwapFont",
    "PScrapStuff": "InfoScrap",
    "CharsHandle": "TEGetText",
    "TEStyleHandle": "TEGetStyleHandle",
    "StScrpHandle": "TEGetStyleScrapHandle",
    "TPPrPort": "PrOpenDoc",
    "Component": "FindNextComponent",
    "ComponentInstance": "OpenComponent OpenDefaultComponent",
    "QHdrPtr": "LMGetEventQueue GetVBLQHdr",
    "DCtlHandle": "GetDCtlEntry",
    "unsigned long": "TickCount",
}

PARAMETERS = {key.strip(): kind for kind, keys in _PARAMETERS.items() for key in keys.split(",")}
"""The C type of a parameter, by "name: Pascal type" or, before that, by "Routine.name"."""

RESULTS = {name: kind for kind, names in _RESULTS.items() for name in names.split()}
"""The C type of a result, by the routine's name."""
