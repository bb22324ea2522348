/* Records of TextEdit.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_TEXTEDIT_H
#define RECORDS_TEXTEDIT_H

#include <Types.h>
#include <Quickdraw.h>

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
    __extension__ union { ProcPtr clikLoop; ProcPtr clickLoop; };
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
} TERec, *TEPtr, **TEHandle;

typedef struct TextStyle
{
    short tsFont;
    Style tsFace;
    char filler[1];
    short tsSize;
    RGBColor tsColor;
} TextStyle, *TextStylePtr, **TextStyleHandle;

typedef struct StyleRun
{
    short startChar;
    short styleIndex;
} StyleRun;

typedef struct STElement
{
    short stCount;
    short stHeight;
    short stAscent;
    short stFont;
    Style stFace;
    char filler[1];
    short stSize;
    RGBColor stColor;
} STElement;

typedef struct LHElement
{
    short lhHeight;
    short lhAscent;
} LHElement;

typedef struct ScrpSTElement
{
    long scrpStartChar;
    short scrpHeight;
    short scrpAscent;
    short scrpFont;
    Style scrpFace;
    char filler[1];
    short scrpSize;
    RGBColor scrpColor;
} ScrpSTElement;

typedef struct StScrpRec
{
    short scrpNStyles;
    ScrpSTElement scrpStyleTab[1];
} StScrpRec, *StScrpPtr, **StScrpHandle;

typedef struct NullStRec
{
    long teReserved;
    struct StScrpRec** nullScrap;
} NullStRec, *NullStPtr, **NullStHandle;

typedef struct TEStyleRec
{
    short nRuns;
    short nStyles;
    struct STElement** styleTab;
    struct LHElement** lhTab;
    long teRefCon;
    struct NullStRec** nullStyle;
    StyleRun runs[1];
} TEStyleRec, *TEStylePtr, **TEStyleHandle;

#pragma pack(pop)

#endif
