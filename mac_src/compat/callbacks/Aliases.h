/* Procedures that the Toolbox calls, as Aliases.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Aliases.h>

#ifndef CALLBACKS_ALIASES_H
#define CALLBACKS_ALIASES_H

#include <MixedMode.h>

typedef Boolean (*AliasFilterProcPtr)(CInfoPBPtr block, Boolean* quit, void* data);
typedef UniversalProcPtr AliasFilterUPP;
#define uppAliasFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(CInfoPBPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Boolean*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewAliasFilterProc(procedure) \
    ((AliasFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAliasFilterProcInfo, GetCurrentISA()))
#define NewAliasFilterUPP(procedure) NewAliasFilterProc(procedure)
#define DisposeAliasFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAliasFilterProc(upp, block, quit, data) \
    (Boolean) CallUniversalProc(upp, uppAliasFilterProcInfo, block, quit, data)
#define InvokeAliasFilterUPP(block, quit, data, upp) CallAliasFilterProc(upp, block, quit, data)

#endif
