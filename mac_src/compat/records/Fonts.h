/* Records of Fonts.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_FONTS_H
#define RECORDS_FONTS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct FMInput
{
    short family;
    short pointSize;
    Style face;
    Boolean needBits;
    short device;
    Point numer;
    Point denom;
} FMInput;

typedef struct FMetricRec
{
    Fixed ascent;
    Fixed descent;
    Fixed leading;
    Fixed widMax;
    Handle wTabHandle;
} FMetricRec, *FMetricRecPtr, **FMetricRecHandle;

typedef struct FMOutput
{
    OSErr errNum;
    Handle fontHandle;
    Byte boldPixels;
    Byte italicPixels;
    Byte ulOffset;
    Byte ulShadow;
    Byte ulThick;
    Byte shadowPixels;
    SignedByte extra;
    Byte ascent;
    Byte descent;
    Byte widMax;
    SignedByte leading;
    SignedByte unused;
    Point numer;
    Point denom;
} FMOutput, *FMOutPtr;

#pragma pack(pop)

#endif
