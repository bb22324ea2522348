/* PrintTraps.h: Printing.h for programs that call the printing traps directly. */

#ifndef COMPAT_PRINTTRAPS_H
#define COMPAT_PRINTTRAPS_H

#include "Printing.h"

#endif
