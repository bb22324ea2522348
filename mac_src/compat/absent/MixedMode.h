/* Routines of MixedMode.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <MixedMode.h>

#ifndef ABSENT_MIXEDMODE_H
#define ABSENT_MIXEDMODE_H

#ifdef __cplusplus
extern "C" {
#endif

void SpecialCaseProc(void);

#ifdef __cplusplus
}
#endif

#endif
