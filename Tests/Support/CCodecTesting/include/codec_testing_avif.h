#ifndef CODEC_TESTING_AVIF_H
#define CODEC_TESTING_AVIF_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Properties of an AVIF file.
typedef struct {
    uint32_t width, height, depth;
    /// Pixels per chroma sample in both directions: 1 or 2; 0 for a gray picture.
    uint32_t chroma_side;
    int32_t has_alpha, is_premultiplied, is_full_range;
    /// ITU-T H.273.
    uint32_t primaries, transfer, matrix;
    /// Bytes of ICC, EXIF and XMP metadata.
    size_t metadata_count;
} codec_testing_avif_header;

/// Decodes the first picture with libavif; its depth must be 8 bits. `planes` receives luma, both chroma planes unless
/// the picture is gray, and alpha if there is any, without padding.
///
/// Returns zero if libavif rejects the file, if its format is unsupported, or if the planes exceed `capacity` bytes.
int32_t codec_testing_avif(const uint8_t *bytes, size_t count, codec_testing_avif_header *header, uint8_t *planes,
                           size_t capacity);

#pragma clang assume_nonnull end

#endif
