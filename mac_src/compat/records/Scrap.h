/* Records of Scrap.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_SCRAP_H
#define RECORDS_SCRAP_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct ScrapStuff
{
    long scrapSize;
    Handle scrapHandle;
    short scrapCount;
    short scrapState;
    StringPtr scrapName;
} ScrapStuff, *PScrapStuff;

#pragma pack(pop)

#endif
