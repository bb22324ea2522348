/* Records of OSUtils.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_OSUTILS_H
#define RECORDS_OSUTILS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct DeferredTask
{
    struct QElem* qLink;
    short qType;
    short dtFlags;
    ProcPtr dtAddr;
    long dtParam;
    long dtReserved;
} DeferredTask;

typedef struct QElem
{
    struct QElem* qLink;
    short qType;
} QElem;

typedef struct QHdr
{
    short qFlags;
    struct QElem* qHead;
    struct QElem* qTail;
} QHdr;

typedef struct DateTimeRec
{
    short year;
    short month;
    short day;
    short hour;
    short minute;
    short second;
    short dayOfWeek;
} DateTimeRec;

typedef struct LongDateRec
{
    short era;
    short year;
    short month;
    short day;
    short hour;
    short minute;
    short second;
    short dayOfWeek;
    short dayOfYear;
    short weekOfYear;
    short pm;
    short res1;
    short res2;
    short res3;
} LongDateRec;

typedef struct SysEnvRec
{
    short environsVersion;
    short machineType;
    short systemVersion;
    short processor;
    Boolean hasFPU;
    Boolean hasColorQD;
    short keyBoardType;
    short atDrvrVersNum;
    short sysVRefNum;
} SysEnvRec;

#pragma pack(pop)

#endif
