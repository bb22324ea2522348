/* Routines of PictUtil.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <PictUtil.h>

#ifndef ABSENT_PICTUTIL_H
#define ABSENT_PICTUTIL_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr GetPixMapInfo(PixMapHandle map, PictInfo *info, short verb, short colors, short method, short version);
OSErr NewPictInfo(PictInfoID *id, short verb, short colors, short method, short version);
OSErr RecordPictInfo(PictInfoID id, PicHandle picture);
OSErr RecordPixMapInfo(PictInfoID id, PixMapHandle map);
OSErr RetrievePictInfo(PictInfoID id, PictInfo *info, short colors);
OSErr DisposePictInfo(PictInfoID id);
OSErr DisposPictInfo(PictInfoID id);

#ifdef __cplusplus
}
#endif

#endif
