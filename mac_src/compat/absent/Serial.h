/* Routines of Serial.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Serial.h>

#ifndef ABSENT_SERIAL_H
#define ABSENT_SERIAL_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr RAMSDOpen(SPortSel port);
void RAMSDClose(SPortSel port);
OSErr SerReset(short driver, short configuration);
OSErr SerSetBuf(short driver, void *buffer, short length);
OSErr SerHShake(short driver, const SerShk *flags);
OSErr SerSetBrk(short driver);
OSErr SerClrBrk(short driver);
OSErr SerGetBuf(short driver, long *count);
OSErr SerStatus(short driver, SerStaRec *status);

#ifdef __cplusplus
}
#endif

#endif
