#ifndef CODEC_TESTING_JPEG_H
#define CODEC_TESTING_JPEG_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A scan: component indices, zigzag range of the coefficients, and bit positions before and after it (Ah, Al).
typedef struct {
    int32_t component_count, components[4];
    int32_t first, last, high_bit, low_bit;
} codec_testing_scan;

/// The format of a JPEG to encode from samples of full size.
typedef struct {
    uint32_t width, height;
    /// 1 (gray), 3 (Y'CbCr) or 4 (CMYK).
    int32_t component_count;
    int32_t horizontal[4], vertical[4];
    int32_t quality;
    /// Restart interval in MCUs; 0 writes no restart markers.
    uint32_t restart_interval;
    int32_t scan_count;
} codec_testing_jpeg_format;

/// Encodes a file with any scans that libjpeg writes: sequential if each has all coefficients, otherwise progressive.
///
/// Returns the number of bytes; 0 if libjpeg fails or the file exceeds `capacity`.
size_t codec_testing_jpeg(const codec_testing_jpeg_format *format, const codec_testing_scan *scans,
                          const uint8_t *samples, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
