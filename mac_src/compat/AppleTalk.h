/* AppleTalk.h: names and sockets of AppleTalk. See Types.h for what these headers are. */

#ifndef COMPAT_APPLETALK_H
#define COMPAT_APPLETALK_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif



enum { mppUnitNum = 9, atpUnitNum = 10, xppUnitNum = 40, mppRefNum = -10, atpRefNum = -11,
       xppRefNum = -41 };
enum { lapWrite = 243, detachPH = 244, attachPH = 245, writeDDP = 246, closeSkt = 247, openSkt = 248,
       loadNBP = 249, lastResident = 249, confirmName = 250, lookupName = 251, removeName = 252,
       registerName = 253, killNBP = 254, unloadNBP = 255, setSelfSend = 256 };

typedef struct AddrBlock { unsigned short aNet; unsigned char aNode, aSocket; } AddrBlock;
typedef struct EntityName { Str32 objStr, typeStr, zoneStr; } EntityName, *EntityPtr;
typedef struct NamesTableEntry
{
    Ptr qNext;
    struct { AddrBlock nteAddress; char filler; char entityData[99]; } nt;
} NamesTableEntry;
typedef struct RetransType { unsigned char retransInterval, retransCount; } RetransType;
typedef struct BDSElement { short buffSize; Ptr buffPtr; short dataSize; long userBytes; } BDSElement;
typedef BDSElement BDSType[8], *BDSPtr;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/AppleTalk.h"

#endif
