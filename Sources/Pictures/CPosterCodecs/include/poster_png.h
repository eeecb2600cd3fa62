#ifndef POSTER_PNG_H
#define POSTER_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A picture to encode: 8 bits per sample, row by row.
typedef struct {
    /// In pixels, at least 1.
    uint32_t width, height;
    /// 1 gray, 3 RGB, 4 RGB and alpha; alpha is last and not premultiplied.
    uint32_t channels;
    const uint8_t *pixels;
    /// Distance between rows, in bytes.
    size_t stride;
    /// zlib's level, 1...9.
    uint32_t level;
    /// Whether to omit the alpha of all pixels, which must be 255.
    uint32_t drops_alpha;
} poster_png_picture;

/// An encoder with its output. Not thread-safe.
typedef struct poster_png_writer poster_png_writer;

/// Returns NULL only if memory is exhausted.
poster_png_writer *_Nullable poster_png_writer_create(void);
void poster_png_writer_destroy(poster_png_writer *_Nullable writer);

/// Encodes a whole picture, polling `watch` every 16 rows, and passes the file to the caller, who has to free it. Call
/// it once per writer.
enum poster_status poster_png_writer_encode(poster_png_writer *writer, const poster_png_picture *picture,
                                                const poster_watch *watch, poster_bytes *bytes);
const char *poster_png_writer_message(const poster_png_writer *writer);

/// The library's version, such as "1.6.39".
const char *poster_png_version(void);

/// Reverses a PNG filter in place (third edition, 9.2): the hot loop of the decoder. In C, because three of the four
/// filters depend on the previous pixel, which is fast only with overlapping loads and stores.
///
/// `filter` is 0 none, 1 sub, 2 up, 3 average, 4 Paeth. `above` is the previous row, already unfiltered, or zeros; it
/// does not overlap `row`. Both have `count` bytes, a multiple of `step`: the distance between equal samples of
/// neighbouring pixels, 1, 2, 3, 4, 6 or 8 bytes. No other bytes are accessed.
///
/// Returns 0 for an unknown filter, and leaves the row unchanged.
int32_t poster_png_unfilter(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

/// Gives the same bytes on any CPU; for tests, and as a fallback.
int32_t poster_png_unfilter_portable(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

/// The CRC-32 of a PNG chunk's type and data (ISO 3309).
uint32_t poster_crc32(const uint8_t *bytes, size_t count);

/// zlib's version, such as "1.2.13".
const char *poster_zlib_version(void);

#pragma clang assume_nonnull end

#endif
