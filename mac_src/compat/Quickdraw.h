/* Quickdraw.h: drawing. See Types.h for what these headers are. */

#ifndef COMPAT_QUICKDRAW_H
#define COMPAT_QUICKDRAW_H

#include "Types.h"

#pragma pack(push, 2)

typedef struct Pattern { Byte pat[8]; } Pattern;

typedef struct BitMap
{
    Ptr     baseAddr;
    short   rowBytes;
    Rect    bounds;
} BitMap;

typedef struct Cursor
{
    short   data[16], mask[16];
    Point   hotSpot;
} Cursor;

typedef struct GrafPort* GrafPtr;

/* QuickDraw fills these downwards from thePort: the order is fixed. */

typedef struct QDGlobals
{
    char    privates[76];
    long    randSeed;
    BitMap  screenBits;
    Cursor  arrow;
    Pattern dkGray, ltGray, gray, black, white;
    GrafPtr thePort;
} QDGlobals;

#pragma pack(pop)

#ifdef __cplusplus
extern "C" {
#endif

extern QDGlobals qd;

void InitGraf(void* thePort);
void InitCursor(void);

void GetPort(GrafPtr* port);
void SetPort(GrafPtr port);

void PenPat(const Pattern* pattern);

void SetRect(Rect* r, short left, short top, short right, short bottom);
void OffsetRect(Rect* r, short dh, short dv);
void FrameRect(const Rect* r);
void PaintRect(const Rect* r);

#ifdef __cplusplus
}
#endif

#endif
