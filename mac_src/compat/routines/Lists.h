/* Routines of Lists.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_LISTS_H
#define ROUTINES_LISTS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ListRec;

void LAddToCell(void* dataPtr, short dataLen, Point theCell, struct ListRec** lHandle);
void LAutoScroll(struct ListRec** lHandle);
void LCellSize(Point cSize, struct ListRec** lHandle);
void LClrCell(Point theCell, struct ListRec** lHandle);
void LDelColumn(short count, short colNum, struct ListRec** lHandle);
void LDelRow(short count, short rowNum, struct ListRec** lHandle);
void LDoDraw(Boolean drawIt, struct ListRec** lHandle);
void LDraw(Point theCell, struct ListRec** lHandle);
void LDrawCell(Point theCell, struct ListRec** lHandle);
void LFind(short* offset, short* len, Point theCell, struct ListRec** lHandle);
void LGetCellDataLocation(short* offset, short* len, Point theCell, struct ListRec** lHandle);
long LLastClick(struct ListRec** lHandle);
Boolean LNextCell(Boolean hNext, Boolean vNext, Point* theCell, struct ListRec** lHandle);
void LRect(Rect* cellRect, Point theCell, struct ListRec** lHandle);
void LScroll(short dCols, short dRows, struct ListRec** lHandle);
Boolean LSearch(void* dataPtr, short dataLen, ProcPtr searchProc, Point* theCell, struct ListRec** lHandle);
void LSetDrawingMode(Boolean drawIt, struct ListRec** lHandle);
void LSize(short listWidth, short listHeight, struct ListRec** lHandle);

#ifdef __cplusplus
}
#endif

#endif
