/* Routines of Files.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Files.h>

#ifndef ABSENT_FILES_H
#define ABSENT_FILES_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PBGetVolMountInfoSize(ParmBlkPtr block);
OSErr PBGetVolMountInfo(ParmBlkPtr block);
OSErr PBVolumeMount(ParmBlkPtr block);
OSErr PBGetForeignPrivsSync(HParmBlkPtr block);
OSErr PBSetForeignPrivsSync(HParmBlkPtr block);
OSErr PBShareSync(HParmBlkPtr block);
OSErr PBUnshareSync(HParmBlkPtr block);
OSErr PBGetUGEntrySync(HParmBlkPtr block);
void FInitQueue(void);

#ifdef __cplusplus
}
#endif

#endif
