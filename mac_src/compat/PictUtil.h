/* PictUtil.h: what colours a picture has; the routines are not there, and a call ends the run. */

#ifndef COMPAT_PICTUTIL_H
#define COMPAT_PICTUTIL_H

#include "Types.h"
#include "Quickdraw.h"
#include "Palettes.h"

#pragma pack(push, 2)

typedef long PictInfoID;

enum { returnColorTable = 1, returnPalette = 2, recordComments = 4, recordFontInfo = 8,
       suppressBlackAndWhite = 16 };

enum { systemMethod = 0, popularMethod = 1, medianMethod = 2 };

enum { ColorBankIsCustom = -1, ColorBankIsExactAnd555 = 0, ColorBankIs555 = 1 };

typedef struct CommentSpec
{
    short count;
    short ID;
} CommentSpec, *CommentSpecPtr, **CommentSpecHandle;

typedef struct FontSpec
{
    short pictFontID;
    short sysFontID;
    long size[4];
    short style;
    long nameOffset;
} FontSpec, *FontSpecPtr, **FontSpecHandle;

typedef struct PictInfo
{
    short version;
    long uniqueColors;
    PaletteHandle thePalette;
    CTabHandle theColorTable;
    Fixed hRes;
    Fixed vRes;
    short depth;
    Rect sourceRect;
    long textCount;
    long lineCount;
    long rectCount;
    long rRectCount;
    long ovalCount;
    long arcCount;
    long polyCount;
    long regionCount;
    long bitMapCount;
    long pixMapCount;
    long commentCount;
    long uniqueComments;
    CommentSpecHandle commentHandle;
    long uniqueFonts;
    FontSpecHandle fontHandle;
    Handle fontNamesHandle;
    long reserved1;
    long reserved2;
} PictInfo, *PictInfoPtr, **PictInfoHandle;

#pragma pack(pop)

#ifdef __cplusplus
extern "C"
#endif
OSErr GetPictInfo(PicHandle picture, PictInfo *info, short verb, short colors, short method, short version);

#include "absent/PictUtil.h"

#endif
