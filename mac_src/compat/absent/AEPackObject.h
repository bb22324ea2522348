/* Routines of AEPackObject.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <AEPackObject.h>

#ifndef ABSENT_AEPACKOBJECT_H
#define ABSENT_AEPACKOBJECT_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CreateOffsetDescriptor(long offset, AEDesc *descriptor);
OSErr CreateCompDescriptor(DescType comparison, AEDesc *operand1, AEDesc *operand2, Boolean dispose, AEDesc *descriptor);
OSErr CreateLogicalDescriptor(AEDescList *terms, DescType logical, Boolean dispose, AEDesc *descriptor);
OSErr CreateObjSpecifier(DescType desired, AEDesc *container, DescType form, AEDesc *data, Boolean dispose, AEDesc *specifier);
OSErr CreateRangeDescriptor(AEDesc *start, AEDesc *stop, Boolean dispose, AEDesc *descriptor);

#ifdef __cplusplus
}
#endif

#endif
