/* Routines of Timer.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Timer.h>

#ifndef ROUTINES_TIMER_H
#define ROUTINES_TIMER_H

#ifdef __cplusplus
extern "C" {
#endif

void InsTime(QElemPtr tmTaskPtr);
void InsXTime(QElemPtr tmTaskPtr);
void Microseconds(UnsignedWide* microTickCount);
void PrimeTime(QElemPtr tmTaskPtr, long count);
void RmvTime(QElemPtr tmTaskPtr);

#ifdef __cplusplus
}
#endif

#endif
