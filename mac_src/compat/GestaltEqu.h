/* GestaltEqu.h: the earlier name of Gestalt.h. */

#include <Gestalt.h>
