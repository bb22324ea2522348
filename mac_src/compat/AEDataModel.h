/* AEDataModel.h: a later home of what AppleEvents.h has. */

#include <AppleEvents.h>
