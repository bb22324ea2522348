/* Routines of AEObjects.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <AEObjects.h>

#ifndef ROUTINES_AEOBJECTS_H
#define ROUTINES_AEOBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AECallObjectAccessor(OSType desiredClass, const AEDesc* containerToken, OSType containerClass, OSType keyForm, const AEDesc* keyData, AEDesc* token);
OSErr AEDisposeToken(AEDesc* theToken);
OSErr AEGetObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr* theAccessor, long* accessorRefcon, Boolean isSysHandler);
OSErr AEInstallObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr theAccessor, long accessorRefcon, Boolean isSysHandler);
OSErr AEObjectInit(void);
OSErr AERemoveObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr theAccessor, Boolean isSysHandler);
OSErr AEResolve(const AEDesc* objectSpecifier, short callbackFlags, AEDesc* theToken);
OSErr AESetObjectCallbacks(ProcPtr myCompareProc, ProcPtr myCountProc, ProcPtr myDisposeTokenProc, ProcPtr myGetMarkTokenProc, ProcPtr myMarkProc, ProcPtr myAdjustMarksProc, ProcPtr myGetErrDescProcPtr);

#ifdef __cplusplus
}
#endif

#endif
