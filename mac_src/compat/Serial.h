/* Serial.h: the Serial Driver. See Types.h for what these headers are. */

#ifndef COMPAT_SERIAL_H
#define COMPAT_SERIAL_H

#include <Types.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { baud150 = 763, baud300 = 380, baud600 = 189, baud1200 = 94, baud1800 = 62, baud2400 = 46,
       baud3600 = 30, baud4800 = 22, baud7200 = 14, baud9600 = 10, baud14400 = 6, baud19200 = 4,
       baud28800 = 2, baud38400 = 1, baud57600 = 0 };
enum { stop10 = 16384, stop15 = -32768, stop20 = -16384, noParity = 0, oddParity = 4096,
       evenParity = 12288, data5 = 0, data6 = 2048, data7 = 1024, data8 = 3072 };
enum { aData = 6, aCtl = 2, bData = 4, bCtl = 0, dsrEvent = 2, riEvent = 4, dcdEvent = 8,
       ctsEvent = 32, breakEvent = 128, xOffWasSent = 128, dtrNegated = 64, rtsNegated = 32,
       swOverrunErr = 1, breakErr = 8, parityErr = 16, hwOverrunErr = 32, framingErr = 64,
       ainRefNum = -6, aoutRefNum = -7, binRefNum = -8, boutRefNum = -9 };
enum { serSetBaud = 13, serSetBrk = 12, serClrBrk = 11, serSetHSDTR = 14, serResetMiscOptions = 16,
       sPortA = 0, sPortB = 1 };

typedef SignedByte SPortSel;
typedef struct SerShk { char fXOn, fCTS; unsigned char xOn, xOff; char errs, evts, fInX, fDTR; } SerShk;
typedef struct SerStaRec { char cumErrs, xOffSent, rdPend, wrPend, ctsHold, xOffHold; } SerStaRec;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Serial.h"

#endif
