/* PictUtils.h: another name of PictUtil.h. Made by docs/generate.py. */

#ifndef COMPAT_PICTUTILS_H
#define COMPAT_PICTUTILS_H

#include "PictUtil.h"

#endif
