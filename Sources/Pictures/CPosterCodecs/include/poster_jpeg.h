#ifndef POSTER_JPEG_H
#define POSTER_JPEG_H

#include <stddef.h>
#include <stdint.h>

#include "poster_bytes.h"
#include "poster_status.h"

#pragma clang assume_nonnull begin

/// A range of bytes in a buffer.
typedef struct {
    size_t offset, length;
} poster_byte_range;

/// One component of the picture as delivered by libjpeg.
typedef struct {
    /// Valid samples per row, and valid rows; the rest is padding.
    uint32_t width, height;
    /// Bytes that libjpeg writes per row, including padding.
    uint32_t row_bytes;
    /// Rows of this component per group.
    uint32_t rows_per_group;
    /// Sampling factors, and the side of a decoded block (1, 2, 4 or 8).
    uint32_t horizontal, vertical, block_side;
} poster_jpeg_plane;

/// The picture as delivered, after scaling.
typedef struct {
    uint32_t component_count;
    /// The largest sampling factors of any component.
    uint32_t max_horizontal, max_vertical;
    uint32_t group_count;
    poster_jpeg_plane planes[4];
} poster_jpeg_layout;

/// The coefficients of one component's rows in a group.
typedef struct {
    /// Blocks of 64 coefficients in natural order, not dequantised. The number of rows, each of `blocks_per_row`, is
    /// the component's vertical sampling factor.
    int16_t *_Nullable coefficients;
    uint32_t blocks_per_row;
    /// Blocks of the picture; the rest is padding.
    uint32_t blocks_across, blocks_down;
} poster_jpeg_blocks;

/// The coefficients of a group of rows.
typedef struct {
    poster_jpeg_blocks components[4];
} poster_jpeg_group;

/// A decompressor with its error state. Not thread-safe.
typedef struct poster_jpeg_reader poster_jpeg_reader;

/// Returns NULL only if memory is exhausted.
poster_jpeg_reader *_Nullable poster_jpeg_reader_create(void);
void poster_jpeg_reader_destroy(poster_jpeg_reader *_Nullable reader);

/// libjpeg's interpretation of the components.
enum poster_jpeg_colours {
    POSTER_JPEG_GRAY POSTER_SWIFT_NAME(gray) = 0,
    POSTER_JPEG_YCBCR POSTER_SWIFT_NAME(yCbCr),
    POSTER_JPEG_RGB POSTER_SWIFT_NAME(rgb),
    POSTER_JPEG_CMYK POSTER_SWIFT_NAME(cmyk),
    POSTER_JPEG_YCCK POSTER_SWIFT_NAME(ycck),
    POSTER_JPEG_UNKNOWN POSTER_SWIFT_NAME(unknown),
} __attribute__((enum_extensibility(closed)));

/// The content of the header. Width and height are in pixels, before any scaling.
typedef struct {
    uint32_t width, height;
    uint32_t component_count;
    enum poster_jpeg_colours colours;
} poster_jpeg_frame;

/// Announces that only the first `count` bytes have arrived. Call it before poster_jpeg_reader_open, which then takes
/// one range that begins at 0, and again when more bytes arrive. With `is_complete` no more bytes will come; later
/// calls have no effect. Until then the calls below return POSTER_HUNGRY when bytes are missing, and must be repeated.
/// An incomplete header, and files that libjpeg cannot decode in pieces, need all bytes.
enum poster_status poster_jpeg_reader_feed(poster_jpeg_reader *reader, size_t count, int32_t is_complete);

/// Reads the header. Only `ranges` of `bytes` are read, as if they were the whole file. `bytes` and the context of
/// `watch` are borrowed until destroy. With `may_end` a file with all of its several scans needs no end of image; a
/// file with a single Huffman-coded scan never needs one.
enum poster_status poster_jpeg_reader_open(poster_jpeg_reader *reader, const uint8_t *bytes,
                                                const poster_byte_range *ranges, size_t count, int32_t may_end,
                                                const poster_watch *watch, uint32_t max_scans,
                                                poster_jpeg_frame *frame);

/// Starts decoding to the components' planes without upsampling or colour conversion, scaled to `eighths`/8 (1, 2, 4 or
/// 8) within the inverse DCT. For a file of several scans this reads all of them. `smooths` hides the block edges of a
/// progressive file that ends before its coefficients are complete, as browsers do; it does not change complete files.
enum poster_status poster_jpeg_reader_start(poster_jpeg_reader *reader, uint32_t eighths, int32_t smooths,
                                                 poster_jpeg_layout *layout);

/// Like poster_jpeg_reader_start, for a file of several scans that the caller decodes itself: nothing more of the file
/// is read, so all quantisers must precede the first scan. Before it reads a group, the caller writes the group's
/// coefficients to the memory in `group`, which is valid until destroy. Not followed by poster_jpeg_reader_finish.
enum poster_status poster_jpeg_reader_start_group(poster_jpeg_reader *reader, uint32_t eighths,
                                                       poster_jpeg_layout *layout, poster_jpeg_group *group);

/// Decodes the next group of rows. `planes[i]` receives `rows_per_group` rows of `row_bytes` bytes, `strides[i]` apart.
/// After POSTER_HUNGRY the call must be repeated with the same planes and their content.
enum poster_status poster_jpeg_reader_read_group(poster_jpeg_reader *reader,
                                                      uint8_t *_Nullable const *_Nonnull planes,
                                                      const size_t *strides);

/// Verifies the end of a file with several scans: there was no damage after the last row.
enum poster_status poster_jpeg_reader_finish(poster_jpeg_reader *reader);

/// libjpeg's message of the last failure. Valid until destroy.
const char *poster_jpeg_reader_message(const poster_jpeg_reader *reader);

/// The format of a picture to encode: planes, without colour conversion or chroma resampling.
typedef struct {
    /// In pixels, 1...65500.
    uint32_t width, height;
    /// 1 (gray) or 3 (full-range Y'CbCr, BT.601).
    uint32_t component_count;
    /// Sampling factors of luma (1 or 2); chroma has 1×1. 2×2 is 4:2:0.
    uint32_t luma_horizontal, luma_vertical;
    /// 1...100.
    uint32_t quality;
    /// Progressive files have optimised Huffman tables.
    uint32_t progressive;
} poster_jpeg_format;

/// A band of a picture's rows, of each plane.
typedef struct {
    /// Each row must be readable up to the next multiple of 8 samples.
    const uint8_t *_Nullable planes[3];
    size_t strides[3];
    uint32_t rows[3];
} poster_jpeg_band;

/// A compressor with its output. Not thread-safe.
typedef struct poster_jpeg_writer poster_jpeg_writer;

/// Returns NULL only if memory is exhausted.
poster_jpeg_writer *_Nullable poster_jpeg_writer_create(void);
void poster_jpeg_writer_destroy(poster_jpeg_writer *_Nullable writer);

/// Begins a picture. Call it once per writer.
enum poster_status poster_jpeg_writer_begin(poster_jpeg_writer *writer, const poster_jpeg_format *format);

/// Encodes the next rows from the top. In all bands but the last each plane's number of rows must be a multiple of
/// eight times its vertical sampling factor. Below the picture's last row, that row is repeated.
enum poster_status poster_jpeg_writer_write(poster_jpeg_writer *writer, const poster_jpeg_band *band,
                                                 const poster_watch *watch);

/// Ends the picture after its last row, and passes the file to the caller, who has to free it.
enum poster_status poster_jpeg_writer_finish(poster_jpeg_writer *writer, poster_bytes *bytes);
/// The blocks of a component, rounded up to whole groups; the last ones may lie outside of the picture.
typedef struct {
    /// `blocks_down` rows of 64 coefficients per block, in natural order.
    int16_t *_Nonnull const *_Nullable rows;
    uint32_t blocks_across, blocks_down;
} poster_jpeg_plane_blocks;

/// A scan of one component, or of all (T.81, G.1.1.1).
typedef struct {
    uint8_t component, component_count;
    /// The zigzag positions of the coefficients, 0...63, and the point transforms.
    uint8_t first, last, high_bit, low_bit;
} poster_jpeg_scan;

enum { POSTER_JPEG_MAX_SCANS = 16 };

/// The quantisers of luma and chroma, in natural order, and the scans of a file. No scans: a sequential file.
typedef struct {
    uint16_t quantisers[2][64];
    poster_jpeg_scan scans[POSTER_JPEG_MAX_SCANS];
    uint32_t scan_count;
} poster_jpeg_script;

/// Begins a picture of quantised coefficients; the format's quality and kind of file are not used. Writes a plane for
/// each component, with memory valid until the picture ends. Call it once per writer instead of
/// poster_jpeg_writer_begin.
enum poster_status poster_jpeg_writer_begin_coefficients(poster_jpeg_writer *writer,
                                                              const poster_jpeg_format *format,
                                                              poster_jpeg_plane_blocks *planes);

/// Ends a picture after its coefficients were written to the planes; like poster_jpeg_writer_finish. Huffman tables are
/// optimised.
enum poster_status poster_jpeg_writer_finish_coefficients(poster_jpeg_writer *writer,
                                                               const poster_jpeg_script *script,
                                                               const poster_watch *watch, poster_bytes *bytes);
const char *poster_jpeg_writer_message(const poster_jpeg_writer *writer);

/// The library's version, such as "2.1.5".
const char *poster_jpeg_version(void);

#pragma clang assume_nonnull end

#endif
