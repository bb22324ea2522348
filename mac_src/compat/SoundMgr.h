/* SoundMgr.h: another name of Sound.h. Made by docs/generate.py. */

#ifndef COMPAT_SOUNDMGR_H
#define COMPAT_SOUNDMGR_H

#include "Sound.h"

#endif
