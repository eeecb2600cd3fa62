#ifndef HTTP_TESTING_DECODE_H
#define HTTP_TESTING_DECODE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Inflates one gzip member. Returns how many bytes were written to `output`; 0 when it is broken, is followed by anything,
/// or does not fit into `capacity`.
size_t http_testing_gunzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

/// The same for a brotli stream.
size_t http_testing_unbrotli(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
