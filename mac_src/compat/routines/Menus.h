/* Routines of Menus.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Menus.h>

#ifndef ROUTINES_MENUS_H
#define ROUTINES_MENUS_H

#ifdef __cplusplus
extern "C" {
#endif

void AddResMenu(MenuHandle theMenu, ResType theType);
void AppendMenu(MenuHandle theMenu, ConstStr255Param data);
void AppendResMenu(MenuHandle theMenu, ResType theType);
void CalcMenuSize(MenuHandle theMenu);
void CheckItem(MenuHandle theMenu, short item, Boolean checked);
void CheckMenuItem(MenuHandle theMenu, short item, Boolean checked);
void ClearMenuBar(void);
short CountMItems(MenuHandle theMenu);
short CountMenuItems(MenuHandle theMenu);
void DelMCEntries(short menuID, short menuItem);
void DelMenuItem(MenuHandle theMenu, short item);
void DeleteMCEntries(short menuID, short menuItem);
void DeleteMenu(short menuID);
void DeleteMenuItem(MenuHandle theMenu, short item);
void DisableItem(MenuHandle theMenu, short item);
void DisableMenuItem(MenuHandle theMenu, short item);
void DispMCInfo(MCTableHandle menuCTbl);
void DisposeMCInfo(MCTableHandle menuCTbl);
void DisposeMenu(MenuHandle theMenu);
void DrawMenuBar(void);
void EnableItem(MenuHandle theMenu, short item);
void EnableMenuItem(MenuHandle theMenu, short item);
void FlashMenuBar(short menuID);
void GetItem(MenuHandle theMenu, short item, unsigned char* itemString);
void GetItemCmd(MenuHandle theMenu, short item, short* cmdChar);
void GetItemIcon(MenuHandle theMenu, short item, short* icon);
void GetItemMark(MenuHandle theMenu, short item, short* markChar);
void GetItemStyle(MenuHandle theMenu, short item, short* chStyle);
MCEntryPtr GetMCEntry(short menuID, short menuItem);
MCTableHandle GetMCInfo(void);
MenuHandle GetMHandle(short menuID);
MenuHandle GetMenu(short resourceID);
Handle GetMenuBar(void);
MenuHandle GetMenuHandle(short menuID);
void GetMenuItemText(MenuHandle theMenu, short item, unsigned char* itemString);
Handle GetNewMBar(short menuBarID);
MenuHandle GetRMenu(short resourceID);
void HiliteMenu(short menuID);
void InitMenus(void);
void InitProcMenu(short resID);
void InsMenuItem(MenuHandle theMenu, ConstStr255Param itemString, short afterItem);
void InsertFontResMenu(MenuHandle theMenu, short afterItem, short scriptFilter);
void InsertIntlResMenu(MenuHandle theMenu, ResType theType, short afterItem, short scriptFilter);
void InsertMenu(MenuHandle theMenu, short beforeID);
void InsertMenuItem(MenuHandle theMenu, ConstStr255Param itemString, short afterItem);
void InsertResMenu(MenuHandle theMenu, ResType theType, short afterItem);
void InvalMenuBar(void);
long MenuChoice(void);
long MenuKey(short ch);
long MenuSelect(Point startPt);
MenuHandle NewMenu(short menuID, ConstStr255Param menuTitle);
long PopUpMenuSelect(MenuHandle menu, short top, short left, short popUpItem);
void SetItem(MenuHandle theMenu, short item, ConstStr255Param itemString);
void SetItemCmd(MenuHandle theMenu, short item, short cmdChar);
void SetItemIcon(MenuHandle theMenu, short item, Byte icon);
void SetItemMark(MenuHandle theMenu, short item, short markChar);
void SetItemStyle(MenuHandle theMenu, short item, short chStyle);
void SetMCEntries(short numEntries, MCEntryPtr menuCEntries);
void SetMCInfo(MCTableHandle menuCTbl);
void SetMFlash(short count);
void SetMItem(MenuHandle theMenu, short item, ConstStr255Param itemString);
void SetMenuBar(Handle menuList);
void SetMenuFlash(short count);
void SetMenuItemText(MenuHandle theMenu, short item, ConstStr255Param itemString);

#ifdef __cplusplus
}
#endif

#endif
