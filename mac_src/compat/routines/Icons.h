/* Routines of Icons.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Icons.h>

#ifndef ROUTINES_ICONS_H
#define ROUTINES_ICONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AddIconToSuite(Handle theIconData, Handle theSuite, ResType theType);
OSErr DisposeIconSuite(Handle theIconSuite, Boolean disposeData);
OSErr ForEachIconDo(Handle theSuite, long selector, ProcPtr action, void* yourDataPtr);
OSErr GetIconFromSuite(Handle* theIconData, Handle theSuite, ResType theType);
OSErr GetIconSuite(Handle* theIconSuite, short theResID, long selector);
OSErr GetLabel(short labelNumber, RGBColor* labelColor, unsigned char* labelString);
short GetSuiteLabel(Handle theSuite);
OSErr IconIDToRgn(RgnHandle theRgn, const Rect* iconRect, short align, short iconID);
OSErr IconSuiteToRgn(RgnHandle theRgn, const Rect* iconRect, short align, Handle theIconSuite);
OSErr NewIconSuite(Handle* theIconSuite);
OSErr PlotCIconHandle(const Rect* theRect, short align, short transform, CIconHandle theCIcon);
OSErr PlotIconHandle(const Rect* theRect, short align, short transform, Handle theIcon);
OSErr PlotIconID(const Rect* theRect, short align, short transform, short theResID);
OSErr PlotIconSuite(const Rect* theRect, short align, short transform, Handle theIconSuite);
OSErr PlotSICNHandle(const Rect* theRect, short align, short transform, Handle theSICN);
Boolean PtInIconID(Point testPt, const Rect* theRect, short align, short iconID);
Boolean PtInIconSuite(Point testPt, const Rect* theRect, short align, Handle theIconSuite);
Boolean RectInIconID(const Rect* testRect, const Rect* iconRect, short align, short iconID);
Boolean RectInIconSuite(const Rect* testRect, const Rect* iconRect, short align, Handle theIconSuite);
OSErr SetSuiteLabel(Handle theSuite, short theLabel);

#ifdef __cplusplus
}
#endif

#endif
