/* Records of Fonts.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_FONTS_H
#define RECORDS_FONTS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct FMetricRec
{
    Fixed ascent;
    Fixed descent;
    Fixed leading;
    Fixed widMax;
    Handle wTabHandle;
} FMetricRec;

#pragma pack(pop)

#endif
