/* Routines of Components.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Components.h>

#ifndef ROUTINES_COMPONENTS_H
#define ROUTINES_COMPONENTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CloseComponent(ComponentInstance aComponentInstance);
long CountComponentInstances(Component aComponent);
long CountComponents(void* looking);
Component FindNextComponent(Component aComponent, void* looking);
OSErr GetComponentInfo(Component aComponent, void* cd, Handle componentName, Handle componentInfo, Handle componentIcon);
OSErr GetComponentInstanceError(ComponentInstance aComponentInstance);
long GetComponentListModSeed(void);
long GetComponentRefcon(Component aComponent);
ComponentInstance OpenComponent(Component aComponent);
ComponentInstance OpenDefaultComponent(OSType componentType, OSType componentSubType);
long RegisterComponentResourceFile(short resRefNum, short global);
OSErr SetDefaultComponent(Component aComponent, short flags);
OSErr UncaptureComponent(Component aComponent);
OSErr UnregisterComponent(Component aComponent);

#ifdef __cplusplus
}
#endif

#endif
