/* SoundDvr.h: another name of Sound.h. Made by docs/generate.py. */

#ifndef COMPAT_SOUNDDVR_H
#define COMPAT_SOUNDDVR_H

#include "Sound.h"

#endif
