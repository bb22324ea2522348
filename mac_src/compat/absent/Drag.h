/* Routines of Drag.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Drag.h>

#ifndef ABSENT_DRAG_H
#define ABSENT_DRAG_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr SetDragItemFlavorData(DragReference drag, ItemReference item, FlavorType type, const void *data, Size size, unsigned long offset);
OSErr CountDragItems(DragReference drag, unsigned short *count);
OSErr GetDragItemReferenceNumber(DragReference drag, unsigned short index, ItemReference *item);
OSErr CountDragItemFlavors(DragReference drag, ItemReference item, unsigned short *count);
OSErr GetFlavorType(DragReference drag, ItemReference item, unsigned short index, FlavorType *type);
OSErr GetFlavorFlags(DragReference drag, ItemReference item, FlavorType type, FlavorFlags *flags);
OSErr GetFlavorData(DragReference drag, ItemReference item, FlavorType type, void *data, Size *size, unsigned long offset);
OSErr GetFlavorDataSize(DragReference drag, ItemReference item, FlavorType type, Size *size);
OSErr GetDragItemBounds(DragReference drag, ItemReference item, Rect *bounds);
OSErr GetDropLocation(DragReference drag, AEDesc *location);
OSErr SetDropLocation(DragReference drag, const AEDesc *location);
OSErr SetDragSendProc(DragReference drag, DragSendDataUPP procedure, void *data);
OSErr SetDragInputProc(DragReference drag, DragInputUPP procedure, void *data);
OSErr SetDragDrawingProc(DragReference drag, DragDrawingUPP procedure, void *data);
OSErr GetDragMouse(DragReference drag, Point *mouse, Point *pinned);
OSErr SetDragMouse(DragReference drag, Point pinned);
OSErr GetDragOrigin(DragReference drag, Point *origin);
OSErr GetDragAttributes(DragReference drag, DragAttributes *attributes);
OSErr GetDragModifiers(DragReference drag, short *modifiers, short *mouseDown, short *mouseUp);
OSErr ShowDragHilite(DragReference drag, RgnHandle frame, Boolean inside);
OSErr HideDragHilite(DragReference drag);
OSErr DragPreScroll(DragReference drag, short dh, short dv);
OSErr DragPostScroll(DragReference drag);
OSErr UpdateDragHilite(DragReference drag, RgnHandle update);
OSErr ZoomRects(const Rect *from, const Rect *to, short steps, short acceleration);
OSErr ZoomRegion(RgnHandle region, Point distance, short steps, short acceleration);

#ifdef __cplusplus
}
#endif

#endif
