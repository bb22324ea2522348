/* Procedures that the Toolbox calls, as Quickdraw.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Quickdraw.h>

#ifndef CALLBACKS_QUICKDRAW_H
#define CALLBACKS_QUICKDRAW_H

#include <MixedMode.h>

typedef void (*QDTextProcPtr)(short count, Ptr text, Point numer, Point denom);
typedef UniversalProcPtr QDTextUPP;
#define uppQDTextProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Point))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Point))))
#define NewQDTextProc(procedure) \
    ((QDTextUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDTextProcInfo, GetCurrentISA()))
#define NewQDTextUPP(procedure) NewQDTextProc(procedure)
#define DisposeQDTextUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDTextProc(upp, count, text, numer, denom) \
    (void) CallUniversalProc(upp, uppQDTextProcInfo, count, text, numer, denom)
#define InvokeQDTextUPP(count, text, numer, denom, upp) CallQDTextProc(upp, count, text, numer, denom)

typedef void (*QDLineProcPtr)(Point to);
typedef UniversalProcPtr QDLineUPP;
#define uppQDLineProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Point))))
#define NewQDLineProc(procedure) \
    ((QDLineUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDLineProcInfo, GetCurrentISA()))
#define NewQDLineUPP(procedure) NewQDLineProc(procedure)
#define DisposeQDLineUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDLineProc(upp, to) \
    (void) CallUniversalProc(upp, uppQDLineProcInfo, to)
#define InvokeQDLineUPP(to, upp) CallQDLineProc(upp, to)

typedef void (*QDRectProcPtr)(SignedByte verb, Rect* rect);
typedef UniversalProcPtr QDRectUPP;
#define uppQDRectProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))))
#define NewQDRectProc(procedure) \
    ((QDRectUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDRectProcInfo, GetCurrentISA()))
#define NewQDRectUPP(procedure) NewQDRectProc(procedure)
#define DisposeQDRectUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDRectProc(upp, verb, rect) \
    (void) CallUniversalProc(upp, uppQDRectProcInfo, verb, rect)
#define InvokeQDRectUPP(verb, rect, upp) CallQDRectProc(upp, verb, rect)

typedef void (*QDRRectProcPtr)(SignedByte verb, Rect* rect, short width, short height);
typedef UniversalProcPtr QDRRectUPP;
#define uppQDRRectProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewQDRRectProc(procedure) \
    ((QDRRectUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDRRectProcInfo, GetCurrentISA()))
#define NewQDRRectUPP(procedure) NewQDRRectProc(procedure)
#define DisposeQDRRectUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDRRectProc(upp, verb, rect, width, height) \
    (void) CallUniversalProc(upp, uppQDRRectProcInfo, verb, rect, width, height)
#define InvokeQDRRectUPP(verb, rect, width, height, upp) CallQDRRectProc(upp, verb, rect, width, height)

typedef void (*QDOvalProcPtr)(SignedByte verb, Rect* rect);
typedef UniversalProcPtr QDOvalUPP;
#define uppQDOvalProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))))
#define NewQDOvalProc(procedure) \
    ((QDOvalUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDOvalProcInfo, GetCurrentISA()))
#define NewQDOvalUPP(procedure) NewQDOvalProc(procedure)
#define DisposeQDOvalUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDOvalProc(upp, verb, rect) \
    (void) CallUniversalProc(upp, uppQDOvalProcInfo, verb, rect)
#define InvokeQDOvalUPP(verb, rect, upp) CallQDOvalProc(upp, verb, rect)

typedef void (*QDArcProcPtr)(SignedByte verb, Rect* rect, short start, short angle);
typedef UniversalProcPtr QDArcUPP;
#define uppQDArcProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewQDArcProc(procedure) \
    ((QDArcUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDArcProcInfo, GetCurrentISA()))
#define NewQDArcUPP(procedure) NewQDArcProc(procedure)
#define DisposeQDArcUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDArcProc(upp, verb, rect, start, angle) \
    (void) CallUniversalProc(upp, uppQDArcProcInfo, verb, rect, start, angle)
#define InvokeQDArcUPP(verb, rect, start, angle, upp) CallQDArcProc(upp, verb, rect, start, angle)

typedef void (*QDPolyProcPtr)(SignedByte verb, PolyHandle polygon);
typedef UniversalProcPtr QDPolyUPP;
#define uppQDPolyProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(PolyHandle))))
#define NewQDPolyProc(procedure) \
    ((QDPolyUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDPolyProcInfo, GetCurrentISA()))
#define NewQDPolyUPP(procedure) NewQDPolyProc(procedure)
#define DisposeQDPolyUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDPolyProc(upp, verb, polygon) \
    (void) CallUniversalProc(upp, uppQDPolyProcInfo, verb, polygon)
#define InvokeQDPolyUPP(verb, polygon, upp) CallQDPolyProc(upp, verb, polygon)

typedef void (*QDRgnProcPtr)(SignedByte verb, RgnHandle region);
typedef UniversalProcPtr QDRgnUPP;
#define uppQDRgnProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SignedByte))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(RgnHandle))))
#define NewQDRgnProc(procedure) \
    ((QDRgnUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDRgnProcInfo, GetCurrentISA()))
#define NewQDRgnUPP(procedure) NewQDRgnProc(procedure)
#define DisposeQDRgnUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDRgnProc(upp, verb, region) \
    (void) CallUniversalProc(upp, uppQDRgnProcInfo, verb, region)
#define InvokeQDRgnUPP(verb, region, upp) CallQDRgnProc(upp, verb, region)

typedef void (*QDBitsProcPtr)(BitMap* source, Rect* from, Rect* to, short mode, RgnHandle mask);
typedef UniversalProcPtr QDBitsUPP;
#define uppQDBitsProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(BitMap*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(RgnHandle))))
#define NewQDBitsProc(procedure) \
    ((QDBitsUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDBitsProcInfo, GetCurrentISA()))
#define NewQDBitsUPP(procedure) NewQDBitsProc(procedure)
#define DisposeQDBitsUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDBitsProc(upp, source, from, to, mode, mask) \
    (void) CallUniversalProc(upp, uppQDBitsProcInfo, source, from, to, mode, mask)
#define InvokeQDBitsUPP(source, from, to, mode, mask, upp) CallQDBitsProc(upp, source, from, to, mode, mask)

typedef void (*QDCommentProcPtr)(short kind, short size, Handle data);
typedef UniversalProcPtr QDCommentUPP;
#define uppQDCommentProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Handle))))
#define NewQDCommentProc(procedure) \
    ((QDCommentUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDCommentProcInfo, GetCurrentISA()))
#define NewQDCommentUPP(procedure) NewQDCommentProc(procedure)
#define DisposeQDCommentUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDCommentProc(upp, kind, size, data) \
    (void) CallUniversalProc(upp, uppQDCommentProcInfo, kind, size, data)
#define InvokeQDCommentUPP(kind, size, data, upp) CallQDCommentProc(upp, kind, size, data)

typedef short (*QDTxMeasProcPtr)(short count, Ptr text, Point* numer, Point* denom, FontInfo* info);
typedef UniversalProcPtr QDTxMeasUPP;
#define uppQDTxMeasProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Point*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Point*))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(FontInfo*))))
#define NewQDTxMeasProc(procedure) \
    ((QDTxMeasUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDTxMeasProcInfo, GetCurrentISA()))
#define NewQDTxMeasUPP(procedure) NewQDTxMeasProc(procedure)
#define DisposeQDTxMeasUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDTxMeasProc(upp, count, text, numer, denom, info) \
    (short) CallUniversalProc(upp, uppQDTxMeasProcInfo, count, text, numer, denom, info)
#define InvokeQDTxMeasUPP(count, text, numer, denom, info, upp) CallQDTxMeasProc(upp, count, text, numer, denom, info)

typedef void (*QDGetPicProcPtr)(Ptr data, short count);
typedef UniversalProcPtr QDGetPicUPP;
#define uppQDGetPicProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewQDGetPicProc(procedure) \
    ((QDGetPicUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDGetPicProcInfo, GetCurrentISA()))
#define NewQDGetPicUPP(procedure) NewQDGetPicProc(procedure)
#define DisposeQDGetPicUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDGetPicProc(upp, data, count) \
    (void) CallUniversalProc(upp, uppQDGetPicProcInfo, data, count)
#define InvokeQDGetPicUPP(data, count, upp) CallQDGetPicProc(upp, data, count)

typedef void (*QDPutPicProcPtr)(Ptr data, short count);
typedef UniversalProcPtr QDPutPicUPP;
#define uppQDPutPicProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewQDPutPicProc(procedure) \
    ((QDPutPicUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDPutPicProcInfo, GetCurrentISA()))
#define NewQDPutPicUPP(procedure) NewQDPutPicProc(procedure)
#define DisposeQDPutPicUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDPutPicProc(upp, data, count) \
    (void) CallUniversalProc(upp, uppQDPutPicProcInfo, data, count)
#define InvokeQDPutPicUPP(data, count, upp) CallQDPutPicProc(upp, data, count)

typedef void (*QDOpcodeProcPtr)(Rect* from, Rect* to, short opcode, short version);
typedef UniversalProcPtr QDOpcodeUPP;
#define uppQDOpcodeProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewQDOpcodeProc(procedure) \
    ((QDOpcodeUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppQDOpcodeProcInfo, GetCurrentISA()))
#define NewQDOpcodeUPP(procedure) NewQDOpcodeProc(procedure)
#define DisposeQDOpcodeUPP(upp) DisposeRoutineDescriptor(upp)
#define CallQDOpcodeProc(upp, from, to, opcode, version) \
    (void) CallUniversalProc(upp, uppQDOpcodeProcInfo, from, to, opcode, version)
#define InvokeQDOpcodeUPP(from, to, opcode, version, upp) CallQDOpcodeProc(upp, from, to, opcode, version)

typedef Boolean (*ColorSearchProcPtr)(RGBColor* color, long* position);
typedef UniversalProcPtr ColorSearchUPP;
#define uppColorSearchProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(RGBColor*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long*))))
#define NewColorSearchProc(procedure) \
    ((ColorSearchUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppColorSearchProcInfo, GetCurrentISA()))
#define NewColorSearchUPP(procedure) NewColorSearchProc(procedure)
#define DisposeColorSearchUPP(upp) DisposeRoutineDescriptor(upp)
#define CallColorSearchProc(upp, color, position) \
    (Boolean) CallUniversalProc(upp, uppColorSearchProcInfo, color, position)
#define InvokeColorSearchUPP(color, position, upp) CallColorSearchProc(upp, color, position)

typedef void (*DeviceLoopDrawingProcPtr)(short depth, short flags, GDHandle device, long data);
typedef UniversalProcPtr DeviceLoopDrawingUPP;
#define uppDeviceLoopDrawingProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(GDHandle))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewDeviceLoopDrawingProc(procedure) \
    ((DeviceLoopDrawingUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDeviceLoopDrawingProcInfo, GetCurrentISA()))
#define NewDeviceLoopDrawingUPP(procedure) NewDeviceLoopDrawingProc(procedure)
#define DisposeDeviceLoopDrawingUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDeviceLoopDrawingProc(upp, depth, flags, device, data) \
    (void) CallUniversalProc(upp, uppDeviceLoopDrawingProcInfo, depth, flags, device, data)
#define InvokeDeviceLoopDrawingUPP(depth, flags, device, data, upp) CallDeviceLoopDrawingProc(upp, depth, flags, device, data)

typedef void (*DragGrayRgnProcPtr)(void);
typedef UniversalProcPtr DragGrayRgnUPP;
#define uppDragGrayRgnProcInfo \
    (kPascalStackBased)
#define NewDragGrayRgnProc(procedure) \
    ((DragGrayRgnUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDragGrayRgnProcInfo, GetCurrentISA()))
#define NewDragGrayRgnUPP(procedure) NewDragGrayRgnProc(procedure)
#define DisposeDragGrayRgnUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDragGrayRgnProc(upp) \
    (void) CallUniversalProc(upp, uppDragGrayRgnProcInfo)
#define InvokeDragGrayRgnUPP(upp) CallDragGrayRgnProc(upp)

#endif
