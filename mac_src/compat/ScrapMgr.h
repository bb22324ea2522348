/* ScrapMgr.h: the name that THINK C once had for Scrap.h. */

#include <Scrap.h>
