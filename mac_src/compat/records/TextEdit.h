/* Records of TextEdit.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_TEXTEDIT_H
#define RECORDS_TEXTEDIT_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct TERec
{
    Rect destRect;
    Rect viewRect;
    Rect selRect;
    short lineHeight;
    short fontAscent;
    Point selPoint;
    short selStart;
    short selEnd;
    short active;
    ProcPtr wordBreak;
    ProcPtr clikLoop;
    long clickTime;
    short clickLoc;
    long caretTime;
    short caretState;
    short just;
    short teLength;
    Handle hText;
    short recalBack;
    short recalLines;
    short clikStuff;
    short crOnly;
    short txFont;
    Style txFace;
    char filler[1];
    short txMode;
    short txSize;
    struct GrafPort* inPort;
    ProcPtr highHook;
    ProcPtr caretHook;
    short nLines;
    short lineStarts[1];
} TERec;

#pragma pack(pop)

#endif
