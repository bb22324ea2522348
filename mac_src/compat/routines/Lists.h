/* Routines of Lists.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Lists.h>

#ifndef ROUTINES_LISTS_H
#define ROUTINES_LISTS_H

#ifdef __cplusplus
extern "C" {
#endif

void LActivate(Boolean act, ListHandle lHandle);
short LAddColumn(short count, short colNum, ListHandle lHandle);
short LAddRow(short count, short rowNum, ListHandle lHandle);
void LAddToCell(const void* dataPtr, short dataLen, Point theCell, ListHandle lHandle);
void LAutoScroll(ListHandle lHandle);
void LCellSize(Point cSize, ListHandle lHandle);
Boolean LClick(Point pt, short modifiers, ListHandle lHandle);
void LClrCell(Point theCell, ListHandle lHandle);
void LDelColumn(short count, short colNum, ListHandle lHandle);
void LDelRow(short count, short rowNum, ListHandle lHandle);
void LDispose(ListHandle lHandle);
void LDoDraw(Boolean drawIt, ListHandle lHandle);
void LDraw(Point theCell, ListHandle lHandle);
void LDrawCell(Point theCell, ListHandle lHandle);
void LFind(short* offset, short* len, Point theCell, ListHandle lHandle);
void LGetCell(void* dataPtr, short* dataLen, Point theCell, ListHandle lHandle);
void LGetCellDataLocation(short* offset, short* len, Point theCell, ListHandle lHandle);
Boolean LGetSelect(Boolean next, Point* theCell, ListHandle lHandle);
Cell LLastClick(ListHandle lHandle);
ListHandle LNew(const Rect* rView, const Rect* dataBounds, Point cSize, short theProc, WindowPtr theWindow, Boolean drawIt, Boolean hasGrow, Boolean scrollHoriz, Boolean scrollVert);
Boolean LNextCell(Boolean hNext, Boolean vNext, Point* theCell, ListHandle lHandle);
void LRect(Rect* cellRect, Point theCell, ListHandle lHandle);
void LScroll(short dCols, short dRows, ListHandle lHandle);
Boolean LSearch(const void* dataPtr, short dataLen, ProcPtr searchProc, Point* theCell, ListHandle lHandle);
void LSetCell(const void* dataPtr, short dataLen, Point theCell, ListHandle lHandle);
void LSetDrawingMode(Boolean drawIt, ListHandle lHandle);
void LSetSelect(Boolean setIt, Point theCell, ListHandle lHandle);
void LSize(short listWidth, short listHeight, ListHandle lHandle);
void LUpdate(RgnHandle theRgn, ListHandle lHandle);

#ifdef __cplusplus
}
#endif

#endif
