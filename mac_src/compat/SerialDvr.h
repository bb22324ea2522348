/* SerialDvr.h: the name that THINK C once had for Serial.h. */

#include <Serial.h>
