/* Routines of OpenTransport.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <OpenTransport.h>

#ifndef ROUTINES_OPENTRANSPORT_H
#define ROUTINES_OPENTRANSPORT_H

#ifdef __cplusplus
extern "C" {
#endif

void CloseOpenTransport(void);
void CloseOpenTransportInContext(void);
void CloseOpenTransportPriv(void);
long InitOpenTransport(void);
long InitOpenTransportInContext(void);
long InitOpenTransportPriv(void);
long InitOpenTransportUtilities(void);
long InitOpenTransportUtilitiesPriv(void);
long OTATalkGetLocalZones(void* ref, void* zones);
long OTATalkGetMyZone(void* ref, void* zone);
long OTATalkGetZoneList(void* ref, void* zones);
long OTAccept(void* listener, void* worker, void* call);
long OTAckSends(void* ref);
void OTAddFirst(void* list, void* link);
void OTAddLast(void* list, void* link);
Ptr OTAlloc(void* ref, unsigned long structType, unsigned long fields, void* err);
Ptr OTAllocInContext(void* ref, unsigned long structType, unsigned long fields, void* err);
Ptr OTAllocMem(unsigned long size);
Ptr OTAllocMemInContext(unsigned long size);
Ptr OTAllocMemPriv(unsigned long size);
Ptr OTAllocPriv(void* ref, unsigned long structType, unsigned long fields, void* err);
long OTAsyncOpenEndpoint(void* config, unsigned long oflag, void* info, ProcPtr proc, void* contextPtr);
long OTAsyncOpenEndpointInContext(void* config, unsigned long oflag, void* info, ProcPtr proc, void* contextPtr);
long OTAsyncOpenEndpointPriv(void* config, unsigned long oflag, void* info, ProcPtr proc, void* contextPtr);
long OTAsyncOpenInternetServices(void* cfig, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTAsyncOpenInternetServicesInContext(void* cfig, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTAsyncOpenInternetServicesPriv(void* cfig, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTAsyncOpenMapper(void* config, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTAsyncOpenMapperInContext(void* config, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTAsyncOpenMapperPriv(void* config, unsigned long oflag, ProcPtr proc, void* contextPtr);
long OTBind(void* ref, void* reqAddr, void* retAddr);
Boolean OTCanLoadLibraries(void);
Boolean OTCanMakeSyncCall(void);
long OTCancelSynchronousCalls(void* ref, long err);
Boolean OTCancelSystemTask(void* timerTask);
Boolean OTCancelTimerTask(void* timerTask);
Ptr OTCloneConfiguration(void* configuration);
long OTCloseProvider(void* ref);
long OTCloseProviderPriv(void* ref);
long OTConnect(void* ref, void* sndCall, void* rcvCall);
long OTCountDataBytes(void* ref, void* countPtr);
Ptr OTCreateConfiguration(void* path);
Ptr OTCreateDeferredTask(ProcPtr proc, void* arg);
Ptr OTCreateDeferredTaskInContext(ProcPtr proc, void* arg);
Ptr OTCreateDeferredTaskPriv(ProcPtr proc, void* arg);
Ptr OTCreateSystemTask(ProcPtr proc, void* arg);
Ptr OTCreateSystemTaskPriv(ProcPtr proc, void* arg);
Ptr OTCreateTimerTask(ProcPtr proc, void* arg);
Ptr OTCreateTimerTaskInContext(ProcPtr proc, void* arg);
Ptr OTCreateTimerTaskPriv(ProcPtr proc, void* arg);
void OTDelay(unsigned long seconds);
long OTDeleteName(void* ref, void* name);
long OTDeleteNameByID(void* ref, void* name);
void OTDestroyConfiguration(void* configuration);
long OTDestroyDeferredTask(void* dtCookie);
long OTDestroySystemTask(void* dtCookie);
long OTDestroyTimerTask(void* dtCookie);
long OTDontAckSends(void* ref);
unsigned long OTElapsedMicroseconds(void* startTime);
unsigned long OTElapsedMilliseconds(void* startTime);
void OTEnterInterrupt(void);
Boolean OTEnterNotifier(void* ref);
long OTExitPatchPriv(void);
Boolean OTFindPort(void* portRecord, void* portName);
Boolean OTFindPortByRef(void* portRecord, unsigned long ref);
long OTFree(void* ptr, unsigned long structType);
void OTFreeMem(void* mem);
unsigned long OTGetClockTimeInSecs(void);
long OTGetEndpointInfo(void* ref, void* info);
long OTGetEndpointState(void* ref);
Ptr OTGetFirst(void* list);
Ptr OTGetIndexedLink(void* list, unsigned long index);
Boolean OTGetIndexedPort(void* portRecord, unsigned long index);
Ptr OTGetLast(void* list);
long OTGetProtAddress(void* ref, void* boundAddr, void* peerAddr);
void OTGetTimeStamp(void* currentTime);
void OTIdle(void);
long OTInetAddressToName(void* ref, unsigned long addr, void* name);
long OTInetGetInterfaceInfo(void* info, long val);
long OTInetGetSecondaryAddresses(void* addr, void* count, long val);
void OTInetHostToString(unsigned long host, void* str);
long OTInetMailExchange(void* ref, void* name, void* num, void* mx);
long OTInetQuery(void* ref, void* name, unsigned short qClass, unsigned short qType, void* buf, unsigned long buflen, void* argv, unsigned long argvlen, unsigned long flags);
long OTInetStringToAddress(void* ref, void* name, void* hinfo);
long OTInetStringToHost(void* str, void* host);
long OTInetSysInfo(void* ref, void* name, void* sysinfo);
unsigned long OTInitDNSAddress(void* addr, void* str);
void OTInitInetAddress(void* addr, unsigned short port, unsigned long host);
long OTInstallNotifier(void* ref, ProcPtr proc, void* contextPtr);
long OTIoctl(void* ref, unsigned long cmd, void* data);
Boolean OTIsAtInterruptLevel(void);
Boolean OTIsBlocking(void* ref);
Boolean OTIsInList(void* list, void* link);
Boolean OTIsSynchronous(void* ref);
Ptr OTLIFODequeue(void* list);
void OTLIFOEnqueue(void* list, void* link);
Ptr OTLIFOStealList(void* list);
void OTLeaveInterrupt(void);
void OTLeaveNotifier(void* ref);
long OTListen(void* ref, void* call);
long OTLook(void* ref);
long OTLookupName(void* ref, void* req, void* reply);
Boolean OTMemcmp(void* mem1, void* mem2, unsigned long nBytes);
void OTMemcpy(void* dest, void* src, unsigned long nBytes);
void OTMemmove(void* dest, void* src, unsigned long nBytes);
void OTMemset(void* dest, unsigned long toSet, unsigned long nBytes);
void OTMemzero(void* dest, unsigned long nBytes);
Ptr OTOpenAppleTalkServices(void* cfig, unsigned long flags, void* err);
Ptr OTOpenAppleTalkServicesInContext(void* cfig, unsigned long flags, void* err);
Ptr OTOpenAppleTalkServicesPriv(void* cfig, unsigned long flags, void* err);
Ptr OTOpenEndpoint(void* config, unsigned long oflag, void* info, void* err);
Ptr OTOpenEndpointInContext(void* config, unsigned long oflag, void* info, void* err);
Ptr OTOpenEndpointPriv(void* config, unsigned long oflag, void* info, void* err);
Ptr OTOpenInternetServices(void* cfig, unsigned long oflag, void* err);
Ptr OTOpenInternetServicesInContext(void* cfig, unsigned long oflag, void* err);
Ptr OTOpenInternetServicesPriv(void* cfig, unsigned long oflag, void* err);
Ptr OTOpenMapper(void* config, unsigned long oflag, void* err);
Ptr OTOpenMapperInContext(void* config, unsigned long oflag, void* err);
Ptr OTOpenMapperPriv(void* config, unsigned long oflag, void* err);
long OTOptionManagement(void* ref, void* req, void* ret);
long OTRcv(void* ref, void* buf, unsigned long nbytes, void* flags);
long OTRcvConnect(void* ref, void* call);
long OTRcvDisconnect(void* ref, void* discon);
long OTRcvOrderlyDisconnect(void* ref);
long OTRcvUDErr(void* ref, void* uderr);
long OTRcvUData(void* ref, void* udata, void* flags);
long OTRegisterAsClient(void);
long OTRegisterAsClientPriv(void);
long OTRegisterName(void* ref, void* req, void* reply);
Ptr OTRemoveFirst(void* list);
Ptr OTRemoveLast(void* list);
Boolean OTRemoveLink(void* list, void* link);
void OTRemoveNotifier(void* ref);
long OTResolveAddress(void* ref, void* reqAddr, void* retAddr, unsigned long timeOut);
Ptr OTReverseList(void* list);
Boolean OTScheduleDeferredTask(void* dtCookie);
Boolean OTScheduleInterruptTask(void* dtCookie);
Boolean OTScheduleSystemTask(void* dtCookie);
Boolean OTScheduleTimerTask(void* timerTask, unsigned long milliSeconds);
long OTSetAsynchronous(void* ref);
long OTSetBlocking(void* ref);
long OTSetNonBlocking(void* ref);
long OTSetSynchronous(void* ref);
long OTSnd(void* ref, void* buf, unsigned long nbytes, unsigned long flags);
long OTSndDisconnect(void* ref, void* call);
long OTSndOrderlyDisconnect(void* ref);
long OTSndUData(void* ref, void* udata);
void OTStrCat(void* dest, void* src);
void OTStrCopy(void* dest, void* src);
Boolean OTStrEqual(void* src1, void* src2);
unsigned long OTStrLength(void* str);
long OTSync(void* ref);
long OTUnbind(void* ref);
long OTUnregisterAsClient(void);
long OTUseSyncIdleEvents(void* ref, Boolean useEvents);

#ifdef __cplusplus
}
#endif

#endif
