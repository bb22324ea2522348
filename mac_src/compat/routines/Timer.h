/* Routines of Timer.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_TIMER_H
#define ROUTINES_TIMER_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct QElem;

void InsTime(struct QElem* tmTaskPtr);
void InsXTime(struct QElem* tmTaskPtr);
long LMGetTicks(void);
void PrimeTime(struct QElem* tmTaskPtr, long count);
void RmvTime(struct QElem* tmTaskPtr);

#ifdef __cplusplus
}
#endif

#endif
