/* Routines of Serial.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Serial.h>

#ifndef ROUTINES_SERIAL_H
#define ROUTINES_SERIAL_H

#ifdef __cplusplus
extern "C" {
#endif

void RAMSDClose(SignedByte whichPort);
OSErr RAMSDOpen(SignedByte whichPort);
OSErr SerClrBrk(short refNum);
OSErr SerGetBuf(short refNum, long* count);
OSErr SerHShake(short refNum, void* flags);
OSErr SerReset(short refNum, short serConfig);
OSErr SerSetBrk(short refNum);
OSErr SerSetBuf(short refNum, void* serBPtr, short serBLen);
OSErr SerStatus(short refNum, void* serSta);

#ifdef __cplusplus
}
#endif

#endif
