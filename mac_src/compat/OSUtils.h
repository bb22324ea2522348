/* OSUtils.h: queues, the machine, the date, traps. See Types.h for what these headers are. */

#ifndef COMPAT_OSUTILS_H
#define COMPAT_OSUTILS_H

#include "Types.h"
#include "records/OSUtils.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef QElem       *QElemPtr;
typedef QHdr        *QHdrPtr;

/* what may be in a queue */

enum { dummyType = 0, vType, ioQType, drvQType, evType, fsQType, sIQType, dtQType, nmType = 8,
       slpQType = 16 };

/* SysEnvirons */

enum { sysEnvironsVersion = 1, curSysEnvVers = 2 };
enum
{
    envMac = -1, envXL = -2, envMachUnknown = 0, env512KE, envMacPlus, envSE, envMacII, envMacIIx,
    envMacIIcx, envSE30, envPortable, envMacIIci, envMacIIfx = 11
};
enum { envCPUUnknown = 0, env68000, env68010, env68020, env68030, env68040 };
enum
{
    envUnknownKbd = 0, envMacKbd, envMacAndPad, envMacPlusKbd, envAExtendKbd, envStandADBKbd,
    envPrtblADBKbd, envPrtblISOKbd, envStdISOADBKbd, envExtISOADBKbd
};
enum { macXLMachine = 0, macMachine = 1 };

/* traps */

typedef SignedByte TrapType;

enum { OSTrap = 0, ToolTrap = 1 };
enum { useFree = 0, useATalk, useAsync, useExtClk, useMIDI };
enum { false32b = 0, true32b = 1 };
enum { sortsBefore = -1, sortsEqual, sortsAfter };

/* parameter RAM, the place of the machine */

typedef struct SysParmType
{
    Byte valid, aTalkA, aTalkB, config;
    short portA, portB;
    long alarm;
    short font, kbdPrint, volClik, misc;
} SysParmType, *SysPPtr;

typedef struct MachineLocation
{
    Fract latitude, longitude;
    union { SignedByte dlsDelta; long gmtDelta; } u;
} MachineLocation;

typedef union LongDateCvt
{
    long long c;
    struct { long lHigh; unsigned long lLow; } hl;
} LongDateCvt;

typedef long long LongDateTime;

enum { eraField, yearField, monthField, dayField, hourField, minuteField, secondField,
       dayOfWeekField, dayOfYearField, weekOfYearField, pmField, res1Field, res2Field, res3Field };

typedef SignedByte LongDateField;


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/OSUtils.h"
#include "routines/OSUtils.h"

#endif
