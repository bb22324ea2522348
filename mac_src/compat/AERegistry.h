/* AERegistry.h: the words of the Apple Event Registry. See Types.h for what these headers are. */

#ifndef COMPAT_AEREGISTRY_H
#define COMPAT_AEREGISTRY_H

#include <Types.h>
#include <AppleEvents.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum                            /* suites and events */
{
    kAERequiredSuite = 'reqd', kAECoreSuite = 'core', kAETextSuite = 'TEXT',
    kAETableSuite = 'tbls', kAEMiscStandards = 'misc', kAEQuickdrawSuite = 'qdrw',
    kAEFinderEvents = 'FNDR', kAEAliasSelection = 'sali',
    kAEActivate = 'actv', kAEClone = 'clon', kAEClose = 'clos', kAECopy = 'copy',
    kAECountElements = 'cnte', kAECreateElement = 'crel', kAECut = 'cut ', kAEDelete = 'delo',
    kAEDoObjectsExist = 'doex', kAEDoScript = 'dosc', kAEEditGraphic = 'edit',
    kAEGetClassInfo = 'qobj', kAEGetData = 'getd', kAEGetDataSize = 'dsiz',
    kAEGetEventInfo = 'gtei', kAEGetSuiteInfo = 'gtsi', kAEIsUniform = 'isun',
    kAEMakeObjectsVisible = 'mvis', kAEMove = 'move', kAEPaste = 'past', kAEPrint = 'pdoc',
    kAERedo = 'redo', kAERevert = 'rvrt', kAESave = 'save', kAESelect = 'slct',
    kAESetData = 'setd', kAEUndo = 'undo', kAEBeginTransaction = 'begi',
    kAEEndTransaction = 'endt', kAETerminateTransaction = 'ttrm', kAEOpenSelection = 'sope',
    kAECreatePublisher = 'cpub', kAETransactionTerminated = 'ttrm', kAEImageGraphic = 'imgr'
};

enum                            /* classes */
{
    cAEList = 'list', cApplication = 'capp', cArc = 'carc', cBoolean = 'bool', cCell = 'ccel',
    cChar = 'cha ', cColorTable = 'clrt', cColumn = 'ccol', cDocument = 'docu',
    cDrawingArea = 'cdrw', cEnumeration = 'enum', cFile = 'file', cFixed = 'fixd',
    cGraphicObject = 'cgob', cGraphicText = 'cgtx', cGroupedGraphic = 'cpic', cIntlText = 'itxt',
    cInsertionLoc = 'insl', cItem = 'citm', cLine = 'clin', cLongInteger = 'long',
    cMenu = 'cmnu', cMenuItem = 'cmen', cObject = 'cobj', cObjectSpecifier = 'obj ',
    cOpenableObject = 'coob', cOval = 'covl', cParagraph = 'cpar', cPICT = 'PICT',
    cPixel = 'cpxl', cPolygon = 'cpgn', cProperty = 'prop', cQDPoint = 'QDpt',
    cQDRectangle = 'qdrt', cRectangle = 'crec', cRGBColor = 'cRGB', cRow = 'crow',
    cSelection = 'csel', cShortInteger = 'shor', cTable = 'ctbl', cText = 'ctxt',
    cType = 'type', cVersion = 'vers', cWindow = 'cwin', cWord = 'cwor'
};

enum                            /* properties */
{
    pArrowStyle = 'arro', pBackgroundColor = 'pbcl', pBackgroundPattern = 'pbpt',
    pBestType = 'pbst', pBounds = 'pbnd', pClass = 'pcls', pClipboard = 'pcli', pColor = 'colr',
    pColorTable = 'cltb', pContents = 'pcnt', pDefaultType = 'deft', pFillColor = 'flcl',
    pFillPattern = 'flpt', pFont = 'font', pFormula = 'pfor', pGraphicObjects = 'gobs',
    pHasCloseBox = 'hclb', pHasTitleBar = 'ptit', pID = 'ID  ', pIndex = 'pidx',
    pInsertionLoc = 'pins', pIsFloating = 'isfl', pIsFrontProcess = 'pisf', pIsModal = 'pmod',
    pIsModified = 'imod', pIsResizable = 'prsz', pIsStationeryPad = 'pspd',
    pIsZoomable = 'iszm', pIsZoomed = 'pzum', pItemNumber = 'itmn', pJustification = 'pjst',
    pMenuID = 'mnid', pName = 'pnam', pObjectType = 'pobj', pPenColor = 'ppcl',
    pPenPattern = 'pppa', pPenWidth = 'ppwd', pPointList = 'ptlt', pScheme = 'pusc',
    pScriptCode = 'pscd', pScriptTag = 'psct', pSelected = 'selc', pSelection = 'sele',
    pTextColor = 'ptxc', pTextEncoding = 'ptxe', pTextFont = 'ptxf', pTextPointSize = 'ptps',
    pTextStyles = 'txst', pTransferMode = 'pptm', pUniformStyles = 'ustl', pUserSelection = 'pusl',
    pVersion = 'vers', pVisible = 'pvis'
};

enum                            /* types, parameters, enumerators */
{
    typeAEText = 'tTXT', typeColorTable = 'clrt', typeDrawingArea = 'cdrw',
    typeFixedPoint = 'fpnt', typeFixedRectangle = 'frct', typeObjectBeingExamined = 'exmn',
    typeIntlWritingCode = 'intl', typeQDPoint = 'QDpt', typeRGBColor = 'cRGB',
    typeRGB16 = 'tr16', typePict = 'PICT', typePixelMap = 'tpix', typeRotation = 'trot',
    typeScrapStyles = 'styl', typeStyledText = 'STXT', typeText = 'TEXT',
    typeTextStyles = 'tsty', typeVersion = 'vers', typeEventInfo = 'evin',
    keyAEAngle = 'kang', keyAEData = 'data', keyAEDestination = 'dest', keyAEFile = 'kfil',
    keyAEInsertHere = 'insh', keyAEKeyForms = 'keyf', keyAEObject = 'kobj',
    keyAEObjectClass = 'kocl', keyAEOffset = 'ofst', keyAEPropData = 'prdt',
    keyAEPropertyName = 'prnm', keyAERequestedType = 'rtyp', keyAESaveOptions = 'savo',
    keyAEText = 'ktxt', keyAETo = 'to  ', keyAEFrom = 'from', keyAETheData = 'kdat',
    kAEAsk = 'ask ', kAEYes = 'yes ', kAENo = 'no  ', kAEAll = 'all ', kAEBold = 'bold',
    kAEItalic = 'ital', kAEPlain = 'plan', kAEOutline = 'outl', kAEShadow = 'shad',
    kAEUnderline = 'undl', kAECentered = 'cent', kAEEnd = 'end ', kAELeft = 'left',
    kAERight = 'rght', kAEFirst = 'firs', kAELast = 'last'
};

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
