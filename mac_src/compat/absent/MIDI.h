/* Routines of MIDI.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <MIDI.h>

#ifndef ABSENT_MIDI_H
#define ABSENT_MIDI_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr MIDISignIn(OSType clientID, long refCon, Handle icon, ConstStr255Param name);
void MIDISignOut(OSType clientID);
OSErr MIDIWritePacket(short refnum, MIDIPacketPtr packet);
unsigned long MIDIGetCurTime(short refnum);
void MIDIStartTime(short refnum);
void MIDIStopTime(short refnum);
void MIDIPoll(short refnum, long offsetTime);
OSErr MIDIFlush(short refnum);
OSErr MIDIRemovePort(short refnum);

#ifdef __cplusplus
}
#endif

#endif
