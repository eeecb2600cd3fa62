#ifndef POSTER_WEBP_H
#define POSTER_WEBP_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_jpeg.h"
#include "poster_watch.h"

#pragma clang assume_nonnull begin

enum poster_webp_status {
    POSTER_WEBP_OK POSTER_SWIFT_NAME(ok) = 0,
    /// The watch ended the work.
    POSTER_WEBP_STOPPED POSTER_SWIFT_NAME(stopped),
    POSTER_WEBP_OUT_OF_MEMORY POSTER_SWIFT_NAME(outOfMemory),
    /// libwebp gave up on the picture: a partition or the file would have become too large.
    POSTER_WEBP_FAILED POSTER_SWIFT_NAME(failed),
    /// A size, quality or method out of range.
    POSTER_WEBP_MISUSE POSTER_SWIFT_NAME(misuse),
} __attribute__((enum_extensibility(closed)));

/// A picture in limited-range Y'CbCr (BT.601), 4:2:0. Chroma planes have (width + 1) / 2 × (height + 1) / 2 samples.
///
/// With alpha, samples of blocks that are transparent are changed, so that they take fewer bytes.
typedef struct {
    /// In pixels, 1...16383.
    uint32_t width, height;
    uint8_t *luma, *blue, *red;
    /// As large as luma, 255 is opaque; NULL for a picture without transparency.
    uint8_t *_Nullable alpha;
    size_t luma_stride, chroma_stride, alpha_stride;
    /// 0...100.
    float quality;
    /// 0 (fast) ... 6 (small).
    uint32_t method;
} poster_webp_picture;

/// Encodes a whole picture, lossy, and gives the file to the caller, who has to free it.
enum poster_webp_status poster_webp_encode(const poster_webp_picture *picture, const poster_watch *watch,
                                           poster_bytes *bytes);

/// The encoder's version as libwebp gives it: 0xMMmmrr.
int32_t poster_webp_encoder_version(void);

#pragma clang assume_nonnull end

#endif
