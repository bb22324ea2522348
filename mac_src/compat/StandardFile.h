/* StandardFile.h: the dialogs in which users choose files. See Types.h for what these headers are. */

#ifndef COMPAT_STANDARDFILE_H
#define COMPAT_STANDARDFILE_H

#include "Types.h"
#include "Dialogs.h"
#include "Files.h"

typedef OSType SFTypeList[4];

#include "records/StandardFile.h"

#include "routines/StandardFile.h"

#endif
