/* Routines of AEObjects.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <AEObjects.h>

#ifndef ABSENT_AEOBJECTS_H
#define ABSENT_AEOBJECTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AEResolve(const AEDesc *specifier, short flags, AEDesc *token);
OSErr AECallObjectAccessor(DescType desired, const AEDesc *token, DescType containerClass, DescType form, const AEDesc *data, AEDesc *result);
OSErr AEDisposeToken(AEDesc *token);

#ifdef __cplusplus
}
#endif

#endif
