/* Routines of DeskBus.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <DeskBus.h>

#ifndef ROUTINES_DESKBUS_H
#define ROUTINES_DESKBUS_H

#ifdef __cplusplus
extern "C" {
#endif

short CountADBs(void);
OSErr GetADBInfo(ADBDataBlock* info, short ADBAddr);
short GetIndADB(ADBDataBlock* info, short index);

#ifdef __cplusplus
}
#endif

#endif
