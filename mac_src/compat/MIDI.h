/* MIDI.h: the MIDI Manager. See Types.h for what these headers are. */

#ifndef COMPAT_MIDI_H
#define COMPAT_MIDI_H

#include <Types.h>

#pragma pack(push, 2)

enum { midiMaxNameLen = 31, midiPacketMax = 249 };

typedef struct MIDIPacket
{
    Byte flags, len;
    long tStamp;
    Byte data[midiPacketMax];
} MIDIPacket, *MIDIPacketPtr;

#pragma pack(pop)

#include "absent/MIDI.h"

#endif
