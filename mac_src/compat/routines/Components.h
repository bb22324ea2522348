/* Routines of Components.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_COMPONENTS_H
#define ROUTINES_COMPONENTS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

OSErr CloseComponent(void* aComponentInstance);
long CountComponentInstances(void* aComponent);
long CountComponents(void* looking);
Ptr FindNextComponent(void* aComponent, void* looking);
OSErr GetComponentInfo(void* aComponent, void* cd, Handle componentName, Handle componentInfo, Handle componentIcon);
OSErr GetComponentInstanceError(void* aComponentInstance);
long GetComponentListModSeed(void);
Ptr OpenComponent(void* aComponent);
Ptr OpenDefaultComponent(OSType componentType, OSType componentSubType);

#ifdef __cplusplus
}
#endif

#endif
