/* DiskDvr.h: another name of Disks.h. Made by docs/generate.py. */

#ifndef COMPAT_DISKDVR_H
#define COMPAT_DISKDVR_H

#include "Disks.h"

#endif
