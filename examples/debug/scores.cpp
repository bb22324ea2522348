// scores.cpp: a game that clears its scores before it begins, and one thing too many.

#include <Fonts.h>
#include <Quickdraw.h>
#include <TextUtils.h>
#include <Windows.h>

#define PLAYERS 4

struct Game
{
    short scores[PLAYERS];
    short bonus;
};

static struct Game gGame = {{12, 7, 30, 5}, 100};

static void ClearScores(short* scores, short count)
{
    short i;

    for (i = 0; i <= count; i++)
        scores[i] = 0;
}

static short BestScore(const struct Game* game)
{
    short best = 0;
    short i;

    for (i = 0; i < PLAYERS; i++)
        if (game->scores[i] > best)
            best = game->scores[i];
    return best + game->bonus;
}

static void ShowNumber(short number)
{
    Str255 text;

    NumToString(number, text);
    MoveTo(20, 40);
    DrawString(text);
}

int main()
{
    Rect bounds;

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    SetRect(&bounds, 40, 60, 240, 140);
    SetPort(NewWindow(NULL, &bounds, "\pScores", true, documentProc, (WindowPtr) -1L, false, 0));

    ClearScores(gGame.scores, PLAYERS);
    gGame.scores[2] = 30;
    ShowNumber(BestScore(&gGame)); // 30, and not 130
    return 0;
}
