/* TextEdit.h: editing of text. See Types.h for what these headers are. */

#ifndef MAC_TEXTEDIT_H
#define MAC_TEXTEDIT_H

#include <Types.h>
#include <Quickdraw.h>

#include "records/TextEdit.h"

#pragma pack(push, 2)

typedef char Chars[32001], *CharsPtr, **CharsHandle;
typedef STElement TEStyleTable[1], *STPtr, **STHandle;
typedef LHElement *LHPtr, **LHHandle;
typedef ScrpSTElement ScrpSTTable[1];
typedef TEPtr TERecPtr;

enum
{
    teJustLeft = 0, teJustCenter = 1, teJustRight = -1, teForceLeft = -2,
    teFlushDefault = 0, teCenter = 1, teFlushRight = -1, teFlushLeft = -2
};

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

enum { fontBit = 0, faceBit = 1, sizeBit = 2, clrBit = 3, addSizeBit = 4, toggleBit = 5 };

enum { teWordSelect = 4, teWordDrag = 8, teFromFind = 12, teFromRecal = 16, teFind = 0,
       teHighlight = 1, teDraw = -1, teCaret = -2 };

enum { intEOLHook = 0, intDrawHook = 1, intWidthHook = 2, intHitTestHook = 3, intNWidthHook = 6,
       intTextWidthHook = 7 };

#pragma pack(pop)

#include "callbacks/TextEdit.h"
#include "routines/TextEdit.h"

#endif
