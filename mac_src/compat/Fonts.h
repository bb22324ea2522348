/* Fonts.h: fonts. See Types.h for what these headers are. */

#ifndef COMPAT_FONTS_H
#define COMPAT_FONTS_H

#include "Types.h"
#include "Quickdraw.h"
#include "records/Fonts.h"

#pragma pack(push, 2)

enum
{
    systemFont = 0, applFont = 1, kFontIDNewYork = 2, kFontIDGeneva = 3, kFontIDMonaco = 4,
    kFontIDTimes = 20, kFontIDHelvetica = 21, kFontIDCourier = 22, kFontIDSymbol = 23,
    newYork = 2, geneva = 3, monaco = 4, venice = 5, london = 6, athens = 7, sanFran = 8,
    toronto = 9, cairo = 11, losAngeles = 12, times = 20, helvetica = 21, courier = 22,
    symbol = 23, mobile = 24
};

enum { commandMark = 17, checkMark = 18, diamondMark = 19, appleMark = 20 };

enum { propFont = 36864, prpFntH = 36865, prpFntW = 36866, prpFntHW = 36867,
       fixedFont = 45056, fxdFntH = 45057, fxdFntW = 45058, fxdFntHW = 45059, fontWid = 44208 };

typedef struct FontRec
{
    short fontType;
    short firstChar;
    short lastChar;
    short widMax;
    short kernMax;
    short nDescent;
    short fRectWidth;
    short fRectHeight;
    unsigned short owTLoc;
    short ascent;
    short descent;
    short leading;
    short rowWords;
} FontRec, *FontRecPtr, **FontRecHdl;

typedef struct FamRec
{
    short ffFlags;
    short ffFamID;
    short ffFirstChar;
    short ffLastChar;
    short ffAscent;
    short ffDescent;
    short ffLeading;
    short ffWidMax;
    long ffWTabOff;
    long ffKernOff;
    long ffStylOff;
    short ffProperty[9];
    short ffIntl[2];
    short ffVersion;
} FamRec, *FamRecPtr, **FamRecHdl;

typedef struct FontAssoc
{
    short numAssoc;
} FontAssoc;

typedef struct AsscEntry
{
    short fontSize;
    short fontStyle;
    short fontID;
} AsscEntry;

typedef struct WidthTable
{
    Fixed tabData[256];
    Handle tabFont;
    long sExtra;
    long style;
    short fID;
    short fSize;
    short face;
    short device;
    Point inNumer;
    Point inDenom;
    short aFID;
    Handle fHand;
    Boolean usedFam;
    Byte aFace;
    short vOutput;
    short hOutput;
    short vFactor;
    short hFactor;
    short aSize;
    short tabSize;
} WidthTable, *WidthTablePtr, **WidthTableHdl;

typedef FMOutput FMOutPut;

#pragma pack(pop)

#include "routines/Fonts.h"

#endif
