/* ToolboxUtil.h: another name of ToolUtils.h. Made by docs/generate.py. */

#ifndef COMPAT_TOOLBOXUTIL_H
#define COMPAT_TOOLBOXUTIL_H

#include "ToolUtils.h"

#endif
