/* FileMgr.h: another name of Files.h. Made by docs/generate.py. */

#ifndef COMPAT_FILEMGR_H
#define COMPAT_FILEMGR_H

#include "Files.h"

#endif
