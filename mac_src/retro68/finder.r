/* finder.r
 *
 * What the Finder and the Process Manager want to know of every program
 * here: its signature, its icon, and how much memory it asks for. The
 * icon is a screen with the sector grid, two objects that collide, and
 * one that does not.
 */

#include "Types.r"
#include "Processes.r"
#include "Icons.r"
#include "Finder.r"

data 'MPrf' (0)
{
    $"00"
};

resource 'BNDL' (128)
{
    'MPrf', 0,
    {
        'FREF', { 0, 128 },
        'ICN#', { 0, 128 }
    }
};

resource 'FREF' (128)
{
    'APPL', 0, ""
};

resource 'ICN#' (128)
{
    {
        $"0000 0000 0000 0000 FFFF FFFF 8000 0001"
        $"8080 8081 8000 0001 808F FC81 8008 0401"
        $"8088 0481 AAA8 06AB 8088 0481 8008 3FF1"
        $"8088 3C11 8008 3C11 8088 3C11 800F FC11"
        $"AAAA A01B 8000 2011 8080 A011 8FF0 2011"
        $"8D50 BFF1 8AB0 0001 8D50 8081 AABA AAAB"
        $"8D50 8081 8AB0 0001 8FF0 8081 8000 0001"
        $"8080 8081 FFFF FFFF 0000 0000 0000 0000",

        $"0000 0000 0000 0000 FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF FFFF FFFF FFFF FFFF"
        $"FFFF FFFF FFFF FFFF 0000 0000 0000 0000"
    }
};

/* Replaces the one that Retro68 gives every application. */

#ifndef MEMORY_KB
#define MEMORY_KB 1024
#endif

resource 'SIZE' (-1)
{
    reserved,
    ignoreSuspendResumeEvents,
    reserved,
    cannotBackground,
    doesActivateOnFGSwitch,
    backgroundAndForeground,
    dontGetFrontClicks,
    ignoreChildDiedEvents,
    is32BitCompatible,
    notHighLevelEventAware,
    onlyLocalHLEvents,
    notStationeryAware,
    dontUseTextEditServices,
    reserved,
    reserved,
    reserved,
    MEMORY_KB * 1024,
    MEMORY_KB * 1024
};
