/* OSUtils.h: the Operating System's utilities. */

#ifndef MAC_OSUTILS_H
#define MAC_OSUTILS_H

#include <Types.h>
#include_next <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SysEnvRec
{
    short           environsVersion, machineType, systemVersion, processor;
    Boolean         hasFPU, hasColorQD;
    short           keyBoardType, atDrvrVersNum, sysVRefNum;
} SysEnvRec;

void SysBeep(short duration);
OSErr Gestalt(OSType selector, long* response);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
