#ifndef POSTER_WEBP_H
#define POSTER_WEBP_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A picture in limited-range Y'CbCr (BT.601), 4:2:0. Chroma planes have (width + 1) / 2 × (height + 1) / 2 samples.
///
/// With alpha, samples of transparent blocks are modified so that they take fewer bytes.
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
    /// Of the decoder's loop filter: 0 (off) ... 100.
    uint32_t filter_strength;
} poster_webp_picture;

/// Encodes a whole picture, lossy, and passes the file to the caller, who has to free it. POSTER_CORRUPT means that a
/// partition or the file would have become too large.
enum poster_status poster_webp_encode(const poster_webp_picture *picture, const poster_watch *watch,
                                           poster_bytes *bytes);

/// The version of libwebp's encoder: 0xMMmmrr.
int32_t poster_webp_encoder_version(void);

/// The format of the decoder's output.
enum poster_webp_samples {
    /// Three planes, limited range, chroma halved and rounded up. Only for lossy pictures.
    POSTER_WEBP_YUV POSTER_SWIFT_NAME(yuv) = 0,
    /// One plane of three bytes per pixel.
    POSTER_WEBP_RGB POSTER_SWIFT_NAME(rgb),
    /// One plane of four bytes per pixel, not premultiplied.
    POSTER_WEBP_RGBA POSTER_SWIFT_NAME(rgba),
} __attribute__((enum_extensibility(closed)));

typedef struct {
    /// The bitstream's size and the requested size, which is the same or smaller. In pixels, 1...16384.
    uint32_t width, height, scaled_width, scaled_height;
    enum poster_webp_samples samples;
} poster_webp_request;

/// The decoded rows, which belong to the reader. The number of valid rows from the top is the result of
/// poster_webp_reader_feed.
typedef struct {
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
} poster_webp_rows;

/// An incremental decoder of one picture. Not thread-safe.
typedef struct poster_webp_reader poster_webp_reader;

/// Creates a decoder, which the caller has to destroy. Sides out of range, and scaled sides larger than the
/// bitstream's, are misuse. A library with another ABI than compiled for is reported as out of memory.
enum poster_status poster_webp_reader_create(const poster_webp_request *request,
                                                         poster_webp_reader *_Nullable *_Nonnull reader);
void poster_webp_reader_destroy(poster_webp_reader *_Nullable reader);

/// Decodes as far as the data permits, without copying it.
///
/// `bytes` must stay in place until destroy, and begin with a chunk: ALPH, VP8 or VP8L. `count` is always the number of
/// bytes from there. `*row_count` becomes the number of complete rows. It is misuse to feed after a failure or after
/// the last row, from another address, or fewer bytes than before.
enum poster_status poster_webp_reader_feed(poster_webp_reader *reader, const uint8_t *bytes, size_t count,
                                                       uint32_t *row_count);

/// Returns the rows' memory; only after some rows are complete.
enum poster_status poster_webp_reader_rows(const poster_webp_reader *reader, poster_webp_rows *rows);

/// Returns to the system the memory of the rows of luma, or of pixels, before `row`, in whole pages. They must not be
/// read any more. It is misuse to drop incomplete rows.
enum poster_status poster_webp_reader_drop(poster_webp_reader *reader, uint32_t row);

#pragma clang assume_nonnull end

#endif
