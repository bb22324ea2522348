/* Palettes.h: the colours that a window asks for. See Types.h for what these headers are. */

#ifndef COMPAT_PALETTES_H
#define COMPAT_PALETTES_H

#include "Types.h"
#include "Quickdraw.h"
#include "Windows.h"

#pragma pack(push, 2)

enum
{
    pmCourteous = 0, pmTolerant = 1, pmAnimated = 2, pmExplicit = 4,
    pmWhite = 16, pmBlack = 32,
    pmInhibitG2 = 0x100, pmInhibitC2 = 0x200, pmInhibitG4 = 0x400, pmInhibitC4 = 0x800,
    pmInhibitG8 = 0x1000, pmInhibitC8 = 0x2000,

    pmNoUpdates = 0x8000, pmBkUpdates = 0xA000, pmFgUpdates = 0xC000, pmAllUpdates = 0xE000
};

typedef struct ColorInfo
{
    RGBColor ciRGB;
    short ciUsage;
    short ciTolerance;
    short ciDataFields[3];
} ColorInfo, *ColorInfoPtr, **ColorInfoHandle;

typedef struct Palette
{
    short pmEntries;
    short pmDataFields[7];
    ColorInfo pmInfo[1];
} Palette, *PalettePtr, **PaletteHandle;

#pragma pack(pop)

#include "routines/Palettes.h"

#endif
