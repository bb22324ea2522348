/* Routines of ShutDown.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <ShutDown.h>

#ifndef ABSENT_SHUTDOWN_H
#define ABSENT_SHUTDOWN_H

#ifdef __cplusplus
extern "C" {
#endif

void ShutDwnInstall(ProcPtr procedure, short flags);
void ShutDwnRemove(ProcPtr procedure);

#ifdef __cplusplus
}
#endif

#endif
