#ifndef CODEC_TESTING_JXL_H
#define CODEC_TESTING_JXL_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Properties of a JPEG XL file.
typedef struct {
    uint32_t width, height;
    /// Samples of a pixel: 1 gray, 3 RGB, 4 RGBA.
    uint32_t channels;
    /// Whether the colours are sRGB by enumeration, without an ICC profile.
    int32_t is_srgb;
    /// Frames as stored, layers included.
    uint32_t frame_count;
    /// Boxes beside the picture, such as EXIF.
    uint32_t box_count;
} codec_testing_jxl_header;

/// Decodes the picture with libjxl to 8 bits a sample, without padding; layers are composed.
///
/// Returns zero if libjxl rejects the file, or if the pixels exceed `capacity` bytes.
int32_t codec_testing_jxl(const uint8_t *bytes, size_t count, codec_testing_jxl_header *header, uint8_t *pixels,
                          size_t capacity);

#pragma clang assume_nonnull end

#endif
