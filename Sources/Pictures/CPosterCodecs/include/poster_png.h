#ifndef POSTER_PNG_H
#define POSTER_PNG_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// How a file is to be read.
typedef struct {
    /// The largest picture that is read, in pixels.
    uint32_t max_width, max_height;
    /// The exponent with which the samples were coded, times 100,000 as in a gAMA chunk; they are delivered for a
    /// display of 2.2. 0 leaves them as they are.
    int32_t gamma;
} poster_png_options;

/// What the rows will be: 8 bits a sample, `channels` samples a pixel, without padding.
typedef struct {
    /// In pixels.
    uint32_t width, height;
    /// 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha; alpha is last, and the others are not multiplied by it.
    uint32_t channels;
    /// How often all rows must be read, each time into the same memory: 7 for an interlaced picture, else 1.
    uint32_t passes;
} poster_png_frame;

/// A decoder and the error state that belongs to it. Not thread-safe.
typedef struct poster_png_reader poster_png_reader;

/// Returns NULL only when memory is exhausted.
poster_png_reader *_Nullable poster_png_reader_create(void);
void poster_png_reader_destroy(poster_png_reader *_Nullable reader);

/// Reads up to the picture's data. `bytes` is borrowed until destroy. Of the chunks beside the picture only tRNS counts.
/// Checksums of chunks that a picture cannot do without are not checked: whoever calls has, or relies on zlib's.
enum poster_status poster_png_reader_open(poster_png_reader *reader, const uint8_t *bytes, size_t count,
                                              const poster_png_options *options, const poster_watch *watch,
                                              poster_png_frame *frame);

/// Decodes the next row of the running pass: `width * channels` bytes. An interlaced picture's pass changes only its
/// own pixels.
enum poster_status poster_png_reader_read_row(poster_png_reader *reader, uint8_t *row);

/// Reads to the end of the file and checks what can only be known there: zlib's checksum.
enum poster_status poster_png_reader_finish(poster_png_reader *reader);

/// The library's own words for the last failure. Valid until destroy.
const char *poster_png_reader_message(const poster_png_reader *reader);

/// A picture to encode: 8 bits a sample, row by row.
typedef struct {
    /// In pixels, at least 1.
    uint32_t width, height;
    /// 1 gray, 3 RGB, 4 RGB and alpha; alpha is last, and the others are not multiplied by it.
    uint32_t channels;
    const uint8_t *pixels;
    /// Bytes from one row to the next.
    size_t stride;
    /// zlib's level, 1...9.
    uint32_t level;
    /// Whether the alpha of each pixel, being 255, is left out.
    uint32_t drops_alpha;
} poster_png_picture;

/// An encoder with its output. Not thread-safe.
typedef struct poster_png_writer poster_png_writer;

/// Returns NULL only when memory is exhausted.
poster_png_writer *_Nullable poster_png_writer_create(void);
void poster_png_writer_destroy(poster_png_writer *_Nullable writer);

/// Encodes a whole picture, asking `watch` every 16 rows, and gives the file to the caller, who has to free it. One call
/// per writer.
enum poster_status poster_png_writer_encode(poster_png_writer *writer, const poster_png_picture *picture,
                                                const poster_watch *watch, poster_bytes *bytes);
const char *poster_png_writer_message(const poster_png_writer *writer);

/// The library's version, such as "1.6.39".
const char *poster_png_version(void);

/// Undoes a PNG's filter in place (third edition, 9.2): the hot loop of its decoder. C, because three of the four
/// filters go from pixel to pixel, which is fast only with loads and stores that overlap.
///
/// `filter` is 0 none, 1 sub, 2 up, 3 average, 4 Paeth. `above` is the row before, already unfiltered, or zeros; it
/// does not overlap `row`. Both have `count` bytes, a multiple of `step`: the bytes from a sample to the same one of
/// the next pixel, 1, 2, 3, 4, 6 or 8. Nothing beyond them is touched.
///
/// Returns 0 when there is no such filter, and leaves the row alone.
int32_t poster_png_unfilter(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

/// The same bytes on any CPU; for tests, and where there is nothing better.
int32_t poster_png_unfilter_portable(uint32_t filter, uint8_t *row, const uint8_t *above, size_t count, size_t step);

/// The CRC-32 of a PNG chunk's type and data (ISO 3309).
uint32_t poster_crc32(const uint8_t *bytes, size_t count);

/// zlib's version, such as "1.2.13".
const char *poster_zlib_version(void);

#pragma clang assume_nonnull end

#endif
