/* ROMDefs.h: what the ROM of a card has. See Types.h for what these headers are. */

#ifndef COMPAT_ROMDEFS_H
#define COMPAT_ROMDEFS_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { appleFormat = 1, romRevision = 1, catBoard = 1, catDisplay = 3, catNetwork = 4,
       catCommunications = 6, catCPU = 10, typeBoard = 0, typeVideo = 1, typeEtherNet = 1,
       drSwApple = 1, drHwTFB = 1, sRsrcType = 1, sRsrcName = 2, sRsrcIcon = 3, sRsrcDrvrDir = 4,
       sRsrcLoadRec = 5, sRsrcBootRec = 6, sRsrcFlags = 7, sRsrcHWDevId = 8, minorBaseOS = 10,
       minorLength = 11, majorBaseOS = 12, majorLength = 13, boardId = 32, pRAMInitData = 33,
       primaryInit = 34, timeOutConst = 35, vendorInfo = 36, endOfList = 255, defaultTO = 100 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
