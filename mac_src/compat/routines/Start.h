/* Routines of Start.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Start.h>

#ifndef ROUTINES_START_H
#define ROUTINES_START_H

#ifdef __cplusplus
extern "C" {
#endif

void GetDefaultStartup(void* paramBlock);
void GetOSDefault(void* paramBlock);
void GetVideoDefault(void* paramBlock);
void SetDefaultStartup(void* paramBlock);
void SetOSDefault(void* paramBlock);
void SetVideoDefault(void* paramBlock);

#ifdef __cplusplus
}
#endif

#endif
