/* Routines of Scrap.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Scrap.h>

#ifndef ROUTINES_SCRAP_H
#define ROUTINES_SCRAP_H

#ifdef __cplusplus
extern "C" {
#endif

long GetScrap(Handle hDest, ResType theType, long* offset);
PScrapStuff InfoScrap(void);
long LoadScrap(void);
long PutScrap(long length, ResType theType, const void* source);
long UnloadScrap(void);
long ZeroScrap(void);

#ifdef __cplusplus
}
#endif

#endif
