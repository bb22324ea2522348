/* Packages.h: numbers, dates and comparisons as text. See Types.h for what these headers are. */

#ifndef COMPAT_PACKAGES_H
#define COMPAT_PACKAGES_H

#include <Types.h>
#include <Script.h>
#include <StandardFile.h>
#include <IntlResources.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { listMgr = 0, dskInit = 2, stdFile = 3, flPoint = 4, trFunc = 5, intUtil = 6, bdConv = 7,
       editionMgr = 11 };


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Packages.h"

#endif
