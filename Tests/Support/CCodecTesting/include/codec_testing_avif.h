#ifndef CODEC_TESTING_AVIF_H
#define CODEC_TESTING_AVIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What an AVIF says of itself.
typedef struct {
    uint32_t width, height, depth;
    /// 0 for a gray picture; 2 for chroma of half the size both ways, 1 for chroma of full size.
    uint32_t chroma_side;
    int32_t has_alpha, is_premultiplied, is_full_range;
    /// ITU-T H.273.
    uint32_t primaries, transfer, matrix;
    /// Bytes of ICC, EXIF and XMP.
    size_t metadata_count;
} codec_testing_avif_header;

/// Decodes the first picture of 8 bits with libavif. `planes` receives luma, both planes of chroma unless the picture is
/// gray, and alpha if there is any, without padding.
///
/// Returns zero when libavif refuses the file, or when the planes take more than `capacity` bytes.
int32_t codec_testing_avif(const uint8_t *bytes, size_t count, codec_testing_avif_header *header, uint8_t *planes,
                           size_t capacity);

#pragma clang assume_nonnull end

#endif
