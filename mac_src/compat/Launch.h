/* Launch.h: the earlier home of what Processes.h has. */

#include <Processes.h>
