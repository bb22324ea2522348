/* Drag.h: the Drag Manager, which gives every drag up. */

#ifndef COMPAT_DRAG_H
#define COMPAT_DRAG_H

#include "Types.h"
#include "AppleEvents.h"
#include "Events.h"
#include "Files.h"
#include "Quickdraw.h"
#include "Windows.h"

#pragma pack(push, 2)

typedef unsigned long   DragReference;
typedef DragReference   DragRef;
typedef unsigned long   ItemReference;
typedef ItemReference   DragItemRef;
typedef ResType         FlavorType;
typedef unsigned long   FlavorFlags;
typedef unsigned long   DragAttributes;
typedef unsigned long   DragBehaviors;
typedef unsigned long   DragImageFlags;
typedef short           DragTrackingMessage;
typedef short           DragRegionMessage;

enum { dragHasLeftSenderWindow = 1, dragInsideSenderApplication = 2, dragInsideSenderWindow = 4 };

enum { flavorSenderOnly = 1, flavorSenderTranslated = 2, flavorNotSaved = 4,
       flavorSystemTranslated = 256 };

#define flavorTypeHFS               ((FlavorType) 0x68667320)   /* 'hfs ' */
#define flavorTypePromiseHFS        ((FlavorType) 0x70686673)   /* 'phfs' */
#define flavorTypeDirectory         ((FlavorType) 0x64697220)   /* 'dir ' */

enum { dragTrackingEnterHandler = 1, dragTrackingEnterWindow = 2, dragTrackingInWindow = 3,
       dragTrackingLeaveWindow = 4, dragTrackingLeaveHandler = 5,
       kDragTrackingEnterHandler = 1, kDragTrackingEnterWindow = 2, kDragTrackingInWindow = 3,
       kDragTrackingLeaveWindow = 4, kDragTrackingLeaveHandler = 5 };

enum { dragRegionBegin = 1, dragRegionDraw = 2, dragRegionHide = 3, dragRegionIdle = 4,
       dragRegionEnd = 5 };

enum { zoomNoAcceleration = 0, zoomAccelerate = 1, zoomDecelerate = 2 };

typedef struct HFSFlavor
{
    OSType fileType;
    OSType fileCreator;
    unsigned short fdFlags;
    FSSpec fileSpec;
} HFSFlavor;

typedef struct PromiseHFSFlavor
{
    OSType fileType;
    OSType fileCreator;
    unsigned short fdFlags;
    FlavorType promisedFlavor;
} PromiseHFSFlavor;

#pragma pack(pop)

#include "callbacks/Drag.h"

#ifdef __cplusplus
extern "C" {
#endif

OSErr NewDrag(DragReference *drag);
OSErr DisposeDrag(DragReference drag);
OSErr AddDragItemFlavor(DragReference drag, ItemReference item, FlavorType type,
    const void *data, Size size, FlavorFlags flags);
OSErr SetDragItemBounds(DragReference drag, ItemReference item, const Rect *bounds);
OSErr InstallTrackingHandler(DragTrackingHandlerUPP handler, WindowPtr window, void *data);
OSErr InstallReceiveHandler(DragReceiveHandlerUPP handler, WindowPtr window, void *data);
OSErr RemoveTrackingHandler(DragTrackingHandlerUPP handler, WindowPtr window);
OSErr RemoveReceiveHandler(DragReceiveHandlerUPP handler, WindowPtr window);
OSErr TrackDrag(DragReference drag, const EventRecord *event, RgnHandle region);
Boolean WaitMouseMoved(Point start);

#ifdef __cplusplus
}
#endif

#include "absent/Drag.h"

#endif
