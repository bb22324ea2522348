"""Which routines a program calls while it waits for something to happen."""

LOOKING = frozenset(
    [
        "Button",
        "StillDown",
        "WaitMouseUp",
        "GetNextEvent",
        "WaitNextEvent",
        "EventAvail",
        "GetOSEvent",
        "OSEventAvail",
        "GetKeys",
        "ModalDialog",
    ]
)
"""Those by which a program asks what the user does."""

WAITING = LOOKING | {
    "GetMouse",
    "SystemTask",
    "TickCount",
    "Microseconds",
    "Delay",
    "TEIdle",
    "FrontWindow",
    "IsDialogEvent",
    "DialogSelect",
}
"""Routines that a program calls while it waits. Any other one shows that it is at work."""

HARMLESS = frozenset(
    [
        "EmptyRgn",
        "FindControl",
        "FindWindow",
        "GetHandleSize",
        "GetMenuHandle",
        "GetMenuItemText",
        "GetPort",
        "GetWRefCon",
        "GetWindowPort",
        "GlobalToLocal",
        "HGetState",
        "HLock",
        "HSetState",
        "HUnlock",
        "HideCursor",
        "HiliteMenu",
        "InitCursor",
        "LocalToGlobal",
        "ObscureCursor",
        "PtInRect",
        "PtInRgn",
        "RecoverHandle",
        "SetCursor",
        "SetPort",
        "ShowCursor",
    ]
)
"""Routines that event loops call in every pass, though nothing has happened and nothing will.

A program that calls only these between two looks for an event still waits. One that calls any
other, such as a routine that draws, is at work.
"""
