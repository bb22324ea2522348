/* Routines of Icons.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Icons.h>

#ifndef ABSENT_ICONS_H
#define ABSENT_ICONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr MakeIconCache(Handle *cache, IconGetterUPP getter, void *data);
OSErr LoadIconCache(const Rect *rect, short alignment, short transform, Handle cache);
OSErr PlotIconMethod(const Rect *rect, short alignment, short transform, IconGetterUPP method, void *data);
OSErr IconMethodToRgn(RgnHandle region, const Rect *rect, short alignment, IconGetterUPP method, void *data);
Boolean PtInIconMethod(Point point, const Rect *rect, short alignment, IconGetterUPP method, void *data);
Boolean RectInIconMethod(const Rect *test, const Rect *rect, short alignment, IconGetterUPP method, void *data);
OSErr GetIconCacheData(Handle cache, void **data);
OSErr SetIconCacheData(Handle cache, void *data);
OSErr GetIconCacheProc(Handle cache, IconGetterUPP *procedure);
OSErr SetIconCacheProc(Handle cache, IconGetterUPP procedure);

#ifdef __cplusplus
}
#endif

#endif
