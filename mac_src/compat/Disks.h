/* Disks.h: the Disk Driver. See Types.h for what these headers are. */

#ifndef COMPAT_DISKS_H
#define COMPAT_DISKS_H

#include <Types.h>
#include <OSUtils.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct DrvSts
{
    short track;
    char writeProt, diskInPlace, installed, sides;
    QElemPtr qLink;
    short qType, dQDrive, dQRefNum, dQFSID;
    char twoSideFmt, needsFlush;
    short diskErrs;
} DrvSts;

enum { sony = 0, hard20 = 1 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/Disks.h"

#endif
