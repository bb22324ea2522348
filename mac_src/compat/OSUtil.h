/* OSUtil.h: another name of OSUtils.h. Made by docs/generate.py. */

#ifndef COMPAT_OSUTIL_H
#define COMPAT_OSUTIL_H

#include "OSUtils.h"

#endif
