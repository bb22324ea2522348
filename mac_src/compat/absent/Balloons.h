/* Routines of Balloons.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Balloons.h>

#ifndef ABSENT_BALLOONS_H
#define ABSENT_BALLOONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr HMSetFont(short font);
OSErr HMGetFont(short *font);
OSErr HMSetFontSize(unsigned short size);
OSErr HMGetFontSize(unsigned short *size);
OSErr HMBalloonRect(HMMessageRecPtr message, Rect *rect);
OSErr HMBalloonPict(HMMessageRecPtr message, PicHandle *picture);
OSErr HMGetBalloonWindow(WindowPtr *window);

#ifdef __cplusplus
}
#endif

#endif
