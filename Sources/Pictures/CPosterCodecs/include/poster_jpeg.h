#ifndef POSTER_JPEG_H
#define POSTER_JPEG_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// Some bytes of a buffer.
typedef struct {
    size_t offset, length;
} poster_byte_range;

/// One component of the picture as libjpeg delivers it.
typedef struct {
    /// Valid samples a row and valid rows; what lies beyond is padding.
    uint32_t width, height;
    /// Bytes that libjpeg writes per row, padding included.
    uint32_t row_bytes;
    /// Rows of this component in one group.
    uint32_t rows_per_group;
    /// Sampling factors and the side of a decoded block (1, 2, 4 or 8).
    uint32_t horizontal, vertical, block_side;
} poster_jpeg_plane;

/// The picture as it will be delivered, after scaling.
typedef struct {
    uint32_t component_count;
    /// The largest sampling factors of any component.
    uint32_t max_horizontal, max_vertical;
    uint32_t group_count;
    poster_jpeg_plane planes[4];
} poster_jpeg_layout;

/// The coefficients of one component's rows in a group.
typedef struct {
    /// Blocks of 64 coefficients in natural order, not dequantised; as many rows of `blocks_per_row` as the component's
    /// vertical sampling factor.
    int16_t *_Nullable coefficients;
    uint32_t blocks_per_row;
    /// Blocks of the picture; what lies beyond is padding.
    uint32_t blocks_across, blocks_down;
} poster_jpeg_blocks;

/// The coefficients of a group of rows.
typedef struct {
    poster_jpeg_blocks components[4];
} poster_jpeg_group;

/// A decompressor and the error state that belongs to it. Not thread-safe.
typedef struct poster_jpeg_reader poster_jpeg_reader;

/// Returns NULL only when memory is exhausted.
poster_jpeg_reader *_Nullable poster_jpeg_reader_create(void);
void poster_jpeg_reader_destroy(poster_jpeg_reader *_Nullable reader);

/// How libjpeg understands the components.
enum poster_jpeg_colours {
    POSTER_JPEG_GRAY POSTER_SWIFT_NAME(gray) = 0,
    POSTER_JPEG_YCBCR POSTER_SWIFT_NAME(yCbCr),
    POSTER_JPEG_RGB POSTER_SWIFT_NAME(rgb),
    POSTER_JPEG_CMYK POSTER_SWIFT_NAME(cmyk),
    POSTER_JPEG_YCCK POSTER_SWIFT_NAME(ycck),
    POSTER_JPEG_UNKNOWN POSTER_SWIFT_NAME(unknown),
} __attribute__((enum_extensibility(closed)));

/// What the header says. Width and height are in pixels, before any scaling.
typedef struct {
    uint32_t width, height;
    uint32_t component_count;
    enum poster_jpeg_colours colours;
} poster_jpeg_frame;

/// Says that only the first `count` bytes are there, to be called before poster_jpeg_reader_open, which takes one range
/// that begins at 0 then, and again when there are more. With `is_complete` no more will come; calls after that change
/// nothing. Until then the calls below return POSTER_HUNGRY where bytes are missing, and are to be made again; a header that
/// is not whole, and files that libjpeg cannot decode in pieces, need all bytes.
enum poster_status poster_jpeg_reader_feed(poster_jpeg_reader *reader, size_t count, int32_t is_complete);

/// Reads the header. Only `ranges` of `bytes` are read, as if they were the file. `bytes` are borrowed until destroy, and so
/// is what `watch` points at. With `may_end` a file of several scans, all of which are there, needs no end of image; one
/// with a single Huffman-coded scan never does.
enum poster_status poster_jpeg_reader_open(poster_jpeg_reader *reader, const uint8_t *bytes,
                                                const poster_byte_range *ranges, size_t count, int32_t may_end,
                                                const poster_watch *watch, uint32_t max_scans,
                                                poster_jpeg_frame *frame);

/// Starts decoding to the planes of the components as they are coded, scaled to `eighths`/8 (1, 2, 4 or 8) inside the
/// inverse DCT. In a file of several scans this reads all of them. `smooths` hides the blocks of a progressive file that
/// ends before its coefficients are complete, as browsers do; it changes nothing in a complete one.
enum poster_status poster_jpeg_reader_start(poster_jpeg_reader *reader, uint32_t eighths, int32_t smooths,
                                                 poster_jpeg_layout *layout);

/// Starts like poster_jpeg_reader_start, for a file of several scans that the caller decodes itself: nothing more of the
/// file is read, so that all quantisers have to stand before the first scan. The caller writes the coefficients of each
/// group to where `group` points, until destroy, before it reads the group. Ends without poster_jpeg_reader_finish.
enum poster_status poster_jpeg_reader_start_group(poster_jpeg_reader *reader, uint32_t eighths,
                                                       poster_jpeg_layout *layout, poster_jpeg_group *group);

/// Decodes the next group of rows. `planes[i]` receives `rows_per_group` rows of `row_bytes` bytes, `strides[i]` apart; they
/// have to be the same, with what they hold, after POSTER_HUNGRY.
enum poster_status poster_jpeg_reader_read_group(poster_jpeg_reader *reader,
                                                      uint8_t *_Nullable const *_Nonnull planes,
                                                      const size_t *strides);

/// Checks what can only be known at the end of several scans: that no damage was met after the last row.
enum poster_status poster_jpeg_reader_finish(poster_jpeg_reader *reader);

/// The library's own words for the last failure. Valid until destroy.
const char *poster_jpeg_reader_message(const poster_jpeg_reader *reader);

/// How a picture is to be encoded: planes, without colour conversion or chroma resampling.
typedef struct {
    /// In pixels, 1...65500.
    uint32_t width, height;
    /// 1 (gray) or 3 (full-range Y'CbCr, BT.601).
    uint32_t component_count;
    /// Sampling factors of luma (1 or 2); chroma has 1×1. 2×2 is 4:2:0.
    uint32_t luma_horizontal, luma_vertical;
    /// 1...100.
    uint32_t quality;
    uint32_t progressive;
    /// Whether Huffman tables are made for the picture; always in progressive files.
    uint32_t optimizes;
} poster_jpeg_format;

/// Some of a picture's rows, of each plane.
typedef struct {
    /// Each row must be readable up to the next multiple of 8 samples.
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
    uint32_t rows[3];
} poster_jpeg_band;

/// A compressor with its output. Not thread-safe.
typedef struct poster_jpeg_writer poster_jpeg_writer;

/// Returns NULL only when memory is exhausted.
poster_jpeg_writer *_Nullable poster_jpeg_writer_create(void);
void poster_jpeg_writer_destroy(poster_jpeg_writer *_Nullable writer);

/// Begins a picture. One per writer.
enum poster_status poster_jpeg_writer_begin(poster_jpeg_writer *writer, const poster_jpeg_format *format);

/// Encodes the next rows from the top. All bands but the last must have a multiple of eight times the sampling factor of
/// rows in each plane; below the last row of the picture that row is repeated.
enum poster_status poster_jpeg_writer_write(poster_jpeg_writer *writer, const poster_jpeg_band *band,
                                                 const poster_watch *watch);

/// Ends the picture after its last row and gives the file to the caller, who has to free it.
enum poster_status poster_jpeg_writer_finish(poster_jpeg_writer *writer, poster_bytes *bytes);
const char *poster_jpeg_writer_message(const poster_jpeg_writer *writer);

/// The library's version, such as "2.1.5".
const char *poster_jpeg_version(void);

#pragma clang assume_nonnull end

#endif
