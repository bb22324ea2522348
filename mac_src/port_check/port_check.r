/* port_check.r: the resources of PortCheck. port_check.yaml has the same
 * for macproof's own toolchain.
 */

#define MEMORY_KB 512

#include "finder.r"
#include "Menus.r"
#include "Dialogs.r"

resource 'MENU' (128)
{
    128, textMenuProc, allEnabled, enabled, "File",
    {
        "Quit", noIcon, "Q", noMark, plain
    }
};

/* Bounds, items, what the four stages do (it is drawn, one beep, OK is the
 * default), and a place that System 7 knows: in the upper third of the main
 * screen. Not every definition of the type has the last.
 */

data 'ALRT' (128)
{
    $"003C 004C 00BE 01B4 0080 5555 300A"
};

resource 'DITL' (128)
{
    {
        { 98, 284, 118, 344 }, Button { enabled, "OK" },
        { 12, 76, 94, 344 }, StaticText { disabled, "^0" }
    }
};

resource 'vers' (1)
{
    0x01, 0x00, release, 0x00, verUS,
    "1.0",
    "PortCheck 1.0"
};
