#ifndef POSTER_JXL_READER_H
#define POSTER_JXL_READER_H

#include <stddef.h>
#include <stdint.h>

#include "poster_status.h"

#pragma clang assume_nonnull begin

/// The picture that the codestream's header declares.
typedef struct {
    /// The stored size in pixels, before the orientation is applied; 1...2^30 each.
    uint32_t width, height;
    /// 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    uint32_t channels;
    /// Whether a picture in XYB with an ICC profile is converted to Display P3 or gray, with sRGB's curve. Others keep
    /// their colour space.
    uint32_t converts_colours;
} poster_jxl_request;

/// Decodes the first frame of a codestream. Not thread-safe.
typedef struct poster_jxl_reader poster_jxl_reader;

/// Reads up to the first frame. `bytes` and `watch` are borrowed until destroy; the bytes are a codestream without
/// container. Another picture than requested is corrupt.
enum poster_status poster_jxl_reader_create(const poster_jxl_request *request, const uint8_t *bytes, size_t count,
                                            const poster_watch *watch, poster_jxl_reader *_Nullable *_Nonnull reader);
void poster_jxl_reader_destroy(poster_jxl_reader *_Nullable reader);

/// The offset of the first frame in the codestream. The caller checks the headers of frames before it decodes them.
size_t poster_jxl_reader_frames_start(const poster_jxl_reader *reader);

/// The size in bytes of the ICC profile of the decoded pixels; 0 if there is none.
size_t poster_jxl_reader_profile_size(const poster_jxl_reader *reader);

/// Copies the profile.
enum poster_status poster_jxl_reader_profile(const poster_jxl_reader *reader, uint8_t *profile, size_t size);

/// Decodes all pixels to rows without padding, 8 bits a sample; `size` is width × height × channels. The watch is polled
/// between groups of 256 × 256 pixels. Frees the decoder; may be called once.
enum poster_status poster_jxl_reader_decode(poster_jxl_reader *reader, uint8_t *pixels, size_t size);

#pragma clang assume_nonnull end

#endif
