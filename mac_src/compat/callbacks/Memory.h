/* Procedures that the Toolbox calls, as Memory.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Memory.h>

#ifndef CALLBACKS_MEMORY_H
#define CALLBACKS_MEMORY_H

#include <MixedMode.h>

typedef long (*GrowZoneProcPtr)(Size needed);
typedef UniversalProcPtr GrowZoneUPP;
#define uppGrowZoneProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Size))))
#define NewGrowZoneProc(procedure) \
    ((GrowZoneUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppGrowZoneProcInfo, GetCurrentISA()))
#define NewGrowZoneUPP(procedure) NewGrowZoneProc(procedure)
#define DisposeGrowZoneUPP(upp) DisposeRoutineDescriptor(upp)
#define CallGrowZoneProc(upp, needed) \
    (long) CallUniversalProc(upp, uppGrowZoneProcInfo, needed)
#define InvokeGrowZoneUPP(needed, upp) CallGrowZoneProc(upp, needed)

typedef void (*PurgeProcPtr)(Handle block);
typedef UniversalProcPtr PurgeUPP;
#define uppPurgeProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Handle))))
#define NewPurgeProc(procedure) \
    ((PurgeUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppPurgeProcInfo, GetCurrentISA()))
#define NewPurgeUPP(procedure) NewPurgeProc(procedure)
#define DisposePurgeUPP(upp) DisposeRoutineDescriptor(upp)
#define CallPurgeProc(upp, block) \
    (void) CallUniversalProc(upp, uppPurgeProcInfo, block)
#define InvokePurgeUPP(block, upp) CallPurgeProc(upp, block)

typedef void (*UserFnProcPtr)(void* parameter);
typedef UniversalProcPtr UserFnUPP;
#define uppUserFnProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(void*))))
#define NewUserFnProc(procedure) \
    ((UserFnUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppUserFnProcInfo, GetCurrentISA()))
#define NewUserFnUPP(procedure) NewUserFnProc(procedure)
#define DisposeUserFnUPP(upp) DisposeRoutineDescriptor(upp)
#define CallUserFnProc(upp, parameter) \
    (void) CallUniversalProc(upp, uppUserFnProcInfo, parameter)
#define InvokeUserFnUPP(parameter, upp) CallUserFnProc(upp, parameter)

#endif
