/* OSUtils.h: the date. See Types.h for what these headers are. */

#ifndef COMPAT_OSUTILS_H
#define COMPAT_OSUTILS_H

#include "Types.h"
#include "records/OSUtils.h"

#ifdef __cplusplus
extern "C"
#endif
void GetDateTime(unsigned long* secondsSince1904);

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

void SysBeep(short duration);
OSErr Gestalt(OSType selector, long* response);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/OSUtils.h"

#endif
