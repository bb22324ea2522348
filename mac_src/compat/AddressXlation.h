/* AddressXlation.h: MacTCP's resolver of names. See Types.h for what these headers are. */

#ifndef COMPAT_ADDRESSXLATION_H
#define COMPAT_ADDRESSXLATION_H

#include <MacTCPCommonTypes.h>

#pragma pack(push, 2)

enum { NUM_ALT_ADDRS = 4 };

typedef struct hostInfo
{
    long rtnCode;
    char cname[255];
    unsigned long addr[NUM_ALT_ADDRS];
} hostInfo;

#pragma pack(pop)

#include "absent/AddressXlation.h"

#endif
