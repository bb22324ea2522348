/* Menus.h: menus. See Types.h for what these headers are. */

#ifndef COMPAT_MENUS_H
#define COMPAT_MENUS_H

#ifdef __cplusplus
extern "C" {
#endif

void  InitMenus(void);
short GetMBarHeight(void);

#ifdef __cplusplus
}
#endif

#include "Types.h"
#include "records/Menus.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef MenuInfo *MenuPtr, **MenuHandle;

MenuHandle NewMenu(short id, ConstStr255Param title);
MenuHandle GetMenu(short id);
void DisposeMenu(MenuHandle menu);
void AppendMenu(MenuHandle menu, ConstStr255Param items);
void InsertMenu(MenuHandle menu, short before);
void DeleteMenu(short id);
void DrawMenuBar(void);
Handle GetNewMBar(short id);
void SetMenuBar(Handle bar);
long MenuSelect(Point where);
long MenuKey(short character);
void HiliteMenu(short id);
MenuHandle GetMenuHandle(short id);
void EnableItem(MenuHandle menu, short item);
void DisableItem(MenuHandle menu, short item);
void CheckItem(MenuHandle menu, short item, Boolean checked);
short CountMItems(MenuHandle menu);
void GetMenuItemText(MenuHandle menu, short item, unsigned char* text);

#define HiWord(x)   ((short) ((unsigned long) (x) >> 16))
#define LoWord(x)   ((short) (x))

/* their names before 1994 */

#define GetMHandle         GetMenuHandle
#define GetItem            GetMenuItemText

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Menus.h"
#include "routines/Menus.h"

#endif
