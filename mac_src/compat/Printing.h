/* Printing.h: printing. See Types.h for what these headers are. */

#ifndef COMPAT_PRINTING_H
#define COMPAT_PRINTING_H

#include "Types.h"
#include "Quickdraw.h"
#include "Dialogs.h"
#include "Errors.h"
#include "records/Printing.h"

#pragma pack(push, 2)

typedef Rect *TPRect;
typedef TPrInfo *TPPrInfo;

typedef struct TPrDlg
{
    DialogRecord Dlg;
    ProcPtr pFltrProc;
    ProcPtr pItemProc;
    THPrint hPrintUsr;
    Boolean fDoIt;
    Boolean fDone;
    long lUser1;
    long lUser2;
    long lUser3;
    long lUser4;
} TPrDlg, *TPPrDlg, *TPPrDlgRef;

enum { bDraftLoop = 0, bSpoolLoop = 1, bUser1Loop = 2, bUser2Loop = 3 };
enum { fNewRunBit = 2, fHiResOK = 3, fWeOpenedRF = 4 };
enum { feedCut = 0, feedFanfold = 1, feedMechCut = 2, feedOther = 3 };

enum
{
    iPFMaxPgs = 128, iPrPgFract = 120, iPrPgFst = 1, iPrPgMax = 9999, iPrRelease = 3,
    iPrSavPFil = -1, iIOAbort = -27, iPrAbort = 128, iPrDevCtl = 7, iPrBitsCtl = 4,
    iPrIOCtl = 5, iPrEvtCtl = 6, iPrDrvrRef = -3
};

enum { lPrReset = 0x00010000, lPrLineFeed = 0x00030000, lPrLFStd = 0x0003FFFF,
       lPrLFSixth = 0x0003FFFF, lPrPageEnd = 0x00020000, lPrDocOpen = 0x00010000,
       lPrPageOpen = 0x00040000, lPrPageClose = 0x00020000, lPrDocClose = 0x00050000 };

enum { bDevCItoh = 1, bDevLaser = 3 };

enum { getRslDataOp = 4, setRslOp = 5, draftBitsOp = 6, noDraftBitsOp = 7, getRotnOp = 8,
       NoSuchRsl = 1, OpNotImpl = 2, RgType1 = 1 };

typedef struct TRslRg { short iMin, iMax; } TRslRg;
typedef struct TRslRec { short iXRsl, iYRsl; } TRslRec;

typedef struct TGetRslBlk
{
    short iOpCode;
    short iError;
    long lReserved;
    short iRgType;
    TRslRg xRslRg;
    TRslRg yRslRg;
    short iRslRecCnt;
    TRslRec rgRslRec[27];
} TGetRslBlk;

typedef struct TSetRslBlk
{
    short iOpCode;
    short iError;
    long lReserved;
    THPrint hPrint;
    short iXRsl;
    short iYRsl;
} TSetRslBlk;

typedef struct TDftBitsBlk
{
    short iOpCode;
    short iError;
    long lReserved;
    THPrint hPrint;
} TDftBitsBlk;

typedef struct TGetRotnBlk
{
    short iOpCode;
    short iError;
    long lReserved;
    THPrint hPrint;
    Boolean fLandscape;
    SignedByte bXtra;
} TGetRotnBlk;

#pragma pack(pop)

#include "callbacks/Printing.h"
#include "routines/Printing.h"

#endif
