/* Procedures that the Toolbox calls, as Movies.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Movies.h>

#ifndef CALLBACKS_MOVIES_H
#define CALLBACKS_MOVIES_H

#include <MixedMode.h>

typedef Boolean (*MovieControllerProcPtr)(ComponentInstance controller, short action, void* parameters, long refcon);
typedef UniversalProcPtr MovieControllerUPP;
#define uppMovieControllerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ComponentInstance))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewMovieControllerProc(procedure) \
    ((MovieControllerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMovieControllerProcInfo, GetCurrentISA()))
#define NewMovieControllerUPP(procedure) NewMovieControllerProc(procedure)
#define DisposeMovieControllerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMovieControllerProc(upp, controller, action, parameters, refcon) \
    (Boolean) CallUniversalProc(upp, uppMovieControllerProcInfo, controller, action, parameters, refcon)
#define InvokeMovieControllerUPP(controller, action, parameters, refcon, upp) CallMovieControllerProc(upp, controller, action, parameters, refcon)

typedef Boolean (*MCActionFilterProcPtr)(ComponentInstance controller, short* action, void* parameters);
typedef UniversalProcPtr MCActionFilterUPP;
#define uppMCActionFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ComponentInstance))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewMCActionFilterProc(procedure) \
    ((MCActionFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMCActionFilterProcInfo, GetCurrentISA()))
#define NewMCActionFilterUPP(procedure) NewMCActionFilterProc(procedure)
#define DisposeMCActionFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMCActionFilterProc(upp, controller, action, parameters) \
    (Boolean) CallUniversalProc(upp, uppMCActionFilterProcInfo, controller, action, parameters)
#define InvokeMCActionFilterUPP(controller, action, parameters, upp) CallMCActionFilterProc(upp, controller, action, parameters)

typedef Boolean (*MCActionFilterWithRefConProcPtr)(ComponentInstance controller, short action, void* parameters, long refcon);
typedef UniversalProcPtr MCActionFilterWithRefConUPP;
#define uppMCActionFilterWithRefConProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ComponentInstance))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewMCActionFilterWithRefConProc(procedure) \
    ((MCActionFilterWithRefConUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMCActionFilterWithRefConProcInfo, GetCurrentISA()))
#define NewMCActionFilterWithRefConUPP(procedure) NewMCActionFilterWithRefConProc(procedure)
#define DisposeMCActionFilterWithRefConUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMCActionFilterWithRefConProc(upp, controller, action, parameters, refcon) \
    (Boolean) CallUniversalProc(upp, uppMCActionFilterWithRefConProcInfo, controller, action, parameters, refcon)
#define InvokeMCActionFilterWithRefConUPP(controller, action, parameters, refcon, upp) CallMCActionFilterWithRefConProc(upp, controller, action, parameters, refcon)

typedef OSErr (*MovieProgressProcPtr)(Movie movie, short message, short what, Fixed done, long refcon);
typedef UniversalProcPtr MovieProgressUPP;
#define uppMovieProgressProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Movie))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Fixed))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(long))))
#define NewMovieProgressProc(procedure) \
    ((MovieProgressUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMovieProgressProcInfo, GetCurrentISA()))
#define NewMovieProgressUPP(procedure) NewMovieProgressProc(procedure)
#define DisposeMovieProgressUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMovieProgressProc(upp, movie, message, what, done, refcon) \
    (OSErr) CallUniversalProc(upp, uppMovieProgressProcInfo, movie, message, what, done, refcon)
#define InvokeMovieProgressUPP(movie, message, what, done, refcon, upp) CallMovieProgressProc(upp, movie, message, what, done, refcon)

typedef OSErr (*MovieRgnCoverProcPtr)(Movie movie, RgnHandle changed, long refcon);
typedef UniversalProcPtr MovieRgnCoverUPP;
#define uppMovieRgnCoverProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Movie))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(RgnHandle))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))))
#define NewMovieRgnCoverProc(procedure) \
    ((MovieRgnCoverUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMovieRgnCoverProcInfo, GetCurrentISA()))
#define NewMovieRgnCoverUPP(procedure) NewMovieRgnCoverProc(procedure)
#define DisposeMovieRgnCoverUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMovieRgnCoverProc(upp, movie, changed, refcon) \
    (OSErr) CallUniversalProc(upp, uppMovieRgnCoverProcInfo, movie, changed, refcon)
#define InvokeMovieRgnCoverUPP(movie, changed, refcon, upp) CallMovieRgnCoverProc(upp, movie, changed, refcon)

typedef Boolean (*MoviePreviewCallProcPtr)(Movie movie, long refcon);
typedef UniversalProcPtr MoviePreviewCallUPP;
#define uppMoviePreviewCallProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Movie))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))))
#define NewMoviePreviewCallProc(procedure) \
    ((MoviePreviewCallUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMoviePreviewCallProcInfo, GetCurrentISA()))
#define NewMoviePreviewCallUPP(procedure) NewMoviePreviewCallProc(procedure)
#define DisposeMoviePreviewCallUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMoviePreviewCallProc(upp, movie, refcon) \
    (Boolean) CallUniversalProc(upp, uppMoviePreviewCallProcInfo, movie, refcon)
#define InvokeMoviePreviewCallUPP(movie, refcon, upp) CallMoviePreviewCallProc(upp, movie, refcon)

typedef OSErr (*TextMediaProcPtr)(Handle text, Movie movie, short* displayFlag, long refcon);
typedef UniversalProcPtr TextMediaUPP;
#define uppTextMediaProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Handle))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Movie))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewTextMediaProc(procedure) \
    ((TextMediaUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTextMediaProcInfo, GetCurrentISA()))
#define NewTextMediaUPP(procedure) NewTextMediaProc(procedure)
#define DisposeTextMediaUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTextMediaProc(upp, text, movie, displayFlag, refcon) \
    (OSErr) CallUniversalProc(upp, uppTextMediaProcInfo, text, movie, displayFlag, refcon)
#define InvokeTextMediaUPP(text, movie, displayFlag, refcon, upp) CallTextMediaProc(upp, text, movie, displayFlag, refcon)

#endif
