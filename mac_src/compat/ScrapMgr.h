/* ScrapMgr.h: another name of Scrap.h. Made by docs/generate.py. */

#ifndef COMPAT_SCRAPMGR_H
#define COMPAT_SCRAPMGR_H

#include "Scrap.h"

#endif
