/* PrintTraps.h: another name of Printing.h. Made by docs/generate.py. */

#ifndef COMPAT_PRINTTRAPS_H
#define COMPAT_PRINTTRAPS_H

#include "Printing.h"

#endif
