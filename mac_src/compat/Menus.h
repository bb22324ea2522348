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

#endif
