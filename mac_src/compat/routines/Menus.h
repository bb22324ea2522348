/* Routines of Menus.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_MENUS_H
#define ROUTINES_MENUS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct MenuInfo;

void AddResMenu(struct MenuInfo** theMenu, ResType theType);
void AppendResMenu(struct MenuInfo** theMenu, ResType theType);
void CalcMenuSize(struct MenuInfo** theMenu);
void CheckMenuItem(struct MenuInfo** theMenu, short item, Boolean checked);
void ClearMenuBar(void);
short CountMenuItems(struct MenuInfo** theMenu);
void DelMCEntries(short menuID, short menuItem);
void DelMenuItem(struct MenuInfo** theMenu, short item);
void DeleteMCEntries(short menuID, short menuItem);
void DeleteMenuItem(struct MenuInfo** theMenu, short item);
void DisableMenuItem(struct MenuInfo** theMenu, short item);
void DispMCInfo(Handle menuCTbl);
void DisposeMCInfo(Handle menuCTbl);
void EnableMenuItem(struct MenuInfo** theMenu, short item);
void FlashMenuBar(short menuID);
void GetItemCmd(struct MenuInfo** theMenu, short item, short* cmdChar);
void GetItemIcon(struct MenuInfo** theMenu, short item, short* icon);
void GetItemMark(struct MenuInfo** theMenu, short item, short* markChar);
void GetItemStyle(struct MenuInfo** theMenu, short item, short* chStyle);
Ptr GetMCEntry(short menuID, short menuItem);
Handle GetMCInfo(void);
Handle GetMenuBar(void);
struct MenuInfo** GetRMenu(short resourceID);
void InitProcMenu(short resID);
void InsMenuItem(struct MenuInfo** theMenu, ConstStr255Param itemString, short afterItem);
void InsertMenuItem(struct MenuInfo** theMenu, ConstStr255Param itemString, short afterItem);
void InsertResMenu(struct MenuInfo** theMenu, ResType theType, short afterItem);
void InvalMenuBar(void);
long MenuChoice(void);
long PopUpMenuSelect(struct MenuInfo** menu, short top, short left, short popUpItem);
void SetItem(struct MenuInfo** theMenu, short item, ConstStr255Param itemString);
void SetItemCmd(struct MenuInfo** theMenu, short item, short cmdChar);
void SetItemIcon(struct MenuInfo** theMenu, short item, Byte icon);
void SetItemMark(struct MenuInfo** theMenu, short item, short markChar);
void SetItemStyle(struct MenuInfo** theMenu, short item, short chStyle);
void SetMCEntries(short numEntries, void* menuCEntries);
void SetMCInfo(Handle menuCTbl);
void SetMFlash(short count);
void SetMItem(struct MenuInfo** theMenu, short item, ConstStr255Param itemString);
void SetMenuFlash(short count);
void SetMenuItemText(struct MenuInfo** theMenu, short item, ConstStr255Param itemString);

#ifdef __cplusplus
}
#endif

#endif
