"""Sound input: nothing is connected to record from, and no device has a reference number.

Source: Inside Macintosh: Sound, chapter 3 "Sound Input Manager".
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records.results import ResultCode

_VERSION = 0x01008000
"""Version 1.0, as a NumVersion."""


class SoundInput(Manager):
    """Refuses to record."""

    @routine("FUNCTION SPBVersion: NumVersion")
    def version(self) -> int:
        """The version of the Sound Input Manager: 1.0."""
        return _VERSION

    @routine(
        "FUNCTION SndRecord (filterProc: ProcPtr; corner: Point; quality: OSType; "
        "VAR sndHandle: Handle): OSErr"
    )
    def record(self, choose: int, corner: Point, quality: str, sound: int) -> int:
        """Let the user record a sound."""
        return ResultCode.siNoSoundInHardware

    @routine(
        "FUNCTION SPBOpenDevice (deviceName: Str255; permission: INTEGER; "
        "VAR inRefNum: LONGINT): OSErr"
    )
    def open(self, name: int, permission: int, reference: int) -> int:
        """Open a device to record from."""
        return ResultCode.siNoSoundInHardware

    @routine(
        "FUNCTION SPBGetIndexedDevice (count: INTEGER; deviceName: Str255; "
        "VAR deviceIconHandle: Handle): OSErr"
    )
    def device(self, number: int, name: int, icon: int) -> int:
        """Name and icon of a device by its number."""
        return ResultCode.siBadSoundInDevice

    @routine("FUNCTION SPBCloseDevice (inRefNum: LONGINT): OSErr")
    @routine("FUNCTION SPBPauseRecording (inRefNum: LONGINT): OSErr")
    @routine("FUNCTION SPBResumeRecording (inRefNum: LONGINT): OSErr")
    @routine("FUNCTION SPBStopRecording (inRefNum: LONGINT): OSErr")
    def no_such_device(self, reference: int) -> int:
        """A call for a device that is open: none is."""
        return ResultCode.siBadSoundInDevice

    @routine(
        "FUNCTION SPBGetDeviceInfo (inRefNum: LONGINT; infoType: OSType; infoData: Ptr): OSErr"
    )
    @routine(
        "FUNCTION SPBSetDeviceInfo (inRefNum: LONGINT; infoType: OSType; infoData: Ptr): OSErr"
    )
    def no_information(self, reference: int, kind: str, data: int) -> int:
        """What there is to know about a device that is open: none is."""
        return ResultCode.siBadSoundInDevice

    @routine("FUNCTION SPBRecord (inParamPtr: Ptr; asynchFlag: BOOLEAN): OSErr")
    def begin(self, block: int, later: bool) -> int:
        """Begin to record: no device is open."""
        return ResultCode.siBadSoundInDevice

    @routine(
        "FUNCTION SPBGetRecordingStatus (inRefNum: LONGINT; VAR recordingStatus: INTEGER; "
        "VAR meterLevel: INTEGER; VAR totalSamplesToRecord: LONGINT; "
        "VAR numberOfSamplesRecorded: LONGINT; VAR totalMsecsToRecord: LONGINT; "
        "VAR numberOfMsecsRecorded: LONGINT): OSErr"
    )
    def status(self, reference: int, *results: int) -> int:
        """How far recording has come: no device is open."""
        return ResultCode.siBadSoundInDevice
