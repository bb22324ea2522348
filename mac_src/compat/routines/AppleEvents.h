/* Routines of AppleEvents.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <AppleEvents.h>

#ifndef ROUTINES_APPLEEVENTS_H
#define ROUTINES_APPLEEVENTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AECoerceDesc(const AEDesc* theAEDesc, OSType toType, AEDesc* result);
OSErr AECoercePtr(OSType typeCode, void* dataPtr, Size dataSize, OSType toType, AEDesc* result);
OSErr AECountItems(const AEDesc* theAEDescList, long* theCount);
OSErr AECreateAppleEvent(OSType theAEEventClass, OSType theAEEventID, const AEDesc* target, short returnID, long transactionID, AEDesc* result);
OSErr AECreateDesc(OSType typeCode, void* dataPtr, Size dataSize, AEDesc* result);
OSErr AECreateList(void* factoringPtr, Size factoredSize, Boolean isRecord, AEDesc* resultList);
OSErr AEDeleteItem(const AEDesc* theAEDescList, long index);
OSErr AEDeleteKeyDesc(const AEDesc* theAppleEvent, OSType theAEKeyword);
OSErr AEDeleteParam(const AEDesc* theAppleEvent, OSType theAEKeyword);
OSErr AEDisposeDesc(AEDesc* theAEDesc);
OSErr AEDuplicateDesc(const AEDesc* theAEDesc, AEDesc* result);
OSErr AEGetAttributeDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, AEDesc* result);
OSErr AEGetAttributePtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetCoercionHandler(OSType fromType, OSType toType, ProcPtr* handler, long* handlerRefcon, Boolean* fromTypeIsDesc, Boolean isSysHandler);
OSErr AEGetEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr* handler, long* handlerRefcon, Boolean isSysHandler);
OSErr AEGetInteractionAllowed(SignedByte* level);
OSErr AEGetKeyDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, AEDesc* result);
OSErr AEGetKeyPtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetNthDesc(const AEDesc* theAEDescList, long index, OSType desiredType, OSType* theAEKeyword, AEDesc* result);
OSErr AEGetNthPtr(const AEDesc* theAEDescList, long index, OSType desiredType, OSType* theAEKeyword, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetParamDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, AEDesc* result);
OSErr AEGetParamPtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType desiredType, OSType* typeCode, void* dataPtr, Size maximumSize, Size* actualSize);
OSErr AEGetSpecialHandler(OSType functionClass, ProcPtr* handler, Boolean isSysHandler);
OSErr AEGetTheCurrentEvent(AEDesc* theAppleEvent);
OSErr AEInstallCoercionHandler(OSType fromType, OSType toType, ProcPtr handler, long handlerRefcon, Boolean fromTypeIsDesc, Boolean isSysHandler);
OSErr AEInstallEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr handler, long handlerRefcon, Boolean isSysHandler);
OSErr AEInstallSpecialHandler(OSType functionClass, ProcPtr handler, Boolean isSysHandler);
OSErr AEInteractWithUser(long timeOutInTicks, void* nmReqPtr, ProcPtr idleProc);
OSErr AEManagerInfo(OSType keyWord, long* result);
OSErr AEProcessAppleEvent(void* theEventRecord);
OSErr AEPutAttributeDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, const AEDesc* theAEDesc);
OSErr AEPutAttributePtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutDesc(const AEDesc* theAEDescList, long index, const AEDesc* theAEDesc);
OSErr AEPutKeyDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, const AEDesc* theAEDesc);
OSErr AEPutKeyPtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutParamDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, const AEDesc* theAEDesc);
OSErr AEPutParamPtr(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AEPutPtr(const AEDesc* theAEDescList, long index, OSType typeCode, void* dataPtr, Size dataSize);
OSErr AERemoveCoercionHandler(OSType fromType, OSType toType, ProcPtr handler, Boolean isSysHandler);
OSErr AERemoveEventHandler(OSType theAEEventClass, OSType theAEEventID, ProcPtr handler, Boolean isSysHandler);
OSErr AERemoveSpecialHandler(OSType functionClass, ProcPtr handler, Boolean isSysHandler);
OSErr AEResetTimer(const AEDesc* reply);
OSErr AEResumeTheCurrentEvent(const AEDesc* theAppleEvent, const AEDesc* reply, ProcPtr dispatcher, long handlerRefcon);
OSErr AESend(const AEDesc* theAppleEvent, AEDesc* reply, long sendMode, short sendPriority, long timeOutInTicks, ProcPtr idleProc, ProcPtr filterProc);
OSErr AESetInteractionAllowed(SignedByte level);
OSErr AESetTheCurrentEvent(const AEDesc* theAppleEvent);
OSErr AESizeOfKeyDesc(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType* typeCode, Size* dataSize);
OSErr AESizeOfNthItem(const AEDesc* theAEDescList, long index, OSType* typeCode, Size* dataSize);
OSErr AESizeOfParam(const AEDesc* theAppleEvent, OSType theAEKeyword, OSType* typeCode, Size* dataSize);
OSErr AESuspendTheCurrentEvent(const AEDesc* theAppleEvent);
OSErr _AE_hdlr_delete(Handle table, long unknown, void* selector);
OSErr _AE_hdlr_insert(Handle table, long unknown, void* selector, void* handler);
OSErr _AE_hdlr_install(Handle table, long unknown, void* selector, void* handler);
OSErr _AE_hdlr_lookup(Handle table, long unknown, void* selector, void* handler);
OSErr _AE_hdlr_table_alloc(long unknown1, long unknown2, long unknown3, SignedByte unknown4, Handle* table);

#ifdef __cplusplus
}
#endif

#endif
