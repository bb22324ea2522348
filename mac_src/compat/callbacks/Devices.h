/* Procedures that the Toolbox calls, as Devices.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Devices.h>

#ifndef CALLBACKS_DEVICES_H
#define CALLBACKS_DEVICES_H

#include <MixedMode.h>

typedef OSErr (*DriverOpenProcPtr)(ParmBlkPtr block, DCtlPtr entry);
typedef UniversalProcPtr DriverOpenUPP;
#define uppDriverOpenProcInfo \
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0) \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(ParmBlkPtr))) \
     | REGISTER_ROUTINE_PARAMETER(2, kRegisterA1, SIZE_CODE(sizeof(DCtlPtr))))
#define NewDriverOpenProc(procedure) \
    ((DriverOpenUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDriverOpenProcInfo, GetCurrentISA()))
#define NewDriverOpenUPP(procedure) NewDriverOpenProc(procedure)
#define DisposeDriverOpenUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDriverOpenProc(upp, block, entry) \
    (OSErr) CallUniversalProc(upp, uppDriverOpenProcInfo, block, entry)
#define InvokeDriverOpenUPP(block, entry, upp) CallDriverOpenProc(upp, block, entry)

typedef OSErr (*DriverCloseProcPtr)(ParmBlkPtr block, DCtlPtr entry);
typedef UniversalProcPtr DriverCloseUPP;
#define uppDriverCloseProcInfo \
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0) \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(ParmBlkPtr))) \
     | REGISTER_ROUTINE_PARAMETER(2, kRegisterA1, SIZE_CODE(sizeof(DCtlPtr))))
#define NewDriverCloseProc(procedure) \
    ((DriverCloseUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDriverCloseProcInfo, GetCurrentISA()))
#define NewDriverCloseUPP(procedure) NewDriverCloseProc(procedure)
#define DisposeDriverCloseUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDriverCloseProc(upp, block, entry) \
    (OSErr) CallUniversalProc(upp, uppDriverCloseProcInfo, block, entry)
#define InvokeDriverCloseUPP(block, entry, upp) CallDriverCloseProc(upp, block, entry)

#endif
