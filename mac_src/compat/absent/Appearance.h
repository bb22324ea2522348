/* Routines of Appearance.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Appearance.h>

#ifndef ABSENT_APPEARANCE_H
#define ABSENT_APPEARANCE_H

#ifdef __cplusplus
extern "C" {
#endif

OSStatus RegisterAppearanceClient(void);
OSStatus UnregisterAppearanceClient(void);
OSStatus SetThemePen(ThemeBrush brush, SInt16 depth, Boolean color);
OSStatus SetThemeBackground(ThemeBrush brush, SInt16 depth, Boolean color);
OSStatus SetThemeTextColor(ThemeTextColor color, SInt16 depth, Boolean isColor);
OSStatus SetThemeWindowBackground(WindowPtr window, ThemeBrush brush, Boolean update);
OSStatus DrawThemeWindowHeader(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemePlacard(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeEditTextFrame(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeListBoxFrame(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeFocusRect(const Rect *rect, Boolean hasFocus);
OSStatus DrawThemePrimaryGroup(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeSecondaryGroup(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeSeparator(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeModelessDialogFrame(const Rect *rect, ThemeDrawState state);
OSStatus DrawThemeGenericWell(const Rect *rect, ThemeDrawState state, Boolean fill);
OSStatus DrawThemeFocusRegion(RgnHandle region, Boolean hasFocus);
Boolean IsThemeInColor(SInt16 depth, Boolean isColor);
OSStatus GetThemeAccentColors(CTabHandle *colors);
OSStatus GetThemeFont(ThemeFontID font, ScriptCode script, StringPtr name, SInt16 *size, Style *style);
OSErr StandardAlert(AlertType type, ConstStr255Param error, ConstStr255Param explanation, const AlertStdAlertParamRec *parameters, SInt16 *item);
DialogPtr NewFeaturesDialog(void *storage, const Rect *bounds, ConstStr255Param title, Boolean visible, SInt16 procID, WindowPtr behind, Boolean goAway, SInt32 refCon, Handle items, UInt32 flags);
OSErr AutoSizeDialog(DialogPtr dialog);
OSErr GetDialogItemAsControl(DialogPtr dialog, SInt16 item, ControlHandle *control);
OSErr MoveDialogItem(DialogPtr dialog, SInt16 item, SInt16 h, SInt16 v);
OSErr SizeDialogItem(DialogPtr dialog, SInt16 item, SInt16 height, SInt16 width);
OSErr SetDialogTimeout(DialogPtr dialog, SInt16 button, UInt32 seconds);
OSErr CreateRootControl(WindowPtr window, ControlHandle *root);
OSErr GetRootControl(WindowPtr window, ControlHandle *root);
OSErr EmbedControl(ControlHandle control, ControlHandle container);
OSErr GetSuperControl(ControlHandle control, ControlHandle *parent);
OSErr CountSubControls(ControlHandle control, UInt16 *count);
OSErr GetIndexedSubControl(ControlHandle control, UInt16 index, ControlHandle *child);
OSErr ActivateControl(ControlHandle control);
OSErr DeactivateControl(ControlHandle control);
Boolean IsControlActive(ControlHandle control);
Boolean IsControlVisible(ControlHandle control);
OSErr SetControlVisibility(ControlHandle control, Boolean visible, Boolean draw);
OSErr SetControlData(ControlHandle control, SInt16 part, OSType tag, Size size, void *data);
OSErr GetControlData(ControlHandle control, SInt16 part, OSType tag, Size size, void *data, Size *actual);
OSErr GetControlDataSize(ControlHandle control, SInt16 part, OSType tag, Size *size);
OSErr SetKeyboardFocus(WindowPtr window, ControlHandle control, SInt16 part);
OSErr GetKeyboardFocus(WindowPtr window, ControlHandle *control);
OSErr AdvanceKeyboardFocus(WindowPtr window);
OSErr ReverseKeyboardFocus(WindowPtr window);
OSErr ClearKeyboardFocus(WindowPtr window);
SInt16 HandleControlKey(ControlHandle control, SInt16 key, SInt16 character, SInt16 modifiers);
SInt16 HandleControlClick(ControlHandle control, Point where, SInt16 modifiers, ProcPtr action);
ControlHandle FindControlUnderMouse(Point where, WindowPtr window, SInt16 *part);
void IdleControls(WindowPtr window);
OSErr DrawControlInCurrentPort(ControlHandle control);
OSErr SetControlFontStyle(ControlHandle control, const void *style);
SInt32 MenuEvent(const EventRecord *event);
OSErr SetMenuItemCommandID(MenuHandle menu, SInt16 item, UInt32 command);
OSErr GetMenuItemCommandID(MenuHandle menu, SInt16 item, UInt32 *command);
OSErr SetMenuItemModifiers(MenuHandle menu, SInt16 item, UInt8 modifiers);
OSErr SetMenuItemIconHandle(MenuHandle menu, SInt16 item, UInt8 type, Handle icon);
OSErr SetMenuItemKeyGlyph(MenuHandle menu, SInt16 item, SInt16 glyph);
OSErr SetMenuItemHierarchicalID(MenuHandle menu, SInt16 item, SInt16 child);
OSErr SetMenuItemFontID(MenuHandle menu, SInt16 item, SInt16 font);
OSErr SetMenuItemRefCon(MenuHandle menu, SInt16 item, UInt32 refCon);
OSStatus CollapseWindow(WindowPtr window, Boolean collapse);
OSStatus CollapseAllWindows(Boolean collapse);
Boolean IsWindowCollapsed(WindowPtr window);
Boolean IsWindowCollapsable(WindowPtr window);
OSStatus GetWindowFeatures(WindowPtr window, UInt32 *features);
OSStatus GetWindowRegion(WindowPtr window, UInt16 code, RgnHandle region);

#ifdef __cplusplus
}
#endif

#endif
