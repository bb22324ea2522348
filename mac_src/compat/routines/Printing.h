/* Routines of Printing.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Printing.h>

#ifndef ROUTINES_PRINTING_H
#define ROUTINES_PRINTING_H

#ifdef __cplusplus
extern "C" {
#endif

void PrClose(void);
void PrCloseDoc(TPPrPort pPrPort);
void PrClosePage(TPPrPort pPrPort);
void PrCtlCall(short iWhichCtl, long lParam1, long lParam2, long lParam3);
Boolean PrDlgMain(THPrint hPrint, ProcPtr pDlgInit);
void PrDrvrClose(void);
void PrDrvrOpen(void);
short PrDrvrVers(void);
short PrError(void);
void PrGeneral(void* pData);
Boolean PrJobDialog(THPrint hPrint);
Ptr PrJobInit(THPrint hPrint);
void PrJobMerge(THPrint hPrintSrc, THPrint hPrintDst);
void PrNoPurge(void);
void PrOpen(void);
TPPrPort PrOpenDoc(THPrint hPrint, TPPrPort pPrPort, void* pIOBuf);
void PrOpenPage(TPPrPort pPrPort, TPRect pPageFrame);
void PrPicFile(THPrint hPrint, TPPrPort pPrPort, void* pIOBuf, void* pDevBuf, TPrStatus* prStatus);
void PrPurge(void);
void PrSetError(short iErr);
Boolean PrStlDialog(THPrint hPrint);
Ptr PrStlInit(THPrint hPrint);
Boolean PrValidate(THPrint hPrint);
void PrintDefault(THPrint hPrint);

#ifdef __cplusplus
}
#endif

#endif
