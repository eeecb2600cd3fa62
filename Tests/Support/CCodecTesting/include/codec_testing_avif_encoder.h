#ifndef CODEC_TESTING_AVIF_ENCODER_H
#define CODEC_TESTING_AVIF_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The format of an AVIF to encode.
typedef struct {
    uint32_t width, height;
    /// 8, 10 or 12.
    uint32_t depth;
    /// Pixels per chroma sample, across and down; 0 for a gray picture.
    uint32_t chroma_across, chroma_down;
    int32_t is_full_range, has_alpha, is_premultiplied;
    /// ITU-T H.273.
    uint32_t primaries, transfer, matrix;
    /// Cells of a grid; 1 × 1 without a grid.
    uint32_t columns, rows;
    uint32_t frame_count;
    /// Binary logarithms of the number of tiles across and down.
    int32_t tile_columns_log2, tile_rows_log2;
    const uint8_t *_Nullable profile;
    size_t profile_count;
} codec_testing_avif_format;

/// Encodes 8-bit RGBA with libavif, at its highest speed and nearly without loss. Cells of a grid are parts of the
/// picture.
///
/// Returns the number of bytes; 0 if libavif fails or the file exceeds `capacity`.
size_t codec_testing_avif_encode(const codec_testing_avif_format *format, const uint8_t *rgba, uint8_t *output,
                                 size_t capacity);

/// Decodes the first picture of a complete file with libavif to 8-bit RGBA that is not premultiplied. Orientation and
/// clean aperture are not applied.
///
/// Returns zero if libavif rejects the file or the picture exceeds `capacity` bytes.
int32_t codec_testing_avif_decode(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height, uint8_t *rgba,
                                  size_t capacity);

#pragma clang assume_nonnull end

#endif
