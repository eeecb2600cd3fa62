#ifndef POSTER_WEBP_H
#define POSTER_WEBP_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

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

/// Encodes a whole picture, lossy, and gives the file to the caller, who has to free it. Corrupt means that a partition
/// or the file would have become too large.
enum poster_status poster_webp_encode(const poster_webp_picture *picture, const poster_watch *watch,
                                           poster_bytes *bytes);

/// The encoder's version as libwebp gives it: 0xMMmmrr.
int32_t poster_webp_encoder_version(void);

/// What the decoder writes.
enum poster_webp_samples {
    /// Three planes, limited range, chroma of half the size, rounded up. Only of lossy pictures.
    POSTER_WEBP_YUV POSTER_SWIFT_NAME(yuv) = 0,
    /// One plane of three bytes a pixel.
    POSTER_WEBP_RGB POSTER_SWIFT_NAME(rgb),
    /// One plane of four bytes a pixel, colours not multiplied by alpha.
    POSTER_WEBP_RGBA POSTER_SWIFT_NAME(rgba),
} __attribute__((enum_extensibility(closed)));

typedef struct {
    /// As the bitstream has it, and as it is wanted: the same, or smaller. In pixels, 1...16384.
    uint32_t width, height, scaled_width, scaled_height;
    enum poster_webp_samples samples;
} poster_webp_request;

/// The decoded picture, which belongs to the reader. As many rows from the top are valid as poster_webp_reader_feed
/// said.
typedef struct {
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
} poster_webp_rows;

/// A decoder of one picture, which takes the data piece by piece. Not thread-safe.
typedef struct poster_webp_reader poster_webp_reader;

/// Makes a decoder, which the caller has to destroy. Sides out of range, or a scaled side that is larger than the bitstream's,
/// are misuse. Also out of memory is it for another library than this was compiled for.
enum poster_status poster_webp_reader_create(const poster_webp_request *request,
                                                         poster_webp_reader *_Nullable *_Nonnull reader);
void poster_webp_reader_destroy(poster_webp_reader *_Nullable reader);

/// Decodes as far as the data goes. Nothing of it is copied.
///
/// `bytes` must stay where they are until destroy, and begin with a chunk: ALPH, VP8 or VP8L. `count` counts from there
/// every time. `*row_count` becomes the number of rows that are complete. It is misuse to feed after a failure or after the
/// last row, from another place, or less than before.
enum poster_status poster_webp_reader_feed(poster_webp_reader *reader, const uint8_t *bytes, size_t count,
                                                       uint32_t *row_count);

/// Where the rows are; only after some were complete.
enum poster_status poster_webp_reader_rows(const poster_webp_reader *reader, poster_webp_rows *rows);

/// Gives back the memory of the rows of luma, or of pixels, before `row`, as far as it is whole pages. They are not to be
/// read any more. It is misuse to drop rows that are not complete.
enum poster_status poster_webp_reader_drop(poster_webp_reader *reader, uint32_t row);

#pragma clang assume_nonnull end

#endif
