/* Routines of ImageCompression.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <ImageCompression.h>

#ifndef ABSENT_IMAGECOMPRESSION_H
#define ABSENT_IMAGECOMPRESSION_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CodecManagerVersion(long *version);
OSErr GetCodecInfo(void *info, CodecType type, CodecComponent codec);
OSErr FindCodec(CodecType type, CodecComponent kind, CompressorComponent *compressor, DecompressorComponent *decompressor);
OSErr GetMaxCompressionSize(PixMapHandle source, const Rect *rect, short depth, CodecQ quality, CodecType type, CompressorComponent codec, long *size);
OSErr CompressImage(PixMapHandle source, const Rect *rect, CodecQ quality, CodecType type, ImageDescriptionHandle description, Ptr data);
OSErr DecompressImage(Ptr data, ImageDescriptionHandle description, PixMapHandle to, const Rect *from, const Rect *rect, short mode, RgnHandle mask);
OSErr CompressPicture(PicHandle from, PicHandle to, CodecQ quality, CodecType type);
OSErr DrawTrimmedPicture(PicHandle picture, const Rect *rect, RgnHandle trim, short dither, ProcPtr progress);
OSErr DrawPictureFile(short refNum, const Rect *rect, ProcPtr progress);
OSErr GetPictureFileHeader(short refNum, Rect *frame, void *header);
OSErr CompressSequenceBegin(ImageSequence *sequence, PixMapHandle source, PixMapHandle previous, const Rect *rect, const Rect *previousRect, short depth, CodecType type, CompressorComponent codec, CodecQ spatial, CodecQ temporal, long keyRate, CTabHandle colors, short flags, ImageDescriptionHandle description);
OSErr CompressSequenceFrame(ImageSequence sequence, PixMapHandle source, const Rect *rect, short flags, Ptr data, long *size, unsigned char *similarity, ProcPtr done);
OSErr DecompressSequenceBegin(ImageSequence *sequence, ImageDescriptionHandle description, CGrafPtr port, GDHandle device, const Rect *from, void *matrix, short mode, RgnHandle mask, short flags, CodecQ accuracy, DecompressorComponent codec);
OSErr DecompressSequenceFrame(ImageSequence sequence, Ptr data, short flags, short *outFlags, ProcPtr done);
OSErr CDSequenceEnd(ImageSequence sequence);
OSErr GetImageDescriptionCTable(ImageDescriptionHandle description, CTabHandle *colors);
OSErr MakeThumbnailFromPicture(PicHandle picture, short depth, PicHandle thumbnail, ProcPtr progress);

#ifdef __cplusplus
}
#endif

#endif
