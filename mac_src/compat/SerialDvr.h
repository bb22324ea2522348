/* SerialDvr.h: another name of Serial.h. Made by docs/generate.py. */

#ifndef COMPAT_SERIALDVR_H
#define COMPAT_SERIALDVR_H

#include "Serial.h"

#endif
