/* Routines of QDOffscreen.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <QDOffscreen.h>

#ifndef ROUTINES_QDOFFSCREEN_H
#define ROUTINES_QDOFFSCREEN_H

#ifdef __cplusplus
extern "C" {
#endif

void AllowPurgePixels(PixMapHandle pm);
void CTabChanged(CTabHandle ctab);
void DisposeGWorld(GWorldPtr offscreenGWorld);
void GDeviceChanged(GDHandle gdh);
void GetGWorld(CGrafPtr* port, GDHandle* gdh);
GDHandle GetGWorldDevice(GWorldPtr offscreenGWorld);
PixMapHandle GetGWorldPixMap(GWorldPtr offscreenGWorld);
Ptr GetPixBaseAddr(PixMapHandle pm);
long GetPixelsState(PixMapHandle pm);
Boolean LockPixels(PixMapHandle pm);
short NewGWorld(GWorldPtr* offscreenGWorld, short pixelDepth, const Rect* boundsRect, CTabHandle cTable, GDHandle aGDevice, long flags);
void NoPurgePixels(PixMapHandle pm);
long OffscreenVersion(void);
Boolean PixMap32Bit(PixMapHandle pm);
void PortChanged(GrafPtr port);
Boolean QDDone(GrafPtr port);
void SetGWorld(CGrafPtr port, GDHandle gdh);
void SetPixelsState(PixMapHandle pm, long state);
void UnlockPixels(PixMapHandle pm);
long UpdateGWorld(GWorldPtr* offscreenGWorld, short pixelDepth, const Rect* boundsRect, CTabHandle cTable, GDHandle aGDevice, long flags);

#ifdef __cplusplus
}
#endif

#endif
