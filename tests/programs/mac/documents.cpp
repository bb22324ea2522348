// documents.cpp: documents as a program of 1984 saves and opens them: SFPutFile and
// SFGetFile answer with a volume or folder and a name.

#include <Dialogs.h>
#include <Events.h>
#include <Files.h>
#include <Fonts.h>
#include <Memory.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <StandardFile.h>
#include <TextEdit.h>
#include <ToolUtils.h>
#include <Windows.h>
#include <stdio.h>

enum { kFile = 128, kNew = 1, kOpen = 2, kSaveAs = 3, kQuit = 4 };

static Boolean gDone;
static WindowPtr gWindow;
static TEHandle gText;

static void _Show(const void* text, long count, const void* title)
{
    TESetText(text, count, gText);
    SetWTitle(gWindow, (ConstStr255Param) title);
    InvalRect(&gWindow->portRect);
}

static void _Save()
{
    SFReply reply;
    Point where = {60, 80};
    long count = (*gText)->teLength;
    short file;

    SFPutFile(where, "\pSave this document as:", "\pUntitled", NULL, &reply);
    if (!reply.good)
        return;
    Create(reply.fName, reply.vRefNum, 'TEST', 'TEXT');
    if (FSOpen(reply.fName, reply.vRefNum, &file) != noErr)
        return;
    SetEOF(file, 0);
    FSWrite(file, &count, *(*gText)->hText);
    FSClose(file);
    SetWTitle(gWindow, reply.fName);
    printf("saved %ld bytes\n", count);
}

static void _Open()
{
    SFReply reply;
    SFTypeList types = {'TEXT'};
    Point where = {60, 80};
    long count;
    short file;

    SFGetFile(where, "\p", NULL, 1, types, NULL, &reply);
    if (!reply.good)
    {
        printf("nothing opened\n");
        return;
    }
    if (FSOpen(reply.fName, reply.vRefNum, &file) != noErr)
        return;
    GetEOF(file, &count);
    Ptr text = NewPtr(count);
    FSRead(file, &count, text);
    FSClose(file);
    _Show(text, count, reply.fName);
    DisposePtr(text);
    printf("opened %ld bytes\n", count);
}

static void _Choose(long choice)
{
    if (LoWord(choice) == kNew)
        _Show("", 0, "\pUntitled");
    else if (LoWord(choice) == kOpen)
        _Open();
    else if (LoWord(choice) == kSaveAs)
        _Save();
    else if (LoWord(choice) == kQuit)
        gDone = true;
    HiliteMenu(0);
}

static void _Update(WindowPtr window)
{
    BeginUpdate(window);
    EraseRect(&window->portRect);
    TEUpdate(&window->portRect, gText);
    EndUpdate(window);
}

int main()
{
    EventRecord event;
    WindowPtr window;
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

    SetRect(&bounds, 150, 340, 450, 440);
    gWindow = NewWindow(NULL, &bounds, "\pUntitled", true, documentProc, (WindowPtr) -1L, false, 0);
    SetPort(gWindow);
    SetRect(&bounds, 4, 4, 296, 96);
    gText = TENew(&bounds, &bounds);
    TEActivate(gText);

    while (!gDone)
    {
        if (!WaitNextEvent(everyEvent, &event, 10, NULL))
            continue;
        if (event.what == mouseDown && FindWindow(event.where, &window) == inMenuBar)
            _Choose(MenuSelect(event.where));
        else if (event.what == keyDown && (event.modifiers & cmdKey) != 0)
            _Choose(MenuKey((short) (event.message & charCodeMask)));
        else if (event.what == keyDown)
            TEKey((short) (event.message & charCodeMask), gText);
        else if (event.what == updateEvt)
            _Update((WindowPtr) event.message);
    }
    TEDispose(gText);
    DisposeWindow(gWindow);
    return 0;
}
