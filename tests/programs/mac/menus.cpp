// menus.cpp: menus and a dialog out of resources, and the event loop of a
// whole application.

#include <Dialogs.h>
#include <Events.h>
#include <Fonts.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <TextEdit.h>
#include <ToolUtils.h>
#include <Windows.h>
#include <stdio.h>

enum { kFile = 128, kAsk = 1, kCheck = 2, kQuit = 4 };

static Boolean gDone;
static MenuHandle gFile;

static void _Ask()
{
    Str255 question, answer;
    short item = 0, type;
    Handle handle;
    Rect box;

    GetIndString(question, 128, 2);
    ParamText(question, "\p", "\p", "\p");
    DialogPtr dialog = GetNewDialog(128, NULL, (WindowPtr) -1L);
    SelectDialogItemText(dialog, 4, 0, 32767);
    while (item != ok && item != cancel)
        ModalDialog(NULL, &item);
    GetDialogItem(dialog, 4, &type, &handle, &box);
    GetDialogItemText(handle, answer);
    DisposeDialog(dialog);
    printf("%s: %.*s\n", item == ok ? "answer" : "no answer", answer[0], (char*) answer + 1);
}

static void _Choose(long choice)
{
    static Boolean checked;
    short menu = HiWord(choice), item = LoWord(choice);

    if (menu == kFile && item == kAsk)
        _Ask();
    else if (menu == kFile && item == kCheck)
    {
        checked = !checked;
        CheckItem(gFile, kCheck, checked);
        printf("%s\n", checked ? "checked" : "not checked");
    }
    else if (menu == kFile && item == kQuit)
        gDone = true;
    HiliteMenu(0);
}

static void _Handle(const EventRecord* event)
{
    WindowPtr window;

    switch (event->what)
    {
    case mouseDown:
        if (FindWindow(event->where, &window) == inMenuBar)
            _Choose(MenuSelect(event->where));
        break;

    case keyDown:
        if ((event->modifiers & cmdKey) != 0)
            _Choose(MenuKey((short) (event->message & charCodeMask)));
        else
            printf("key %c\n", (int) (event->message & charCodeMask));
        break;

    case updateEvt:
        window = (WindowPtr) event->message;
        BeginUpdate(window);
        EndUpdate(window);
        break;
    }
}

int main()
{
    EventRecord event;
    Str255 text;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    TEInit();
    InitDialogs(NULL);
    InitCursor();

    gFile = GetMenu(kFile);
    InsertMenu(gFile, 0);
    AppendMenu(gFile, "\pLast");
    DrawMenuBar();
    GetMenuItemText(gFile, kQuit, text);
    printf("%d items, quit is %.*s\n", CountMItems(gFile), text[0], (char*) text + 1);

    while (!gDone)
        if (WaitNextEvent(everyEvent, &event, 10, NULL))
            _Handle(&event);
    printf("done\n");
}
