#ifndef CODEC_TESTING_INFLATE_H
#define CODEC_TESTING_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Inflates a zlib stream with zlib, the reference for other decoders, until it ends or `capacity` bytes are written.
///
/// Returns the number of bytes written: less than `capacity` if the stream is shorter, or broken.
size_t codec_testing_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
