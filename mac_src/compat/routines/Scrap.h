/* Routines of Scrap.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_SCRAP_H
#define ROUTINES_SCRAP_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

long GetScrap(Handle hDest, ResType theType, long* offset);
Ptr InfoScrap(void);
long LoadScrap(void);
long PutScrap(long length, ResType theType, void* source);
long UnloadScrap(void);
long ZeroScrap(void);

#ifdef __cplusplus
}
#endif

#endif
