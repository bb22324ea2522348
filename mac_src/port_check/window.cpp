// window.cpp: see window.h.

#include "window.h"

#include "machine.h"

enum
{
    _WaitNextEvent_ = 0xA860,

    kAlert          = 128,          // resources
    kFileMenu       = 128,

    kGeneva         = 3,
    kTextSize       = 9,

    // All the corners that a scene may have, and an object's own size,
    // lie within this.

    kSceneWidth     = 672,
    kSceneHeight    = 544,

    kMargin         = 8,
    kWords          = 138,          // width of the column of words
    kLine           = 14,
    kTitleBar       = 20,

    kPeriod         = '.'
};

static WindowPtr        gWindow;
static short            gScale;         // 1, or 2 for half the size
static Rect             gPicture, gWords, gBar;
static Boolean          gStop, gHasWaitNextEvent;

static const Scene*     gScene;
static const Routine*   gRoutine;
static const char*      gStep = "";
static long             gDone, gAll = 1;


//----------------------------------------------------------------------
// drawing
//----------------------------------------------------------------------

static const Pattern kBlack = {{ 0xff, 0xff, 0xff, 0xff,
                                 0xff, 0xff, 0xff, 0xff }};
static const Pattern kGray  = {{ 0xaa, 0x55, 0xaa, 0x55,
                                 0xaa, 0x55, 0xaa, 0x55 }};

static void _DrawLine(short line, const char* text)
{
    Str255 string;

    MakePascal(string, text);
    MoveTo(gWords.left, gWords.top + (line + 1) * kLine);
    DrawString(string);
}

static void _DrawNumbers(short line, const char* before, long n,
                         const char* between, long m)
{
    Text text;

    if (!text.Reserve(80))
        return;
    text.Add(before);
    text.AddNumber((unsigned long) n);
    text.Add(between);
    if (m >= 0)
        text.AddNumber((unsigned long) m);
    text.Add('\0');
    _DrawLine(line, text.Bytes());
}

static void _DrawWords()
{
    EraseRect(&gWords);
    if (gScene != NULL)
    {
        _DrawLine(0, gRoutine->name);
        _DrawNumbers(2, "Scene ", gScene->index, "", -1);
        _DrawLine(3, gScene->generator);
        _DrawNumbers(4, "", gScene->objects,
                     gScene->objects == 1 ? " object" : " objects", -1);
    }
    _DrawLine(6, gStep);
    _DrawLine(12, "Command-period stops.");

    Rect done = gBar;
    PenPat(&kBlack);
    FrameRect(&gBar);
    InsetRect(&done, 1, 1);
    EraseRect(&done);
    done.right = (short) (done.left + (done.right - done.left) * gDone / gAll);
    PaintRect(&done);
}

// an outline if it collides, else gray

static void _DrawObject(const Corner* corner, Boolean collidedQ)
{
    Rect r;
    short left = (short) (gPicture.left + 1 + corner->x / gScale);
    short top = (short) (gPicture.top + 1 + corner->y / gScale);
    short size = (short) (gRoutine->objectSize / gScale);

    SetRect(&r, left, top, left + size, top + size);
    if (collidedQ)
    {
        PenPat(&kBlack);
        FrameRect(&r);
    }
    else
    {
        PenPat(&kGray);
        PaintRect(&r);
    }
}

static void _DrawScene()
{
    Rect inside = gPicture;

    PenPat(&kBlack);
    FrameRect(&gPicture);
    InsetRect(&inside, 1, 1);
    EraseRect(&inside);
    if (gScene == NULL)
        return;

    // Objects at the far edges go beyond the frame.

    ClipRect(&inside);
    for (long i = 0; i < gScene->objects; i++)
        _DrawObject(&gScene->corners[i], gRoutine->collided(i));
    ClipRect(&gWindow->portRect);
}

static void _UseWindow()
{
    SetPort((GrafPtr) gWindow);
    TextFont(kGeneva);
    TextSize(kTextSize);
}

void ShowScene(const Scene* scene, const Routine* routine)
{
    gScene = scene;
    gRoutine = routine;
    _UseWindow();
    _DrawScene();
}

void ShowStep(const char* step, long done, long all)
{
    gStep = step;
    gDone = done;
    gAll = all > 0 ? all : 1;
    _UseWindow();
    _DrawWords();
}


//----------------------------------------------------------------------
// the window
//----------------------------------------------------------------------

// Half the size leaves room on the smallest screen, 512 by 342.

static void _LayOut(Rect* bounds)
{
    const Rect* screen = &qd.screenBits.bounds;
    short above = (short) (GetMBarHeight() + kTitleBar);
    short wide = (short) (screen->right - screen->left);
    short high = (short) (screen->bottom - screen->top - above);
    short width, height;

    gScale = wide >= kSceneWidth + kWords + 5 * kMargin &&
             high >= kSceneHeight + 4 * kMargin ? 1 : 2;
    SetRect(&gPicture, kMargin, kMargin,
            kMargin + kSceneWidth / gScale + 2,
            kMargin + kSceneHeight / gScale + 2);
    width = (short) (gPicture.right + kMargin + kWords);
    height = (short) (gPicture.bottom + kMargin);
    SetRect(&gWords, gPicture.right + kMargin, kMargin, width, height);
    SetRect(&gBar, gWords.left, gWords.top + 8 * kLine,
            gWords.right - kMargin, gWords.top + 9 * kLine);

    SetRect(bounds, 0, 0, width, height);
    OffsetRect(bounds, (wide - width) / 2, above + (high - height) / 3);
}

Boolean OpenProgress()
{
    Rect bounds;
    Str255 title;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    TEInit();
    InitDialogs(NULL);
    InitCursor();
    FlushEvents(everyEvent, 0);

    gHasWaitNextEvent = HasToolTrap(_WaitNextEvent_);

    MenuHandle file = GetMenu(kFileMenu);
    if (file != NULL)
    {
        InsertMenu(file, 0);
        DrawMenuBar();
    }

    _LayOut(&bounds);
    MakePascal(title, "PortCheck");
    gWindow = NewWindow(NULL, &bounds, title, true, noGrowDocProc,
                        (WindowPtr) -1L, true, 0);
    if (gWindow == NULL)
        return false;
    _UseWindow();
    _DrawScene();
    return true;
}

void CloseProgress()
{
    if (gWindow != NULL)
        DisposeWindow(gWindow);
    gWindow = NULL;
}


//----------------------------------------------------------------------
// events
//----------------------------------------------------------------------

static void _Update(WindowPtr window)
{
    BeginUpdate(window);
    if (window == gWindow)
    {
        _UseWindow();
        EraseRect(&gWindow->portRect);
        _DrawScene();
        _DrawWords();
    }
    EndUpdate(window);
}

static void _MouseDown(const EventRecord* event)
{
    WindowPtr window;
    Rect limits = qd.screenBits.bounds;

    switch (FindWindow(event->where, &window))
    {
    case inMenuBar:
        if (MenuSelect(event->where) != 0)      // Quit is all there is
            gStop = true;
        break;

    case inGoAway:
        if (TrackGoAway(window, event->where))
            gStop = true;
        break;

    case inDrag:
        InsetRect(&limits, 4, 4);
        DragWindow(window, event->where, &limits);
        break;

    case inContent:
        SelectWindow(window);
        break;
    }
}

Boolean StopAsked()
{
    EventRecord event;
    Boolean found;

    if (gHasWaitNextEvent)
        found = WaitNextEvent(everyEvent, &event, 0, NULL);
    else
    {
        SystemTask();
        found = GetNextEvent(everyEvent, &event);
    }
    if (!found)
        return gStop;

    switch (event.what)
    {
    case mouseDown:
        _MouseDown(&event);
        break;

    case keyDown:
    case autoKey:
        if ((event.modifiers & cmdKey) != 0)
        {
            char key = (char) (event.message & charCodeMask);

            if (key == kPeriod || MenuKey(key) != 0)
                gStop = true;
        }
        break;

    case updateEvt:
        _Update((WindowPtr) event.message);
        break;
    }
    return gStop;
}


//----------------------------------------------------------------------
// alerts
//----------------------------------------------------------------------

static void _PrepareAlert(const char* words)
{
    Str255 first, none;

    MakePascal(first, words);
    none[0] = 0;
    ParamText(first, none, none, none);
    InitCursor();
}

// An alert leaves a hole in the window it was on.

static void _FillTheHole()
{
    EventRecord event;

    for (int i = 0; i < 3 && GetNextEvent(updateMask, &event); i++)
        _Update((WindowPtr) event.message);
}

void Complain(const char* problem)
{
    _PrepareAlert(problem);
    StopAlert(kAlert, NULL);
    _FillTheHole();
}

void Tell(const char* news)
{
    _PrepareAlert(news);
    NoteAlert(kAlert, NULL);
    _FillTheHole();
}
