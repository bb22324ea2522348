/* Errors.h: results of routines; the File Manager's are in Files.h. See Types.h for what these headers are. */

#ifndef COMPAT_ERRORS_H
#define COMPAT_ERRORS_H

#include "Types.h"
#include "Files.h"
#include "Memory.h"

enum
{
    noHardwareErr = -200, resNotFound = -192, resFNotFound = -193,
    addResFailed = -194, rmvResFailed = -196, userCanceledErr = -128,
    dirNFErr = -120, unimpErr = -4, qErr = -1
};

#endif
