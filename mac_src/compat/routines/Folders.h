/* Routines of Folders.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Folders.h>

#ifndef ROUTINES_FOLDERS_H
#define ROUTINES_FOLDERS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr FindFolder(short vRefNum, OSType folderType, Boolean createFolder, short* foundVRefNum, long* foundDirID);

#ifdef __cplusplus
}
#endif

#endif
