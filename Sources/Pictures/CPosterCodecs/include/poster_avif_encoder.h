#ifndef POSTER_AVIF_ENCODER_H
#define POSTER_AVIF_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A picture in full-range Y'CbCr (BT.601, sRGB), 4:2:0. Chroma planes have (width + 1) / 2 × (height + 1) / 2 samples.
typedef struct {
    /// In pixels, 1...16384.
    uint32_t width, height;
    const uint8_t *luma;
    /// Both NULL for a gray picture, which the file stores without chroma.
    const uint8_t *_Nullable blue, *_Nullable red;
    /// As large as luma; 255 is opaque. Colours are not premultiplied. NULL for a picture without transparency.
    const uint8_t *_Nullable alpha;
    size_t luma_stride, chroma_stride, alpha_stride;
    /// aom's quantisers, 0 (best) ... 63.
    uint32_t quantizer, alpha_quantizer;
    /// libavif's speed, 0 (small) ... 10 (fast).
    uint32_t speed;
} poster_avif_picture;

/// Encodes a whole picture with aom on the calling thread, and passes the file to the caller, who has to free it. A
/// call cannot be interrupted. POSTER_CORRUPT means that aom rejected the picture.
enum poster_status poster_avif_encode(const poster_avif_picture *picture, poster_bytes *bytes);

/// libavif's version, such as "0.11.1".
const char *poster_avif_version(void);

/// Writes aom's version, such as "3.6.0", as a zero-terminated text; "none" without aom, when every encoding fails.
void poster_avif_aom_version(char *text, size_t capacity);

#pragma clang assume_nonnull end

#endif
