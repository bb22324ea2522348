/* TextEdit.h: editing of text. */

#ifndef MAC_TEXTEDIT_H
#define MAC_TEXTEDIT_H

#include <Types.h>
#include <Quickdraw.h>

#include "records/TextEdit.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef TERec** TEHandle;
typedef TEStyleRec** TEStyleHandle;
typedef StScrpRec** StScrpHandle;

enum
{
    doFont = 1,
    doFace = 2,
    doSize = 4,
    doColor = 8,
    doAll = 15,
    addSize = 16,
    doToggle = 32
};

enum
{
    teFAutoScroll = 0,
    teFTextBuffering = 1,
    teFOutlineHilite = 2,
    teFInlineInput = 3,
    teFUseTextServices = 4,

    teBitClear = 0,
    teBitSet = 1,
    teBitTest = -1
};

void TEInit(void);
TEHandle TENew(const Rect* destination, const Rect* view);
TEHandle TEStyleNew(const Rect* destination, const Rect* view);
void TEDispose(TEHandle text);
void TESetText(const void* text, long length, TEHandle te);
Handle TEGetText(TEHandle te);
void TEKey(short key, TEHandle te);
void TEActivate(TEHandle te);
void TEDeactivate(TEHandle te);
void TEUpdate(const Rect* update, TEHandle te);
void TESetSelect(long start, long end, TEHandle te);
void TEInsert(const void* text, long length, TEHandle te);
void TESetStyle(short mode, const TextStyle* style, Boolean redraw, TEHandle te);
void TEGetStyle(short offset, TextStyle* style, short* height, short* ascent, TEHandle te);
Boolean TEContinuousStyle(short* mode, TextStyle* style, TEHandle te);
void TEReplaceStyle(short mode, const TextStyle* old, const TextStyle* style, Boolean redraw,
                    TEHandle te);
TEStyleHandle TEGetStyleHandle(TEHandle te);
void TESetStyleHandle(TEStyleHandle styles, TEHandle te);
StScrpHandle TEGetStyleScrapHandle(TEHandle te);
void TEUseStyleScrap(long start, long end, StScrpHandle styles, Boolean redraw, TEHandle te);
void TEStyleInsert(const void* text, long length, StScrpHandle styles, TEHandle te);
void TETextBox(const void* text, long length, const Rect* box, short just);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/TextEdit.h"
#include "routines/TextEdit.h"

#endif
