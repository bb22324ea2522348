/* Routines of Picker.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Picker.h>

#ifndef ABSENT_PICKER_H
#define ABSENT_PICKER_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PickColor(void *parameters);

#ifdef __cplusplus
}
#endif

#endif
