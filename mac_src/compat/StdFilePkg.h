/* StdFilePkg.h: another name of StandardFile.h. Made by docs/generate.py. */

#ifndef COMPAT_STDFILEPKG_H
#define COMPAT_STDFILEPKG_H

#include "StandardFile.h"

#endif
