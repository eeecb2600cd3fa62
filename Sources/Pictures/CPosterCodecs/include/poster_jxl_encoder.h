#ifndef POSTER_JXL_ENCODER_H
#define POSTER_JXL_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A picture in sRGB, 8 bits a sample, row by row from the top without padding.
typedef struct {
    /// In pixels, 1...16384.
    uint32_t width, height;
    /// Samples of a pixel: 1 gray, 3 RGB, 4 RGBA with colours not multiplied by alpha.
    uint32_t channels;
    const uint8_t *pixels;
    /// The rows of one frame, 1...`height`. A picture of several frames is a stack of layers, one below the other, and
    /// only one of them is in the encoder's memory.
    uint32_t rows_per_frame;
    /// Butteraugli's distance from the original, 0.01...15.
    float distance;
    /// libjxl's effort, 1 (fast) ... 9 (small).
    uint32_t effort;
} poster_jxl_picture;

/// Encodes a picture on the calling thread, and passes the file to the caller, who has to free it. The watch is polled
/// between frames. POSTER_CORRUPT means that libjxl rejected the picture.
enum poster_status poster_jxl_encode(const poster_jxl_picture *picture, const poster_watch *watch,
                                          poster_bytes *bytes);

/// libjxl's version: MAJOR * 1000000 + MINOR * 1000 + PATCH.
uint32_t poster_jxl_encoder_version(void);

/// Whether this CPU fuses multiplications with additions. libjxl rounds differently then, so files differ.
int32_t poster_jxl_encoder_is_fused(void);

#pragma clang assume_nonnull end

#endif
