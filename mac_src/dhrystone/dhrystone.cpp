// dhrystone.cpp
//
// The work of Dhrystone 2.1, as a routine without arguments.
// Benchmark: Reinhold P. Weicker, 1984; version 2 of 1988 (SIGPLAN Notices
// 23, 8, pages 49-62).
//
// This is not the published program but one written afresh to do the same
// things in the same order to data laid out in the same way, so that what a
// cycle model predicts of it can be held against published Dhrystone
// figures. Whoever runs it must not call the result a Dhrystone rating.
//
// What differs:
// - The two records are globals instead of blocks of the heap; they were
//   taken from the heap before the measured loop anyway.
// - Strings are copied and compared by plain loops in this file, for there
//   is no C library here. A library of the time may have been faster.
// - Nothing measures time or prints. What the benchmark prints at its end
//   is left in globals.
// - Three texts, and two members of the first record, are taken from
//   globals instead of being constants. They begin as the benchmark has
//   them; with others it shows whether the work is done on them.
//
// The rules ask for two files compiled apart and for no merging of
// procedures. One file is enough if the compiler is told to know nothing of
// one procedure while it compiles another.

#if defined(__GNUC__)
#define APART __attribute__((noipa))
#else
#define APART
#endif

typedef int  Number;        // one to fifty, mostly
typedef int  Flag;
typedef char Letter;
typedef char Text[31];      // thirty letters and a zero

enum Choice { kFirst, kSecond, kThird, kFourth, kFifth };

struct Record
{
    Record* next;
    Choice  variant;        // of three; only the first is ever used
    Choice  choice;
    Number  number;
    Text    text;
};

enum { kSmall = 50 };

typedef Number Row[kSmall];
typedef Number Table[kSmall][kSmall];

// Before the call

int gRuns;

// Each text has room for its zero. The third letter of the first text and
// the fourth of the second must differ, or a search for two that do would
// never end.

#define SOME_TEXT   "DHRYSTONE PROGRAM, SOME STRING"
#define FIRST_TEXT  "DHRYSTONE PROGRAM, 1'ST STRING"
#define SECOND_TEXT "DHRYSTONE PROGRAM, 2'ND STRING"
#define THIRD_TEXT  "DHRYSTONE PROGRAM, 3'RD STRING"

Text   gSomeText   = SOME_TEXT;     // always of all thirty letters
Text   gFirstText  = FIRST_TEXT;
Text   gSecondText = SECOND_TEXT;
Choice gVariant    = kFirst;
Choice gChoice     = kThird;

// What the work is done on

Record  gRecords[2];        // the older one second
Record* gRecord;
Record* gOlderRecord;
Number  gNumber;
Flag    gFlag;
Letter  gLetter1;
Letter  gLetter2;
Row     gRow;
Table   gTable;

// The variables of the main procedure, as they are at its end

struct Locals
{
    Number one;
    Number two;
    Number three;
    Choice choice;
    Text   text1;
    Text   text2;
};

Locals gLocals;

// Much of the work is written over by what comes after it. With RECORD_CALLS
// defined each procedure also notes what it found or made, in the order of
// the work, so that none of it can be left out unseen. Never for timing.

#ifdef RECORD_CALLS

enum Procedure
{
    kRun, kCompareTexts, kIsThird, kPickChoice, kAddWithTwo, kFillTables,
    kMatchLetters, kIsTextGreater, kFollowRecord, kChangeRecords,
    kReduceNumber, kSetSecondLetter, kSetFirstLetter
};

struct Call
{
    int procedure;          // a Procedure
    int first, second, third;
};

enum { kMostCalls = 1200 };

Call gCalls[kMostCalls];
int  gCallCount;

static void Note(int procedure, int first, int second, int third)
{
    if (gCallCount < kMostCalls)
    {
        Call* call = &gCalls[gCallCount];

        call->procedure = procedure;
        call->first = first;
        call->second = second;
        call->third = third;
    }
    gCallCount++;
}

#define NOTE(procedure, first, second, third)  \
    Note((procedure), (first), (second), (third))
#define FORGET_NOTES()  (gCallCount = 0)

#else

#define NOTE(procedure, first, second, third)
#define FORGET_NOTES()

#endif

// ---------------------------------------------------------------------------
// What would come from the C library

APART static void CopyText(char* to, const char* from)
{
    while ((*to++ = *from++) != 0)
        ;
}

APART static int CompareTexts(const char* a, const char* b)
{
    while (*a != 0 && *a == *b)
    {
        a++;
        b++;
    }
    NOTE(kCompareTexts, *a, *b, 0);
    return (unsigned char) *a - (unsigned char) *b;
}

// Compilers that knew strcpy copied a text of known length as a block, which
// the rules allow. Only timed, to see how much that is worth: the texts are
// then the benchmark's own, whatever is in the globals.

#ifdef TEXTS_AS_BLOCKS
#define CopyConstant(to, text, own)  __builtin_memcpy((to), (own), sizeof (own))
#else
#define CopyConstant(to, text, own)  CopyText((to), (text))
#endif

// ---------------------------------------------------------------------------
// What the benchmark keeps in its second file

APART static Flag IsThird(Choice given)
{
    Choice choice = given;

    NOTE(kIsThird, given, choice == kThird, 0);
    return choice == kThird;
}

APART static void PickChoice(Choice given, Choice* picked)
{
    *picked = given;
    if (!IsThird(given))
        *picked = kFourth;
    NOTE(kPickChoice, given, gNumber, *picked);

    switch (given)
    {
        case kFirst:
            *picked = kFirst;
            break;
        case kSecond:
            *picked = gNumber > 100 ? kFirst : kFourth;
            break;
        case kThird:
            *picked = kSecond;
            break;
        case kFourth:
            break;
        case kFifth:
            *picked = kThird;
            break;
    }
}

APART static void AddWithTwo(Number a, Number b, Number* sum)
{
    Number more = a + 2;

    NOTE(kAddWithTwo, a, b, *sum);
    *sum = b + more;
}

APART static void FillTables(Row row, Table table, Number a, Number b)
{
    Number at = a + 5;

    NOTE(kFillTables, a, b, gNumber);
    row[at] = b;
    row[at + 1] = row[at];
    row[at + 30] = at;
    for (Number i = at; i <= at + 1; ++i)
        table[at][i] = at;
    table[at][at - 1] += 1;
    table[at + 20][at] = row[at];
    gNumber = 5;
}

APART static Choice MatchLetters(Letter a, Letter b)
{
    Letter first = a;
    Letter copy = first;

    NOTE(kMatchLetters, a, b, copy != b);
    if (copy != b)
        return kFirst;
    gLetter1 = first;
    return kSecond;
}

APART static Flag IsTextGreater(const char* a, const char* b)
{
    Number at = 2;
    Letter letter = 0;

    while (at <= 2)
        if (MatchLetters(a[at], b[at + 1]) == kFirst)
        {
            letter = 'A';
            at += 1;
        }

    if (letter >= 'W' && letter < 'Z')
        at = 7;
    if (letter == 'R')
        return 1;
    if (CompareTexts(a, b) > 0)
    {
        at += 7;
        gNumber = at;
        NOTE(kIsTextGreater, at, letter, 1);
        return 1;
    }
    NOTE(kIsTextGreater, at, letter, 0);
    return 0;
}

// ---------------------------------------------------------------------------
// What it keeps in its first file

APART static void FollowRecord(Record** record)
{
    NOTE(kFollowRecord, *record - gRecords, gRecord->number, gNumber);
    if (gRecord != 0)
        *record = gRecord->next;
    AddWithTwo(10, gNumber, &gRecord->number);
}

APART static void ChangeRecords(Record* record)
{
    Record* next = record->next;

    *record->next = *gRecord;
    record->number = 5;
    next->number = record->number;
    next->next = record->next;
    NOTE(kChangeRecords, record->number, next->number, next->variant);
    FollowRecord(&next->next);

    if (next->variant == kFirst)
    {
        next->number = 6;
        PickChoice(record->choice, &next->choice);
        next->next = gRecord->next;
        AddWithTwo(next->number, 10, &next->number);
    }
    else
        *record = *record->next;
}

APART static void ReduceNumber(Number* number)
{
    Number left = *number + 10;
    Choice choice = kSecond;

    NOTE(kReduceNumber, *number, gNumber, gLetter1);
    do
        if (gLetter1 == 'A')
        {
            left -= 1;
            *number = left - gNumber;
            choice = kFirst;
        }
    while (choice != kFirst);
}

APART static void SetSecondLetter()
{
    Flag isA = gLetter1 == 'A';

    gFlag = isA | gFlag;
    gLetter2 = 'B';
    NOTE(kSetSecondLetter, isA, gFlag, gLetter2);
}

APART static void SetFirstLetter()
{
    gLetter1 = 'A';
    gFlag = 0;
    NOTE(kSetFirstLetter, gLetter1, gFlag, 0);
}

// ---------------------------------------------------------------------------
// The main procedure. The texts are the benchmark's own, if no others have
// been put in their place: how far two of them agree is part of the work.

void RunDhrystone()
{
    Number one = 0, two = 0, three = 0;
    Choice choice = kFirst;
    Text   text1, text2;

    gOlderRecord = &gRecords[1];
    gRecord = &gRecords[0];
    gRecord->next = gOlderRecord;
    gRecord->variant = gVariant;
    gRecord->choice = gChoice;
    gRecord->number = 40;
    CopyConstant(gRecord->text, gSomeText, SOME_TEXT);
    CopyConstant(text1, gFirstText, FIRST_TEXT);
    CopyConstant(text2, "", "");
    gTable[8][7] = 10;
    gNumber = 0;
    gFlag = 0;
    gLetter1 = gLetter2 = 0;
    FORGET_NOTES();

    for (int run = 1; run <= gRuns; ++run)
    {
        SetFirstLetter();
        SetSecondLetter();
        one = 2;
        two = 3;
        CopyConstant(text2, gSecondText, SECOND_TEXT);
        choice = kSecond;
        gFlag = !IsTextGreater(text1, text2);

        while (one < two)
        {
            three = 5 * one - two;
            AddWithTwo(one, two, &three);
            one += 1;
        }

        FillTables(gRow, gTable, one, three);
        ChangeRecords(gRecord);

        for (Letter letter = 'A'; letter <= gLetter2; ++letter)
            if (choice == MatchLetters(letter, 'C'))
            {
                PickChoice(kFirst, &choice);
                CopyConstant(text2, THIRD_TEXT, THIRD_TEXT);
                two = run;
                gNumber = run;
            }

        two = two * one;
        one = two / three;
        two = 7 * (two - three) - one;
        ReduceNumber(&one);
        NOTE(kRun, one, two, choice);
    }

    gLocals.one = one;
    gLocals.two = two;
    gLocals.three = three;
    gLocals.choice = choice;
    CopyText(gLocals.text1, text1);
    CopyText(gLocals.text2, text2);
}
