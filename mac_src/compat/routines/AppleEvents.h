/* Routines of AppleEvents.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_APPLEEVENTS_H
#define ROUTINES_APPLEEVENTS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct AEDesc;

OSErr AECoerceDesc(const struct AEDesc* theAEDesc, OSType toType, struct AEDesc* result);
OSErr AECoercePtr(OSType typeCode, void* dataPtr, Size dataSize, OSType toType, struct AEDesc* result);
OSErr AECountItems(const struct AEDesc* theAEDescList, long* theCount);
OSErr AECreateAppleEvent(OSType theAEEventClass, OSType theAEEventID, const struct AEDesc* target, short returnID, long transactionID, struct AEDesc* result);
OSErr AECreateDesc(OSType typeCode, void* dataPtr, Size dataSize, struct AEDesc* result);
OSErr AECreateList(void* factoringPtr, Size factoredSize, Boolean isRecord, struct AEDesc* resultList);
OSErr AEDeleteItem(const struct AEDesc* theAEDescList, long index);
OSErr AEDeleteKeyDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword);
OSErr AEDeleteParam(const struct AEDesc* theAppleEvent, OSType theAEKeyword);
OSErr AEDisposeDesc(struct AEDesc* theAEDesc);
OSErr AEDuplicateDesc(const struct AEDesc* theAEDesc, struct AEDesc* result);
OSErr AEGetAttributeDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, struct AEDesc* result);
OSErr AEGetAttributePtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetCoercionHandler(OSType fromType, OSType toType, ProcPtr* handler, long* handlerRefcon, Boolean* fromTypeIsDesc, Boolean isSysHandler);
OSErr AEGetEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr* handler, long* handlerRefcon, Boolean isSysHandler);
OSErr AEGetInteractionAllowed(SignedByte* level);
OSErr AEGetKeyDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, struct AEDesc* result);
OSErr AEGetKeyPtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetNthDesc(const struct AEDesc* theAEDescList, long index, OSType desiredType, OSType* theAEKeyword, struct AEDesc* result);
OSErr AEGetNthPtr(const struct AEDesc* theAEDescList, long index, OSType desiredType, OSType* theAEKeyword, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr* theAccessor, long* accessorRefcon, Boolean isSysHandler);
OSErr AEGetParamDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, struct AEDesc* result);
OSErr AEGetParamPtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetSpecialHandler(OSType functionClass, ProcPtr* handler, Boolean isSysHandler);
OSErr AEGetTheCurrentEvent(struct AEDesc* theAppleEvent);
OSErr AEInstallCoercionHandler(OSType fromType, OSType toType, ProcPtr handler, long handlerRefcon, Boolean fromTypeIsDesc, Boolean isSysHandler);
OSErr AEInstallEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr handler, long handlerRefcon, Boolean isSysHandler);
OSErr AEInstallObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr theAccessor, long accessorRefcon, Boolean isSysHandler);
OSErr AEInstallSpecialHandler(OSType functionClass, ProcPtr handler, Boolean isSysHandler);
OSErr AEInteractWithUser(long timeOutInTicks, void* nmReqPtr, ProcPtr idleProc);
OSErr AEManagerInfo(OSType keyWord, long* result);
OSErr AEObjectInit(void);
OSErr AEProcessAppleEvent(void* theEventRecord);
OSErr AEPutAttributeDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, const struct AEDesc* theAEDesc);
OSErr AEPutAttributePtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutDesc(const struct AEDesc* theAEDescList, long index, const struct AEDesc* theAEDesc);
OSErr AEPutKeyDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, const struct AEDesc* theAEDesc);
OSErr AEPutKeyPtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutParamDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, const struct AEDesc* theAEDesc);
OSErr AEPutParamPtr(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutPtr(const struct AEDesc* theAEDescList, long index, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AERemoveCoercionHandler(OSType fromType, OSType toType, ProcPtr handler, Boolean isSysHandler);
OSErr AERemoveEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr handler, Boolean isSysHandler);
OSErr AERemoveObjectAccessor(OSType desiredClass, OSType containerType, ProcPtr theAccessor, Boolean isSysHandler);
OSErr AERemoveSpecialHandler(OSType functionClass, ProcPtr handler, Boolean isSysHandler);
OSErr AEResetTimer(const struct AEDesc* reply);
OSErr AEResumeTheCurrentEvent(const struct AEDesc* theAppleEvent, const struct AEDesc* reply, ProcPtr dispatcher, long handlerRefcon);
OSErr AESend(const struct AEDesc* theAppleEvent, struct AEDesc* reply, long sendMode, short sendPriority, long timeOutInTicks, ProcPtr idleProc, ProcPtr filterProc);
OSErr AESetInteractionAllowed(SignedByte level);
OSErr AESetObjectCallbacks(ProcPtr myCompareProc, ProcPtr myCountProc, ProcPtr myDisposeTokenProc, ProcPtr myGetMarkTokenProc, ProcPtr myMarkProc, ProcPtr myAdjustMarksProc, ProcPtr myGetErrDescProcPtr);
OSErr AESetTheCurrentEvent(const struct AEDesc* theAppleEvent);
OSErr AESizeOfKeyDesc(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType* typeCode, Size* dataSize);
OSErr AESizeOfNthItem(const struct AEDesc* theAEDescList, long index, OSType* typeCode, Size* dataSize);
OSErr AESizeOfParam(const struct AEDesc* theAppleEvent, OSType theAEKeyword, OSType* typeCode, Size* dataSize);
OSErr AESuspendTheCurrentEvent(const struct AEDesc* theAppleEvent);
OSErr _AE_hdlr_delete(Handle table, long unknown, void* selector);
OSErr _AE_hdlr_install(Handle table, long unknown, void* selector, void* handler);
OSErr _AE_hdlr_lookup(Handle table, long unknown, void* selector, void* handler);
OSErr _AE_hdlr_table_alloc(long unknown1, long unknown2, long unknown3, SignedByte unknown4, Handle* table);

#ifdef __cplusplus
}
#endif

#endif
