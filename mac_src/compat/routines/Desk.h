/* Routines of Desk.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Desk.h>

#ifndef ROUTINES_DESK_H
#define ROUTINES_DESK_H

#ifdef __cplusplus
extern "C" {
#endif

void CloseDeskAcc(short refNum);
short OpenDeskAcc(ConstStr255Param theAcc);
void SystemClick(EventRecord* theEvent, WindowPtr theWindow);
Boolean SystemEdit(short editCmd);
Boolean SystemEvent(EventRecord* theEvent);
void SystemMenu(long menuResult);
void SystemTask(void);

#ifdef __cplusplus
}
#endif

#endif
