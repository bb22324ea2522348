/* Routines of Gestalt.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Gestalt.h>

#ifndef ROUTINES_GESTALT_H
#define ROUTINES_GESTALT_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr Gestalt(OSType selector, long* response);
OSErr NewGestalt(OSType selector, ProcPtr gestaltFunction);
OSErr ReplaceGestalt(OSType selector, ProcPtr gestaltFunction, ProcPtr* oldGestaltFunction);

#ifdef __cplusplus
}
#endif

#endif
