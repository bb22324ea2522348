/* OSUtils.h: the date. See Types.h for what these headers are. */

#ifndef COMPAT_OSUTILS_H
#define COMPAT_OSUTILS_H

#include "Types.h"

#ifdef __cplusplus
extern "C"
#endif
void GetDateTime(unsigned long* secondsSince1904);

#endif
