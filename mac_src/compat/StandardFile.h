/* StandardFile.h: the dialogs in which users choose files. See Types.h for what these headers are. */

#ifndef COMPAT_STANDARDFILE_H
#define COMPAT_STANDARDFILE_H

#include "Types.h"
#include "Dialogs.h"
#include "Files.h"

#pragma pack(push, 2)

typedef OSType SFTypeList[4];

typedef struct SFReply
{
    Boolean         good, copy;
    OSType          fType;
    short           vRefNum, version;
    Str63           fName;
} SFReply;

typedef struct StandardFileReply
{
    Boolean         sfGood, sfReplacing;
    OSType          sfType;
    FSSpec          sfFile;
    short           sfScript, sfFlags;
    Boolean         sfIsFolder, sfIsVolume;
    long            sfReserved1;
    short           sfReserved2;
} StandardFileReply;

#pragma pack(pop)

#include "routines/StandardFile.h"

#endif
