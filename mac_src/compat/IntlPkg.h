/* IntlPkg.h: another name of Packages.h. Made by docs/generate.py. */

#ifndef COMPAT_INTLPKG_H
#define COMPAT_INTLPKG_H

#include "Packages.h"

#endif
