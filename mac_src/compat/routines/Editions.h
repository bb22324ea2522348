/* Routines of Editions.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Editions.h>

#ifndef ROUTINES_EDITIONS_H
#define ROUTINES_EDITIONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr InitEditionPack(short unused);
OSErr InitEditionPackVersion(short unused);

#ifdef __cplusplus
}
#endif

#endif
