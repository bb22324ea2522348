// turncoat.h: what the files of the port share.

#ifndef TURNCOAT_H
#define TURNCOAT_H

#include <Events.h>
#include <Files.h>
#include <Menus.h>
#include <Quickdraw.h>
#include <Windows.h>

enum { EDGE = 8, SQUARES = EDGE * EDGE, DIRECTIONS = 8 };
enum { CELL = 24, MARGIN = 8, TEXT_ROOM = 20 };
enum { EMPTY = 0, BLACK = 1, WHITE = -1 };
enum { GROWTH = 16, LONGEST_GAME = 60 };
enum { DEPTH = 1, CERTAIN = 10000 };

typedef signed char Disc;

typedef struct {
    short row;
    short col;
} Square;

typedef struct {
    Square at;
    short worth;
} Candidate;

typedef struct {
    Square at;
    Disc side;
    Disc flips;
} Turn;

typedef struct {
    long magic;
    short played;
    unsigned short sum;
} Header;

typedef short (*Comparison)(Candidate*, Candidate*);

// state.c
extern Disc board[EDGE][EDGE];
extern short steps[DIRECTIONS][2];
extern Disc weights[EDGE][EDGE];
extern StringPtr names[2];
extern unsigned char file_name[16];
extern Turn** history;
extern short played;
extern short room;
extern unsigned short seed;
extern long positions;
extern Boolean done;
extern Boolean over;
extern Str255 line;
extern WindowPtr window;
extern MenuHandle menu;
extern Header header;
extern QDGlobals drawing;

// rules.c
Boolean OnBoard(Square at);
short Enclosed(Disc side, Square at, short way);
Boolean IsLegal(Disc side, Square at);
short Place(Disc side, Square at);
short CountDiscs(Disc side);
short ListMoves(Disc side, Candidate* list);
Boolean HasMove(Disc side);
void SetUpBoard(void);

// machine.c
short CompareMoves(Candidate* one, Candidate* other);
void SortMoves(Candidate* list, short count, Comparison compare);
short Worth(Disc side);
short Search(Disc side, short depth, short least, short most);
short Chance(short limit);
Boolean ChooseMove(Disc side, Square* best);

// history.c
void Remember(Disc side, Square at, short flips);
void Replay(void);
void TakeBack(void);

// picture.c
void SquareBox(Square at, Rect* box);
Boolean FindSquare(Point where, Square* at);
void DrawSquare(Square at);
void AppendText(StringPtr text, StringPtr more);
void AppendScore(Disc side);
void DrawScore(void);
void DrawBoard(void);

// disk.c
unsigned short CheckSum(char* bytes, short count);
OSErr OpenGame(short* file);
OSErr Transfer(short file, short writes, Ptr bytes, short count);
void CloseGame(short file);
OSErr SaveGame(void);
OSErr LoadGame(void);

// game.c
void NewGame(void);
void MakeMove(Disc side, Square at);
void Answer(void);
void DoClick(Point where);
void DoMenu(long choice);
void DoMouse(EventRecord* event);
void DoEvent(EventRecord* event);
void SetUp(void);

#endif
