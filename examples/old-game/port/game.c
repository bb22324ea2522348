// game.c: the user's moves and commands.

#include "turncoat.h"

#include <Dialogs.h>
#include <Fonts.h>
#include <Memory.h>
#include <TextEdit.h>
#include <ToolUtils.h>

enum { FILE_MENU = 128, WINDOW = 128 };
enum { NEW = 1, OPEN = 2, SAVE = 3, TAKE_BACK = 5, QUIT = 7 };

// FUNCTION: CODE 1+0xec4
void NewGame(void)
{
    seed = 1991;
    played = 0;
    Replay();
}

// FUNCTION: CODE 1+0xf0a
void MakeMove(Disc side, Square at)
{
    short flips = Place(side, at);

    Remember(side, at, flips);
    DrawBoard();
}

// FUNCTION: CODE 1+0xf4c
void Answer(void)
{
    for (;;) {
        Square at;

        if (ChooseMove(WHITE, &at)) {
            MakeMove(WHITE, at);
        } else if (!HasMove(BLACK)) {
            over = true;
            DrawScore();
        }
        if (over || HasMove(BLACK))
            return;
    }
}

// FUNCTION: CODE 1+0xfd0
void DoClick(Point where)
{
    Square at;

    GlobalToLocal(&where);
    if (!over && FindSquare(where, &at) && IsLegal(BLACK, at)) {
        MakeMove(BLACK, at);
        Answer();
    } else {
        SysBeep(1);
    }
}

// FUNCTION: CODE 1+0x103a
void DoMenu(long choice)
{
    OSErr error = noErr;
    short item = HiWord(choice) == FILE_MENU ? LoWord(choice) : 0;

    if (item == NEW)
        NewGame();
    else if (item == OPEN)
        error = LoadGame();
    else if (item == SAVE)
        error = SaveGame();
    else if (item == TAKE_BACK)
        TakeBack();
    else if (item == QUIT)
        done = true;
    if (error)
        SysBeep(1);
    HiliteMenu(0);
    DrawBoard();
}

// FUNCTION: CODE 1+0x10bc
void DoMouse(EventRecord* event)
{
    WindowPtr found;
    short part = FindWindow(event->where, &found);

    if (part == inMenuBar)
        DoMenu(MenuSelect(event->where));
    else if (part == inContent)
        DoClick(event->where);
    else if (part == inGoAway && TrackGoAway(found, event->where))
        done = true;
}

// FUNCTION: CODE 1+0x112e
void DoEvent(EventRecord* event)
{
    if (event->what == mouseDown) {
        DoMouse(event);
    } else if (event->what == keyDown) {
        if ((event->modifiers & cmdKey) != 0)
            DoMenu(MenuKey((CharParameter) (event->message & charCodeMask)));
    } else if (event->what == updateEvt) {
        BeginUpdate(window);
        DrawBoard();
        EndUpdate(window);
    }
}

// FUNCTION: CODE 1+0x1198
void SetUp(void)
{
    InitGraf((Ptr) &drawing.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    TEInit();
    InitDialogs(NULL);
    InitCursor();

    menu = GetMenu(FILE_MENU);
    InsertMenu(menu, 0);
    DrawMenuBar();
    window = GetNewWindow(WINDOW, NULL, (WindowPtr) -1L);
    SetPort(window);
    room = GROWTH;
    history = (Turn**) NewHandle((long) GROWTH * sizeof(Turn));
}

// FUNCTION: CODE 1+0x1214
int main(void)
{
    EventRecord event;

    SetUp();
    NewGame();
    while (!done) {
        SystemTask();
        if (GetNextEvent(everyEvent, &event))
            DoEvent(&event);
    }
    return 0;
}
