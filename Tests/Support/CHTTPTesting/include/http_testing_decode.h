#ifndef HTTP_TESTING_DECODE_H
#define HTTP_TESTING_DECODE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Inflates one gzip member. Returns the number of bytes written to `output`; 0 if the member is malformed, is followed
/// by other bytes, or does not fit into `capacity`.
size_t http_testing_gunzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

/// Decodes a brotli stream, with the same result.
size_t http_testing_unbrotli(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
