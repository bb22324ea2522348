/* Procedures that the Toolbox calls, as Drag.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Drag.h>

#ifndef CALLBACKS_DRAG_H
#define CALLBACKS_DRAG_H

#include <MixedMode.h>

typedef OSErr (*DragTrackingHandlerProcPtr)(short message, WindowPtr window, void* refcon, DragReference drag);
typedef UniversalProcPtr DragTrackingHandlerUPP;
#define uppDragTrackingHandlerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(WindowPtr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(DragReference))))
#define NewDragTrackingHandlerProc(procedure) \
    ((DragTrackingHandlerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragTrackingHandlerProcInfo, GetCurrentISA()))
#define NewDragTrackingHandlerUPP(procedure) NewDragTrackingHandlerProc(procedure)
#define DisposeDragTrackingHandlerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragTrackingHandlerProc(upp, message, window, refcon, drag) \
    (OSErr) CallUniversalProc(upp, uppDragTrackingHandlerProcInfo, message, window, refcon, drag)
#define InvokeDragTrackingHandlerUPP(message, window, refcon, drag, upp) CallDragTrackingHandlerProc(upp, message, window, refcon, drag)

typedef OSErr (*DragReceiveHandlerProcPtr)(WindowPtr window, void* refcon, DragReference drag);
typedef UniversalProcPtr DragReceiveHandlerUPP;
#define uppDragReceiveHandlerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(WindowPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(DragReference))))
#define NewDragReceiveHandlerProc(procedure) \
    ((DragReceiveHandlerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragReceiveHandlerProcInfo, GetCurrentISA()))
#define NewDragReceiveHandlerUPP(procedure) NewDragReceiveHandlerProc(procedure)
#define DisposeDragReceiveHandlerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragReceiveHandlerProc(upp, window, refcon, drag) \
    (OSErr) CallUniversalProc(upp, uppDragReceiveHandlerProcInfo, window, refcon, drag)
#define InvokeDragReceiveHandlerUPP(window, refcon, drag, upp) CallDragReceiveHandlerProc(upp, window, refcon, drag)

typedef OSErr (*DragSendDataProcPtr)(unsigned long type, void* refcon, ItemReference item, DragReference drag);
typedef UniversalProcPtr DragSendDataUPP;
#define uppDragSendDataProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(unsigned long))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(ItemReference))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(DragReference))))
#define NewDragSendDataProc(procedure) \
    ((DragSendDataUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragSendDataProcInfo, GetCurrentISA()))
#define NewDragSendDataUPP(procedure) NewDragSendDataProc(procedure)
#define DisposeDragSendDataUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragSendDataProc(upp, type, refcon, item, drag) \
    (OSErr) CallUniversalProc(upp, uppDragSendDataProcInfo, type, refcon, item, drag)
#define InvokeDragSendDataUPP(type, refcon, item, drag, upp) CallDragSendDataProc(upp, type, refcon, item, drag)

typedef OSErr (*DragInputProcPtr)(Point* mouse, short* modifiers, void* refcon, DragReference drag);
typedef UniversalProcPtr DragInputUPP;
#define uppDragInputProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Point*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(DragReference))))
#define NewDragInputProc(procedure) \
    ((DragInputUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragInputProcInfo, GetCurrentISA()))
#define NewDragInputUPP(procedure) NewDragInputProc(procedure)
#define DisposeDragInputUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragInputProc(upp, mouse, modifiers, refcon, drag) \
    (OSErr) CallUniversalProc(upp, uppDragInputProcInfo, mouse, modifiers, refcon, drag)
#define InvokeDragInputUPP(mouse, modifiers, refcon, drag, upp) CallDragInputProc(upp, mouse, modifiers, refcon, drag)

typedef OSErr (*DragDrawingProcPtr)(short message, RgnHandle shown, Point mouse, RgnHandle dragRgn, Point dragged, void* refcon, DragReference drag);
typedef UniversalProcPtr DragDrawingUPP;
#define uppDragDrawingProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(RgnHandle))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Point))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(RgnHandle))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(Point))) \
     | STACK_ROUTINE_PARAMETER(6, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(7, SIZE_CODE(sizeof(DragReference))))
#define NewDragDrawingProc(procedure) \
    ((DragDrawingUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragDrawingProcInfo, GetCurrentISA()))
#define NewDragDrawingUPP(procedure) NewDragDrawingProc(procedure)
#define DisposeDragDrawingUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragDrawingProc(upp, message, shown, mouse, dragRgn, dragged, refcon, drag) \
    (OSErr) CallUniversalProc(upp, uppDragDrawingProcInfo, message, shown, mouse, dragRgn, dragged, refcon, drag)
#define InvokeDragDrawingUPP(message, shown, mouse, dragRgn, dragged, refcon, drag, upp) CallDragDrawingProc(upp, message, shown, mouse, dragRgn, dragged, refcon, drag)

#endif
