/* Routines of CursorCtl.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <CursorCtl.h>

#ifndef ABSENT_CURSORCTL_H
#define ABSENT_CURSORCTL_H

#ifdef __cplusplus
extern "C" {
#endif

void InitCursorCtl(acurHandle cursors);
void Show_Cursor(short kind);
void Hide_Cursor(void);
void RotateCursor(long counter);
void SpinCursor(short increment);

#ifdef __cplusplus
}
#endif

#endif
