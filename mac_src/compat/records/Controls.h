/* Records of Controls.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_CONTROLS_H
#define RECORDS_CONTROLS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct ControlRecord
{
    struct ControlRecord** nextControl;
    struct GrafPort* contrlOwner;
    Rect contrlRect;
    Byte contrlVis;
    Byte contrlHilite;
    short contrlValue;
    short contrlMin;
    short contrlMax;
    Handle contrlDefProc;
    Handle contrlData;
    ProcPtr contrlAction;
    long contrlRfCon;
    Str255 contrlTitle;
} ControlRecord, *ControlPtr, **ControlHandle;

#pragma pack(pop)

#endif
