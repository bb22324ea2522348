/* Records of Printing.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_PRINTING_H
#define RECORDS_PRINTING_H

#include <Types.h>
#include <Quickdraw.h>

#pragma pack(push, 2)

typedef struct TPrInfo
{
    short iDev;
    short iVRes;
    short iHRes;
    Rect rPage;
} TPrInfo;

typedef struct TPrStl
{
    short wDev;
    short iPageV;
    short iPageH;
    Byte bPort;
    Byte feed;
} TPrStl;

typedef struct TPrXInfo
{
    short iRowBytes;
    short iBandV;
    short iBandH;
    short iDevBytes;
    short iBands;
    Byte bPatScale;
    Byte bUlThick;
    Byte bUlOffset;
    Byte bUlShadow;
    Byte scan;
    Byte bXInfoX;
} TPrXInfo;

typedef struct TPrJob
{
    short iFstPage;
    short iLstPage;
    short iCopies;
    Byte bJDocLoop;
    Byte fFromUsr;
    ProcPtr pIdleProc;
    Ptr pFileName;
    short iFileVol;
    Byte bFileVers;
    Byte bJobX;
} TPrJob;

typedef struct TPrint
{
    short iPrVersion;
    TPrInfo prInfo;
    Rect rPaper;
    TPrStl prStl;
    TPrInfo prInfoPT;
    TPrXInfo prXInfo;
    TPrJob prJob;
    short printX[19];
} TPrint, *TPPrint, **THPrint;

typedef struct TPrPort
{
    GrafPort gPort;
    QDProcs gProcs;
    long lGParam1;
    long lGParam2;
    long lGParam3;
    long lGParam4;
    Byte fOurPtr;
    Byte fOurBits;
} TPrPort, *TPPrPort;

typedef struct TPrStatus
{
    short iTotPages;
    short iCurPage;
    short iTotCopies;
    short iCurCopy;
    short iTotBands;
    short iCurBand;
    Byte fPgDirty;
    Byte fImaging;
    struct TPrint** hPrint;
    struct TPrPort* pPrPort;
    Handle hPic;
} TPrStatus;

typedef struct TGnlData
{
    short iOpCode;
    short iError;
    long lReserved;
    struct TPrint** hPrint;
    Byte fLandscape;
    char bXtra[1];
} TGnlData;

#pragma pack(pop)

#endif
