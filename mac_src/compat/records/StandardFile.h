/* Records of StandardFile.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_STANDARDFILE_H
#define RECORDS_STANDARDFILE_H

#include <Types.h>
#include <Files.h>

#pragma pack(push, 2)

typedef struct SFReply
{
    Boolean good;
    Boolean copy;
    OSType fType;
    short vRefNum;
    short version;
    Str63 fName;
} SFReply;

typedef struct StandardFileReply
{
    Boolean sfGood;
    Boolean sfReplacing;
    OSType sfType;
    FSSpec sfFile;
    short sfScript;
    short sfFlags;
    Boolean sfIsFolder;
    Boolean sfIsVolume;
    long sfReserved1;
    short sfReserved2;
} StandardFileReply;

#pragma pack(pop)

#endif
