/* Records of Quickdraw.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_QUICKDRAW_H
#define RECORDS_QUICKDRAW_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct Pattern
{
    Byte pat[8];
} Pattern, *PatPtr, **PatHandle;

typedef struct BitMap
{
    Ptr baseAddr;
    short rowBytes;
    Rect bounds;
} BitMap, *BitMapPtr, **BitMapHandle;

typedef struct Region
{
    short rgnSize;
    Rect rgnBBox;
} Region, *RgnPtr, **RgnHandle;

typedef struct Picture
{
    short picSize;
    Rect picFrame;
} Picture, *PicPtr, **PicHandle;

typedef struct Polygon
{
    short polySize;
    Rect polyBBox;
    Point polyPoints[1];
} Polygon, *PolyPtr, **PolyHandle;

typedef struct Cursor
{
    short data[16];
    short mask[16];
    Point hotSpot;
} Cursor, *CursPtr, **CursHandle;

typedef struct FontInfo
{
    short ascent;
    short descent;
    short widMax;
    short leading;
} FontInfo;

typedef struct PenState
{
    Point pnLoc;
    Point pnSize;
    short pnMode;
    Pattern pnPat;
} PenState;

typedef struct QDProcs
{
    ProcPtr textProc;
    ProcPtr lineProc;
    ProcPtr rectProc;
    ProcPtr rRectProc;
    ProcPtr ovalProc;
    ProcPtr arcProc;
    ProcPtr polyProc;
    ProcPtr rgnProc;
    ProcPtr bitsProc;
    ProcPtr commentProc;
    ProcPtr txMeasProc;
    ProcPtr getPicProc;
    ProcPtr putPicProc;
} QDProcs, *QDProcsPtr;

typedef struct GrafPort
{
    short device;
    BitMap portBits;
    Rect portRect;
    struct Region** visRgn;
    struct Region** clipRgn;
    Pattern bkPat;
    Pattern fillPat;
    Point pnLoc;
    Point pnSize;
    short pnMode;
    Pattern pnPat;
    short pnVis;
    short txFont;
    Style txFace;
    char filler[1];
    short txMode;
    short txSize;
    Fixed spExtra;
    long fgColor;
    long bkColor;
    short colrBit;
    short patStretch;
    Handle picSave;
    Handle rgnSave;
    Handle polySave;
    struct QDProcs* grafProcs;
} GrafPort, *GrafPtr;

typedef struct QDGlobals
{
    char privates[76];
    long randSeed;
    BitMap screenBits;
    Cursor arrow;
    Pattern dkGray;
    Pattern ltGray;
    Pattern gray;
    Pattern black;
    Pattern white;
    struct GrafPort* thePort;
} QDGlobals, *QDGlobalsPtr, **QDGlobalsHdl;

typedef struct RGBColor
{
    unsigned short red;
    unsigned short green;
    unsigned short blue;
} RGBColor, *RGBColorPtr, **RGBColorHdl;

typedef struct ColorSpec
{
    short value;
    RGBColor rgb;
} ColorSpec, *ColorSpecPtr;

typedef struct ColorTable
{
    long ctSeed;
    short ctFlags;
    short ctSize;
    ColorSpec ctTable[1];
} ColorTable, *CTabPtr, **CTabHandle;

typedef struct PixMap
{
    Ptr baseAddr;
    short rowBytes;
    Rect bounds;
    short pmVersion;
    short packType;
    long packSize;
    Fixed hRes;
    Fixed vRes;
    short pixelType;
    short pixelSize;
    short cmpCount;
    short cmpSize;
    long planeBytes;
    struct ColorTable** pmTable;
    long pmReserved;
} PixMap, *PixMapPtr, **PixMapHandle;

typedef struct PixPat
{
    short patType;
    struct PixMap** patMap;
    Handle patData;
    Handle patXData;
    short patXValid;
    Handle patXMap;
    Pattern pat1Data;
} PixPat, *PixPatPtr, **PixPatHandle;

typedef struct CQDProcs
{
    ProcPtr textProc;
    ProcPtr lineProc;
    ProcPtr rectProc;
    ProcPtr rRectProc;
    ProcPtr ovalProc;
    ProcPtr arcProc;
    ProcPtr polyProc;
    ProcPtr rgnProc;
    ProcPtr bitsProc;
    ProcPtr commentProc;
    ProcPtr txMeasProc;
    ProcPtr getPicProc;
    ProcPtr putPicProc;
    ProcPtr opcodeProc;
    ProcPtr newProc1;
    ProcPtr newProc2;
    ProcPtr newProc3;
    ProcPtr newProc4;
    ProcPtr newProc5;
    ProcPtr newProc6;
} CQDProcs, *CQDProcsPtr;

typedef struct CGrafPort
{
    short device;
    struct PixMap** portPixMap;
    short portVersion;
    struct GrafVars** grafVars;
    short chExtra;
    short pnLocHFrac;
    Rect portRect;
    struct Region** visRgn;
    struct Region** clipRgn;
    struct PixPat** bkPixPat;
    RGBColor rgbFgColor;
    RGBColor rgbBkColor;
    Point pnLoc;
    Point pnSize;
    short pnMode;
    struct PixPat** pnPixPat;
    struct PixPat** fillPixPat;
    short pnVis;
    short txFont;
    Style txFace;
    char filler[1];
    short txMode;
    short txSize;
    Fixed spExtra;
    long fgColor;
    long bkColor;
    short colrBit;
    short patStretch;
    Handle picSave;
    Handle rgnSave;
    Handle polySave;
    struct CQDProcs* grafProcs;
} CGrafPort, *CGrafPtr;

typedef struct GDevice
{
    short gdRefNum;
    short gdID;
    short gdType;
    Handle gdITable;
    short gdResPref;
    Ptr gdSearchProc;
    Ptr gdCompProc;
    short gdFlags;
    struct PixMap** gdPMap;
    long gdRefCon;
    struct GDevice** gdNextGD;
    Rect gdRect;
    long gdMode;
    short gdCCBytes;
    short gdCCDepth;
    Handle gdCCXData;
    Handle gdCCXMask;
    long gdReserved;
} GDevice, *GDPtr, **GDHandle;

typedef struct GrafVars
{
    RGBColor rgbOpColor;
    RGBColor rgbHiliteColor;
    Handle pmFgColor;
    short pmFgIndex;
    Handle pmBkColor;
    short pmBkIndex;
    short pmFlags;
} GrafVars, *GVarPtr, **GVarHandle;

typedef struct CIcon
{
    PixMap iconPMap;
    BitMap iconMask;
    BitMap iconBMap;
    Handle iconData;
    short iconMaskData[1];
} CIcon, *CIconPtr, **CIconHandle;

typedef struct CCrsr
{
    short crsrType;
    struct PixMap** crsrMap;
    Handle crsrData;
    Handle crsrXData;
    short crsrXValid;
    Handle crsrXHandle;
    char crsr1Data[32];
    char crsrMask[32];
    Point crsrHotSpot;
    long crsrXTable;
    long crsrID;
} CCrsr, *CCrsrPtr, **CCrsrHandle;

#pragma pack(pop)

#endif
