/* Routines of QDOffscreen.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_QDOFFSCREEN_H
#define ROUTINES_QDOFFSCREEN_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ColorTable;
struct PixMap;

void DisposeGWorld(void* offscreenGWorld);
void GetGWorld(void* port, Handle* gdh);
Handle GetGWorldDevice(void* offscreenGWorld);
struct PixMap** GetGWorldPixMap(void* offscreenGWorld);
Ptr GetPixBaseAddr(struct PixMap** pm);
Boolean LockPixels(struct PixMap** pm);
short NewGWorld(void* offscreenGWorld, short pixelDepth, const Rect* boundsRect, struct ColorTable** cTable, Handle aGDevice, long flags);
Boolean PixMap32Bit(struct PixMap** pm);
void SetGWorld(void* port, Handle gdh);
void UnlockPixels(struct PixMap** pm);

#ifdef __cplusplus
}
#endif

#endif
