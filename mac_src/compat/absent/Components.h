/* Routines of Components.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Components.h>

#ifndef ABSENT_COMPONENTS_H
#define ABSENT_COMPONENTS_H

#ifdef __cplusplus
extern "C" {
#endif

Component RegisterComponent(ComponentDescription *description, ProcPtr entry, short global, Handle name, Handle info, Handle icon);
Component RegisterComponentResource(ComponentResourceHandle resource, short global);
void SetComponentRefcon(Component component, long refcon);
OSErr OpenAComponent(Component component, ComponentInstance *instance);
long ComponentFunctionImplemented(ComponentInstance instance, short routine);
Handle GetComponentInstanceStorage(ComponentInstance instance);
void SetComponentInstanceStorage(ComponentInstance instance, Handle storage);
long GetComponentInstanceA5(ComponentInstance instance);
void SetComponentInstanceA5(ComponentInstance instance, long a5);
void SetComponentInstanceError(ComponentInstance instance, OSErr error);
long CallComponentFunction(ComponentParameters *parameters, ProcPtr function);
long CallComponentFunctionWithStorage(Handle storage, ComponentParameters *parameters, ProcPtr function);
long DelegateComponentCall(ComponentParameters *parameters, ComponentInstance instance);
Component CaptureComponent(Component captured, Component capturing);
short OpenComponentResFile(Component component);
OSErr CloseComponentResFile(short file);

#ifdef __cplusplus
}
#endif

#endif
