/* Procedures that the Toolbox calls, as QDOffscreen.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <QDOffscreen.h>

#ifndef CALLBACKS_QDOFFSCREEN_H
#define CALLBACKS_QDOFFSCREEN_H

#include <MixedMode.h>

typedef Boolean (*ColorComplementProcPtr)(RGBColor* color);
typedef UniversalProcPtr ColorComplementUPP;
#define uppColorComplementProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(RGBColor*))))
#define NewColorComplementProc(procedure) \
    ((ColorComplementUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppColorComplementProcInfo, GetCurrentISA()))
#define NewColorComplementUPP(procedure) NewColorComplementProc(procedure)
#define DisposeColorComplementUPP(upp) DisposeRoutineDescriptor(upp)
#define CallColorComplementProc(upp, color) \
    (Boolean) CallUniversalProc(upp, uppColorComplementProcInfo, color)
#define InvokeColorComplementUPP(color, upp) CallColorComplementProc(upp, color)

#endif
