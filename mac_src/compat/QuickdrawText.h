/* QuickdrawText.h: another name of Script.h. Made by docs/generate.py. */

#ifndef COMPAT_QUICKDRAWTEXT_H
#define COMPAT_QUICKDRAWTEXT_H

#include "Script.h"

#endif
