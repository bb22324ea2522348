/* Routines of Start.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Start.h>

#ifndef ABSENT_START_H
#define ABSENT_START_H

#ifdef __cplusplus
extern "C" {
#endif

void SetTimeout(short count);
void GetTimeout(short *count);

#ifdef __cplusplus
}
#endif

#endif
