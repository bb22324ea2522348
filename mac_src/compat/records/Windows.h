/* Records of Windows.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_WINDOWS_H
#define RECORDS_WINDOWS_H

#include <Types.h>
#include <Quickdraw.h>

#pragma pack(push, 2)

typedef struct WindowRecord
{
    GrafPort port;
    short windowKind;
    Boolean visible;
    Boolean hilited;
    Boolean goAwayFlag;
    Boolean spareFlag;
    struct Region** strucRgn;
    struct Region** contRgn;
    struct Region** updateRgn;
    Handle windowDefProc;
    Handle dataHandle;
    StringHandle titleHandle;
    short titleWidth;
    struct ControlRecord** controlList;
    struct WindowRecord* nextWindow;
    struct Picture** windowPic;
    long refCon;
} WindowRecord, *WindowPeek;

typedef struct CWindowRecord
{
    CGrafPort port;
    short windowKind;
    Boolean visible;
    Boolean hilited;
    Boolean goAwayFlag;
    Boolean spareFlag;
    struct Region** strucRgn;
    struct Region** contRgn;
    struct Region** updateRgn;
    Handle windowDefProc;
    Handle dataHandle;
    StringHandle titleHandle;
    short titleWidth;
    struct ControlRecord** controlList;
    struct CWindowRecord* nextWindow;
    struct Picture** windowPic;
    long refCon;
} CWindowRecord, *CWindowPeek;

typedef struct WStateData
{
    Rect userState;
    Rect stdState;
} WStateData, *WStateDataPtr, **WStateDataHandle;

#pragma pack(pop)

#endif
