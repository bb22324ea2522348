/* Events.h: the mouse, the keys and the clock. See Types.h for what these headers are. */

#ifndef COMPAT_EVENTS_H
#define COMPAT_EVENTS_H

#include "Types.h"
#include <OSUtils.h>
#include "Quickdraw.h"
#include "records/Events.h"

#pragma pack(push, 2)

typedef short EventMask;
typedef short EventKind;
typedef short EventModifiers;
typedef unsigned char KeyMapByteArray[16];
typedef unsigned long KeyMap[4];

typedef struct EvQEl
{
    QElemPtr qLink;
    short qType;
    short evtQWhat;
    long evtQMessage;
    long evtQWhen;
    Point evtQWhere;
    short evtQModifiers;
} EvQEl, *EvQElPtr;

enum
{
    nullEvent = 0, mouseDown, mouseUp, keyDown, keyUp, autoKey, updateEvt,
    diskEvt, activateEvt,
    networkEvt = 10, driverEvt = 11, app1Evt = 12, app2Evt = 13, app3Evt = 14, app4Evt = 15,
    osEvt = 15, kHighLevelEvent = 23
};

enum
{
    mDownMask = 2, mUpMask = 4, keyDownMask = 8, keyUpMask = 16, autoKeyMask = 32,
    updateMask = 64, diskMask = 128, activMask = 256, networkMask = 0x400, driverMask = 0x800,
    highLevelEventMask = 0x400, app1Mask = 0x1000, app2Mask = 0x2000, app3Mask = 0x4000,
    app4Mask = -0x8000, osMask = -0x8000, everyEvent = -1
};

enum { charCodeMask = 0xff, keyCodeMask = 0xff00, adbAddrMask = 0xff0000 };
#define osEvtMessageMask 0xFF000000UL

enum
{
    activeFlag = 1, changeFlag = 2, btnState = 0x80, cmdKey = 0x100, shiftKey = 0x200,
    alphaLock = 0x400, optionKey = 0x800, controlKey = 0x1000,
    rightShiftKey = 0x2000, rightOptionKey = 0x4000, rightControlKey = 0x8000,
    activeFlagBit = 0, btnStateBit = 7, cmdKeyBit = 8, shiftKeyBit = 9, alphaLockBit = 10,
    optionKeyBit = 11, controlKeyBit = 12
};

enum { mouseMovedMessage = 0xFA, suspendResumeMessage = 1, resumeFlag = 1,
       convertClipboardFlag = 2 };

enum
{
    kNullCharCode = 0, kHomeCharCode = 1, kEnterCharCode = 3, kEndCharCode = 4, kHelpCharCode = 5,
    kBellCharCode = 7, kBackspaceCharCode = 8, kTabCharCode = 9, kLineFeedCharCode = 10,
    kVerticalTabCharCode = 11, kPageUpCharCode = 11, kFormFeedCharCode = 12,
    kPageDownCharCode = 12, kReturnCharCode = 13, kFunctionKeyCharCode = 16, kEscapeCharCode = 27,
    kClearCharCode = 27, kLeftArrowCharCode = 28, kRightArrowCharCode = 29, kUpArrowCharCode = 30,
    kDownArrowCharCode = 31, kDeleteCharCode = 127, kNonBreakingSpaceCharCode = 202
};

#pragma pack(pop)

#include "callbacks/Events.h"
#include "routines/Events.h"

#include "OSUtils.h"            /* Delay, which was here first */
#include "Desk.h"               /* SystemTask */

#endif
