// notes.cpp: a window to write in, which is moved and made larger; what a
// person does in a whole application.

#include <Dialogs.h>
#include <Events.h>
#include <Fonts.h>
#include <Menus.h>
#include <OSUtils.h>
#include <Quickdraw.h>
#include <TextEdit.h>
#include <ToolUtils.h>
#include <Windows.h>

enum { kFile = 128, kClear = 1, kBeep = 2, kQuit = 4 };

static Boolean gDone;
static WindowPtr gWindow;
static TEHandle gText;

static void _Choose(long choice)
{
    if (HiWord(choice) == kFile)
        switch (LoWord(choice))
        {
        case kClear:
            TESetSelect(0, 32767, gText);
            TEDelete(gText);
            break;
        case kBeep:
            SysBeep(10);
            break;
        case kQuit:
            gDone = true;
            break;
        }
    HiliteMenu(0);
}

static void _LayOut()
{
    Rect room = gWindow->portRect;

    room.bottom -= 15;
    room.right -= 15;
    InsetRect(&room, 4, 4);
    (**gText).viewRect = (**gText).destRect = room;
    TECalText(gText);
    InvalRect(&gWindow->portRect);
}

static void _Grow(Point where)
{
    Rect limits;
    long size;

    SetRect(&limits, 120, 80, 600, 400);
    size = GrowWindow(gWindow, where, &limits);
    if (size == 0)
        return;
    SizeWindow(gWindow, LoWord(size), HiWord(size), true);
    _LayOut();
}

static void _MouseDown(const EventRecord* event)
{
    WindowPtr window;
    Rect limits = qd.screenBits.bounds;
    Point where = event->where;

    switch (FindWindow(where, &window))
    {
    case inMenuBar:
        _Choose(MenuSelect(where));
        break;

    case inDrag:
        InsetRect(&limits, 4, 4);
        DragWindow(window, where, &limits);
        break;

    case inGrow:
        _Grow(where);
        break;

    case inGoAway:
        gDone = TrackGoAway(window, where);
        break;

    case inContent:
        GlobalToLocal(&where);
        TEClick(where, (event->modifiers & shiftKey) != 0, gText);
        break;
    }
}

static void _Update()
{
    BeginUpdate(gWindow);
    EraseRect(&gWindow->portRect);
    DrawGrowIcon(gWindow);
    TEUpdate(&gWindow->portRect, gText);
    EndUpdate(gWindow);
}

static void _Handle(const EventRecord* event)
{
    short key = (short) (event->message & charCodeMask);

    switch (event->what)
    {
    case mouseDown:
        _MouseDown(event);
        break;

    case keyDown:
    case autoKey:
        if ((event->modifiers & cmdKey) != 0)
            _Choose(MenuKey(key));
        else
            TEKey(key, gText);
        break;

    case updateEvt:
        _Update();
        break;
    }
}

int main()
{
    EventRecord event;
    Rect bounds;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    TEInit();
    InitDialogs(NULL);
    InitCursor();

    InsertMenu(GetMenu(kFile), 0);
    DrawMenuBar();
    SetRect(&bounds, 40, 60, 340, 200);
    gWindow = NewWindow(NULL, &bounds, "\pNotes", true, documentProc,
                        (WindowPtr) -1L, true, 0);
    SetPort(gWindow);
    TextFont(1);
    gText = TENew(&gWindow->portRect, &gWindow->portRect);
    _LayOut();
    TEActivate(gText);

    while (!gDone)
    {
        if (WaitNextEvent(everyEvent, &event, 5, NULL))
            _Handle(&event);
        TEIdle(gText);
    }
}
