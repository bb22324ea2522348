/* Routines of AppleEvents.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <AppleEvents.h>

#ifndef ABSENT_APPLEEVENTS_H
#define ABSENT_APPLEEVENTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AEDeleteAttribute(const AppleEvent *event, AEKeyword keyword);
OSErr AESizeOfAttribute(const AppleEvent *event, AEKeyword keyword, DescType *type, Size *size);
OSErr AEGetArray(const AEDescList *list, AEArrayType kind, AEArrayDataPointer array, Size maximum, DescType *type, Size *size, long *count);
OSErr AEPutArray(AEDescList *list, AEArrayType kind, const AEArrayData *array, DescType type, Size size, long count);

#ifdef __cplusplus
}
#endif

#endif
