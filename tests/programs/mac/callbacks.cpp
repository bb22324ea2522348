// callbacks.cpp: procedures of the program that the Toolbox calls: a
// control's action, a filter for a dialog's events, and a dialog's own item.

#include <Controls.h>
#include <Dialogs.h>
#include <Events.h>
#include <Fonts.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <TextEdit.h>
#include <Windows.h>
#include <stdio.h>

static int gActions, gFiltered, gDrawn;
static short gLastPart;

static pascal void _Action(ControlHandle control, short part)
{
    gActions++;
    if (part != 0)
    {
        gLastPart = part;
        SetControlValue(control, GetControlValue(control) + 1);
    }
}

// Return counts as a click on the first item, "x" as one on the second.

static pascal Boolean _Filter(DialogPtr dialog, EventRecord* event, short* item)
{
    (void) dialog;
    gFiltered++;
    if (event->what != keyDown)
        return false;
    char c = (char) (event->message & charCodeMask);
    if (c != '\r' && c != 'x')
        return false;
    *item = c == 'x' ? 2 : 1;
    return true;
}

static pascal void _Draw(DialogPtr dialog, short item)
{
    short type;
    Handle handle;
    Rect box;

    gDrawn++;
    GetDialogItem(dialog, item, &type, &handle, &box);
    PaintOval(&box);
}

static void _ScrollBar()
{
    Rect bounds;
    EventRecord event;

    SetRect(&bounds, 60, 60, 260, 160);
    WindowPtr window = NewWindow(NULL, &bounds, "\pScroll", true, noGrowDocProc,
                                 (WindowPtr) -1L, false, 0);
    SetPort(window);
    SetRect(&bounds, 180, 0, 196, 100);
    ControlHandle bar = NewControl(window, &bounds, "\p", true, 10, 0, 100, scrollBarProc, 7);
    UniversalProcPtr action = NewControlActionProc(_Action);

    while (!GetNextEvent(mDownMask, &event))
        ;
    Point where = event.where;
    WindowPtr clicked;
    short part = FindWindow(where, &clicked);
    GlobalToLocal(&where);
    ControlHandle control = NULL;
    short inside = FindControl(where, window, &control);
    if (part == inContent && control == bar)
        TrackControl(bar, where, (ProcPtr) action);
    printf("part %d, actions %s, last %d, grown %s\n", inside, gActions > 0 ? "yes" : "no",
           gLastPart, GetControlValue(bar) == 10 + gActions ? "alike" : "otherwise");
    DisposeRoutineDescriptor(action);
    DisposeWindow(window);
}

static void _Dialog()
{
    DialogPtr dialog = GetNewDialog(128, NULL, (WindowPtr) -1L);
    UniversalProcPtr filter = NewModalFilterProc(_Filter);
    UniversalProcPtr draw = NewUserItemProc(_Draw);
    short type, item = 0;
    Handle handle;
    Rect box;
    Str255 text;

    GetDialogItem(dialog, 4, &type, &handle, &box);
    SetDialogItem(dialog, 4, type, (Handle) draw, &box);
    SelectDialogItemText(dialog, 3, 0, 32767);
    ShowWindow(dialog);
    while (item != 1 && item != 2)
        ModalDialog((ProcPtr) filter, &item);
    GetDialogItem(dialog, 3, &type, &handle, &box);
    GetDialogItemText(handle, text);
    printf("item %d, text %.*s, filtered %s, drawn %s\n", item, text[0], (char*) text + 1,
           gFiltered > 0 ? "yes" : "no", gDrawn > 0 ? "yes" : "no");
    DisposeDialog(dialog);
    DisposeRoutineDescriptor(filter);
    DisposeRoutineDescriptor(draw);
}

int main()
{
    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    TEInit();
    InitDialogs(NULL);
    InitCursor();

    _ScrollBar();
    _Dialog();
}
