/* Routines of PPCToolBox.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <PPCToolBox.h>

#ifndef ROUTINES_PPCTOOLBOX_H
#define ROUTINES_PPCTOOLBOX_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PPCBrowser(ConstStr255Param prompt, ConstStr255Param applListLabel, Boolean defaultSpecified, void* theLocation, void* thePortInfo, ProcPtr portFilter, ConstStr255Param theLocNBPType);
OSErr PPCDispatch(void* paramBlock, long selector);

#ifdef __cplusplus
}
#endif

#endif
