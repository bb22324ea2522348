/* OpenTransport.h: Open Transport, which only a Power Macintosh has here. See Types.h for what these
 * headers are. Endpoints, mappers and the like are pointers that only Open Transport looks behind.
 */

#ifndef COMPAT_OPENTRANSPORT_H
#define COMPAT_OPENTRANSPORT_H

#include <Types.h>
#include <OSUtils.h>

enum
{
    kOTNoError = 0, kOTBadAddressErr = -3150, kOTAccessErr = -3152, kOTBadReferenceErr = -3153,
    kOTNoAddressErr = -3154, kOTOutStateErr = -3155, kOTLookErr = -3158,
    kOTBufferOverflowErr = -3160, kOTNoDataErr = -3162, kOTNoDisconnectErr = -3163,
    kOTNoUDErrErr = -3164, kOTNoReleaseErr = -3166, kOTNotSupportedErr = -3167,
    kOTBadNameErr = -3170, kOTAddressBusyErr = -3172, kOTNotFoundErr = -3201,
    kOTOutOfMemoryErr = -3211, kENOTTYErr = -3224, kETIMEDOUTErr = -3259, kECONNREFUSEDErr = -3260,
    kOTBadConfigurationErr = -3282
};

typedef long                    OTResult;
typedef void                    *ProviderRef, *EndpointRef, *MapperRef, *InetSvcRef;
typedef unsigned long           OTEventCode, OTTimeout, InetHost;
typedef unsigned short          InetPort;

#include "routines/OpenTransport.h"

#endif
