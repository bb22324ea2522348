// letters.cpp: a small editor: a text in a window that is moved, drawn upon, saved,
// opened again and closed by a user.

#include <Controls.h>
#include <Dialogs.h>
#include <Events.h>
#include <Files.h>
#include <Fonts.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <StandardFile.h>
#include <TextEdit.h>
#include <ToolUtils.h>
#include <Windows.h>
#include <stdio.h>

enum { kFile = 128, kSave = 1, kOpen = 2, kQuit = 3 };

static Boolean gDone;
static WindowPtr gWindow;
static TEHandle gText;

static void _Save()
{
    StandardFileReply reply;
    short file;

    StandardPutFile("\pSave as:", "\pletter", &reply);
    if (!reply.sfGood)
    {
        printf("not saved\n");
        return;
    }
    long count = (*gText)->teLength;
    FSpCreate(&reply.sfFile, 'TEST', 'TEXT', 0);
    if (FSpOpenDF(&reply.sfFile, fsRdWrPerm, &file) != noErr)
        return;
    FSWrite(file, &count, *(*gText)->hText);
    FSClose(file);
    printf("saved %ld bytes\n", count);
}

static void _Open()
{
    StandardFileReply reply;
    SFTypeList types = {'TEXT'};
    char text[256];
    long count = sizeof text;
    short file;

    StandardGetFile(NULL, 1, types, &reply);
    if (!reply.sfGood || FSpOpenDF(&reply.sfFile, fsRdPerm, &file) != noErr)
    {
        printf("not opened\n");
        return;
    }
    FSRead(file, &count, text);
    FSClose(file);
    TESetText(text, count, gText);
    InvalRect(&gWindow->portRect);
    printf("opened %ld bytes\n", count);
}

static void _Choose(long choice)
{
    if (LoWord(choice) == kSave)
        _Save();
    else if (LoWord(choice) == kOpen)
        _Open();
    else if (LoWord(choice) == kQuit)
        gDone = true;
    HiliteMenu(0);
}

// Draws along the mouse while its button is down.

static void _Draw(Point from)
{
    Point to;

    MoveTo(from.h, from.v);
    while (StillDown())
    {
        GetMouse(&to);
        LineTo(to.h, to.v);
    }
}

static void _Press(const EventRecord* event)
{
    WindowPtr window;
    Point where = event->where;
    Rect limit;

    switch (FindWindow(event->where, &window))
    {
    case inMenuBar:
        _Choose(MenuSelect(event->where));
        break;

    case inDrag:
        SetRect(&limit, -32000, -32000, 32000, 32000);
        DragWindow(window, event->where, &limit);
        printf("dragged\n");
        break;

    case inGoAway:
        gDone = window == gWindow && TrackGoAway(window, event->where);
        break;

    case inContent:
        if (window != gWindow)
            break;
        SetPort(gWindow);
        GlobalToLocal(&where);
        _Draw(where);
        break;
    }
}

static void _Update(WindowPtr window)
{
    BeginUpdate(window);
    if (window == gWindow)
        TEUpdate(&gWindow->portRect, gText);
    EndUpdate(window);
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

    printf("letters\n");
    SetRect(&bounds, 150, 260, 400, 380);
    gWindow = NewWindow(NULL, &bounds, "\pLetters", true, noGrowDocProc, (WindowPtr) -1L, true, 0);
    SetPort(gWindow);
    SetRect(&bounds, 4, 4, 246, 60);
    gText = TENew(&bounds, &bounds);
    TEActivate(gText);

    while (!gDone)
    {
        if (!WaitNextEvent(everyEvent, &event, 10, NULL))
            continue;
        if (event.what == mouseDown)
            _Press(&event);
        else if (event.what == keyDown && (event.modifiers & cmdKey) != 0)
            _Choose(MenuKey((short) (event.message & charCodeMask)));
        else if (event.what == keyDown)
            TEKey((short) (event.message & charCodeMask), gText);
        else if (event.what == updateEvt)
            _Update((WindowPtr) event.message);
    }
    printf("done\n");
}
