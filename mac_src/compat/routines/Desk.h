/* Routines of Desk.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_DESK_H
#define ROUTINES_DESK_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct EventRecord;
struct GrafPort;

void CloseDeskAcc(short refNum);
short OpenDeskAcc(ConstStr255Param theAcc);
void SystemClick(struct EventRecord* theEvent, struct GrafPort* theWindow);
Boolean SystemEdit(short editCmd);
Boolean SystemEvent(struct EventRecord* theEvent);
void SystemMenu(long menuResult);

#ifdef __cplusplus
}
#endif

#endif
