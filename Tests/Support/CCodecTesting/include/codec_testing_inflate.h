#ifndef CODEC_TESTING_INFLATE_H
#define CODEC_TESTING_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Inflates a zlib stream with zlib, which other decoders are compared with, until `capacity` bytes are there or it ends.
///
/// Returns how many bytes were written: less than `capacity` when the stream is shorter than that, or broken.
size_t codec_testing_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
