#ifndef POSTER_PLANES_H
#define POSTER_PLANES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The decoded planes: luma, then blue and red chroma. Samples of more than 8 bits take 16. They belong to the reader.
typedef struct {
    const uint8_t *_Nullable planes[3];
    /// In bytes.
    size_t strides[3];
    uint32_t is_full_range;
} poster_planes;

#pragma clang assume_nonnull end

#endif
