/*
 *	Turncoat.c
 *
 *	A game of 64 squares.  You are black and begin; the machine is white.  A disc is
 *	put where it encloses discs of the other side in a straight line, and these change
 *	sides.
 *
 *	Written as for a compiler of 1991: ints have 16 bits, globals are everywhere.
 */

#include <Dialogs.h>
#include <Events.h>
#include <Files.h>
#include <Fonts.h>
#include <Memory.h>
#include <Menus.h>
#include <Packages.h>
#include <Quickdraw.h>
#include <TextEdit.h>
#include <ToolUtils.h>
#include <Windows.h>

#define kEdge		8		/* squares on a side */
#define kMost		64		/* squares */
#define kCell		24		/* pixels */
#define kMargin		8
#define kGrowth		16		/* moves, by which the history grows */
#define kDepth		1
#define kCertain	10000	/* what a won game is worth */

#define kEmpty		0
#define kBlack		1
#define kWhite		(-1)

#define kFileMenu	128
#define kNew		1
#define kOpen		2
#define kSave		3
#define kTakeBack	5
#define kQuit		7

#define kMagic		0x5475726EL	/* 'Turn' */

typedef char Side;

typedef struct { short row, col; } Square;
typedef struct { Square at; short worth; } Choice;
typedef struct { Square at; char side, flips; } Played;
typedef struct { long magic; short played; unsigned short sum; } Header;

typedef short (*Comparison)(Choice *, Choice *);

char			gBoard[kEdge][kEdge];
short			gStep[8][2] = {
	{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}
};
char			gWeight[kEdge][kEdge] = {
	{120, -20,  20,   5,   5,  20, -20, 120},
	{-20, -40,  -5,  -5,  -5,  -5, -40, -20},
	{ 20,  -5,  15,   3,   3,  15,  -5,  20},
	{  5,  -5,   3,   3,   3,   3,  -5,   5},
	{  5,  -5,   3,   3,   3,   3,  -5,   5},
	{ 20,  -5,  15,   3,   3,  15,  -5,  20},
	{-20, -40,  -5,  -5,  -5,  -5, -40, -20},
	{120, -20,  20,   5,   5,  20, -20, 120}
};
StringPtr		gName[2] = { (StringPtr) "\pBlack", (StringPtr) "\pWhite" };
unsigned char	gFile[16] = "\pTurncoat Game";
Handle			gHistory;		/* Played[gRoom] */
short			gPlayed, gRoom;
unsigned short	gSeed;
long			gSearched;		/* positions, in the last move */
Boolean			gDone, gOver;
Str255			gText;
WindowPtr		gWindow;
MenuHandle		gMenu;
Header			gHead;			/* of the game's file */
QDGlobals		gDraw;

/* ---- the rules ---- */

Boolean OnBoard(Square at)
{
	return at.row >= 0 && at.row < kEdge && at.col >= 0 && at.col < kEdge;
}

/* how many discs a disc at a square would enclose in a direction */

short Enclosed(Side side, Square at, short way)
{
	short	count = 0;

	for (;;) {
		at.row += gStep[way][0];
		at.col += gStep[way][1];
		if (!OnBoard(at) || gBoard[at.row][at.col] == kEmpty)
			return 0;
		if (gBoard[at.row][at.col] == side)
			return count;
		count++;
	}
}

Boolean IsLegal(Side side, Square at)
{
	short	way;

	if (!OnBoard(at) || gBoard[at.row][at.col] != kEmpty)
		return false;
	for (way = 0; way < 8; way++)
		if (Enclosed(side, at, way) > 0)
			return true;
	return false;
}

short Place(Side side, Square at)
{
	short	way, count, flips = 0;

	for (way = 0; way < 8; way++)
		for (count = Enclosed(side, at, way); count > 0; count--) {
			gBoard[at.row + count * gStep[way][0]][at.col + count * gStep[way][1]] = side;
			flips++;
		}
	gBoard[at.row][at.col] = side;
	return flips;
}

short CountDiscs(Side side)
{
	short	row, col, count = 0;

	for (row = 0; row < kEdge; row++)
		for (col = 0; col < kEdge; col++)
			if (gBoard[row][col] == side)
				count++;
	return count;
}

short ListMoves(Side side, Choice *list)
{
	Square	at;
	short	count = 0;

	for (at.row = 0; at.row < kEdge; at.row++)
		for (at.col = 0; at.col < kEdge; at.col++)
			if (IsLegal(side, at)) {
				list[count].at = at;
				list[count].worth = gWeight[at.row][at.col];
				count++;
			}
	return count;
}

void SetUpBoard(void)
{
	short	row, col;

	for (row = 0; row < kEdge; row++)
		for (col = 0; col < kEdge; col++)
			gBoard[row][col] = kEmpty;
	gBoard[3][3] = gBoard[4][4] = kWhite;
	gBoard[3][4] = gBoard[4][3] = kBlack;
}

/* ---- the machine's thoughts ---- */

short CompareMoves(Choice *one, Choice *other)
{
	return other->worth - one->worth;
}

void SortMoves(Choice *list, short count, Comparison compare)
{
	Choice	middle, other;
	short	low = 0, high = count - 1;

	if (count < 2)
		return;
	middle = list[count / 2];
	while (low <= high) {
		while ((*compare)(&list[low], &middle) < 0)
			low++;
		while ((*compare)(&list[high], &middle) > 0)
			high--;
		if (low <= high) {
			other = list[low];
			list[low++] = list[high];
			list[high--] = other;
		}
	}
	SortMoves(list, high + 1, compare);
	SortMoves(list + low, count - low, compare);
}

short Worth(Side side)
{
	short	row, col, sum = 0;

	for (row = 0; row < kEdge; row++)
		for (col = 0; col < kEdge; col++)
			if (gBoard[row][col] == side)
				sum += gWeight[row][col];
			else if (gBoard[row][col] != kEmpty)
				sum -= gWeight[row][col];
	return sum;
}

short Search(Side side, short depth, short least, short most)
{
	Choice	list[kMost];
	char	before[kMost];
	short	index, count, worth;

	gSearched++;
	if (depth == 0)
		return Worth(side);
	count = ListMoves(side, list);
	if (count == 0) {
		if (ListMoves(-side, list) == 0) {
			worth = CountDiscs(side) - CountDiscs(-side);
			return worth > 0 ? kCertain : worth < 0 ? -kCertain : 0;
		}
		return -Search(-side, depth - 1, -most, -least);
	}
	SortMoves(list, count, CompareMoves);
	BlockMove((Ptr) gBoard, before, (long) kMost);
	for (index = 0; index < count && least < most; index++) {
		Place(side, list[index].at);
		worth = -Search(-side, depth - 1, -most, -least);
		BlockMove(before, (Ptr) gBoard, (long) kMost);
		if (worth > least)
			least = worth;
	}
	return least;
}

short Chance(short limit)
{
	gSeed = gSeed * 25173 + 13849;
	return (gSeed >> 4) % limit;
}

/* of moves that are equally good, one by chance */

Boolean ChooseMove(Side side, Square *best)
{
	Choice	list[kMost];
	char	before[kMost];
	short	index, count, equal = 0, most = -kCertain - 1;

	gSearched = 0;
	count = ListMoves(side, list);
	BlockMove((Ptr) gBoard, before, (long) kMost);
	for (index = 0; index < count; index++) {
		Place(side, list[index].at);
		list[index].worth = -Search(-side, kDepth, -kCertain, kCertain);
		BlockMove(before, (Ptr) gBoard, (long) kMost);
		if (list[index].worth > most) {
			most = list[index].worth;
			equal = 0;
		}
		if (list[index].worth == most && Chance(++equal) == 0)
			*best = list[index].at;
	}
	return count > 0;
}

/* ---- the history ---- */

void Remember(Side side, Square at, short flips)
{
	Played	*last;

	if (gPlayed == gRoom) {
		gRoom += kGrowth;
		SetHandleSize(gHistory, (long) (gRoom * (short) sizeof(Played)));
	}
	last = (Played *) *gHistory + gPlayed++;
	last->at = at;
	last->side = side;
	last->flips = flips;
}

void Replay(void)
{
	Played	one;
	short	index;

	SetUpBoard();
	for (index = 0; index < gPlayed; index++) {
		one = ((Played *) *gHistory)[index];
		Place(one.side, one.at);
	}
	gOver = false;
}

/* the last move of black, and what white did after it */

void TakeBack(void)
{
	while (gPlayed > 0)
		if (((Played *) *gHistory)[--gPlayed].side == kBlack)
			break;
	Replay();
}

/* ---- drawing ---- */

void SquareBox(Square at, Rect *box)
{
	short	left = kMargin + at.col * kCell, top = kMargin + at.row * kCell;

	SetRect(box, left, top, left + kCell + 1, top + kCell + 1);
}

Boolean FindSquare(Point where, Square *at)
{
	at->row = (where.v - kMargin) / kCell;
	at->col = (where.h - kMargin) / kCell;
	return where.v >= kMargin && where.h >= kMargin && OnBoard(*at);
}

void DrawSquare(Square at)
{
	Rect	box;
	char	disc = gBoard[at.row][at.col];

	SquareBox(at, &box);
	EraseRect(&box);
	FrameRect(&box);
	InsetRect(&box, 3, 3);
	if (disc == kBlack)
		PaintOval(&box);
	else if (disc == kWhite)
		FrameOval(&box);
}

void AppendText(StringPtr text, StringPtr more)
{
	short	index;

	for (index = 1; index <= more[0] && text[0] < 255; index++)
		text[++text[0]] = more[index];
}

void AppendScore(Side side)
{
	Str255	number;

	AppendText(gText, gName[side == kBlack ? 0 : 1]);
	AppendText(gText, (StringPtr) "\p ");
	NumToString((long) CountDiscs(side), number);
	AppendText(gText, number);
}

void DrawScore(void)
{
	Rect	box;

	SetRect(&box, kMargin, kMargin + 8 * kCell + 4, kMargin + 8 * kCell, kMargin + 8 * kCell + 24);
	EraseRect(&box);
	gText[0] = 0;
	if (gOver)
		AppendText(gText, (StringPtr) "\pThe end.  ");
	AppendScore(kBlack);
	AppendText(gText, (StringPtr) "\p, ");
	AppendScore(kWhite);
	MoveTo(box.left + 4, box.bottom - 6);
	DrawString(gText);
}

void DrawBoard(void)
{
	Square	at;

	for (at.row = 0; at.row < kEdge; at.row++)
		for (at.col = 0; at.col < kEdge; at.col++)
			DrawSquare(at);
	DrawScore();
}

/* ---- files ---- */

unsigned short CheckSum(char *bytes, short count)
{
	unsigned short	sum = 0;

	while (count-- > 0)
		sum = (sum << 1 | sum >> 15) + *bytes++;
	return sum;
}

OSErr OpenGame(short *file)
{
	ParamBlockRec	block;
	OSErr			error;

	block.ioParam.ioNamePtr = gFile;
	block.ioParam.ioVRefNum = 0;
	block.ioParam.ioVersNum = 0;
	block.ioParam.ioPermssn = fsCurPerm;
	block.ioParam.ioMisc = nil;
	error = PBOpenSync(&block);
	*file = block.ioParam.ioRefNum;
	return error;
}

OSErr Transfer(short file, short writes, Ptr bytes, short count)
{
	ParamBlockRec	block;

	block.ioParam.ioRefNum = file;
	block.ioParam.ioBuffer = bytes;
	block.ioParam.ioReqCount = count;
	block.ioParam.ioPosMode = fsAtMark;
	block.ioParam.ioPosOffset = 0;
	return writes ? PBWriteSync(&block) : PBReadSync(&block);
}

void CloseGame(short file)
{
	ParamBlockRec	block;

	block.ioParam.ioRefNum = file;
	PBCloseSync(&block);
}

OSErr SaveGame(void)
{
	ParamBlockRec	block;
	short			file, count = gPlayed * (short) sizeof(Played);
	OSErr			error;

	block.ioParam.ioNamePtr = gFile;
	block.ioParam.ioVRefNum = 0;
	block.ioParam.ioVersNum = 0;
	PBCreateSync(&block);		/* an older game is there already */
	error = OpenGame(&file);
	if (error != noErr)
		return error;
	gHead.magic = kMagic;
	gHead.played = gPlayed;
	HLock(gHistory);
	gHead.sum = CheckSum(*gHistory, count);
	error = Transfer(file, true, (Ptr) &gHead, (short) sizeof gHead);
	if (error == noErr)
		error = Transfer(file, true, *gHistory, count);
	HUnlock(gHistory);
	CloseGame(file);
	return error;
}

/* a damaged file leaves an empty board */

OSErr LoadGame(void)
{
	short	file, count;
	OSErr	error;

	error = OpenGame(&file);
	if (error != noErr)
		return error;
	gPlayed = 0;
	error = Transfer(file, false, (Ptr) &gHead, (short) sizeof gHead);
	if (error == noErr && (gHead.magic != kMagic || gHead.played < 0 || gHead.played > 60))
		error = paramErr;
	if (error == noErr) {
		gRoom = gHead.played + kGrowth;
		SetHandleSize(gHistory, (long) (gRoom * (short) sizeof(Played)));
		HLock(gHistory);
		count = gHead.played * (short) sizeof(Played);
		error = Transfer(file, false, *gHistory, count);
		if (error == noErr && CheckSum(*gHistory, count) == gHead.sum)
			gPlayed = gHead.played;
		HUnlock(gHistory);
	}
	CloseGame(file);
	Replay();
	return error;
}

/* ---- the game ---- */

void NewGame(void)
{
	gPlayed = 0;
	gSeed = 1991;
	Replay();
}

Boolean HasMove(Side side)
{
	Choice	list[kMost];

	return ListMoves(side, list) > 0;
}

void MakeMove(Side side, Square at)
{
	Remember(side, at, Place(side, at));
	DrawBoard();
}

/* white moves until black can, or nobody */

void Answer(void)
{
	Square	at;

	do {
		if (ChooseMove(kWhite, &at))
			MakeMove(kWhite, at);
		else if (!HasMove(kBlack)) {
			gOver = true;
			DrawScore();
		}
	} while (!gOver && !HasMove(kBlack));
}

void DoClick(Point where)
{
	Square	at;

	GlobalToLocal(&where);
	if (gOver || !FindSquare(where, &at) || !IsLegal(kBlack, at)) {
		SysBeep(1);
		return;
	}
	MakeMove(kBlack, at);
	Answer();
}

void DoMenu(long choice)
{
	OSErr	error = noErr;

	if (HiWord(choice) == kFileMenu)
		switch (LoWord(choice)) {
		case kNew:
			NewGame();
			break;
		case kOpen:
			error = LoadGame();
			break;
		case kSave:
			error = SaveGame();
			break;
		case kTakeBack:
			TakeBack();
			break;
		case kQuit:
			gDone = true;
			break;
		}
	if (error != noErr)
		SysBeep(1);
	HiliteMenu(0);
	DrawBoard();
}

void DoMouse(EventRecord *event)
{
	WindowPtr	window;

	switch (FindWindow(event->where, &window)) {
	case inMenuBar:
		DoMenu(MenuSelect(event->where));
		break;
	case inContent:
		DoClick(event->where);
		break;
	case inGoAway:
		if (TrackGoAway(window, event->where))
			gDone = true;
		break;
	}
}

void DoEvent(EventRecord *event)
{
	switch (event->what) {
	case mouseDown:
		DoMouse(event);
		break;
	case keyDown:
		if (event->modifiers & cmdKey)
			DoMenu(MenuKey((short) (event->message & charCodeMask)));
		break;
	case updateEvt:
		BeginUpdate(gWindow);
		DrawBoard();
		EndUpdate(gWindow);
		break;
	}
}

void SetUp(void)
{
	InitGraf((Ptr) &gDraw.thePort);
	InitFonts();
	InitWindows();
	InitMenus();
	TEInit();
	InitDialogs(nil);
	InitCursor();
	gMenu = GetMenu(kFileMenu);
	InsertMenu(gMenu, 0);
	DrawMenuBar();
	gWindow = GetNewWindow(128, nil, (WindowPtr) -1L);
	SetPort(gWindow);
	gRoom = kGrowth;
	gHistory = NewHandle((long) (kGrowth * (short) sizeof(Played)));
}

void main(void)
{
	EventRecord	event;

	SetUp();
	NewGame();
	while (!gDone) {
		SystemTask();
		if (GetNextEvent(everyEvent, &event))
			DoEvent(&event);
	}
}
