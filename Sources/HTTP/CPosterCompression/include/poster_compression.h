#ifndef POSTER_COMPRESSION_H
#define POSTER_COMPRESSION_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Compresses `bytes` to one gzip member (RFC 1952) without a name and a time: equal bytes give equal results.
///
/// `level` is zlib's, from 1 to 9. Returns the number of bytes written; 0 if the result exceeds `capacity`, or if
/// memory is exhausted.
size_t poster_gzip(const uint8_t *bytes, size_t count, int level, uint8_t *output, size_t capacity);

/// Compresses `bytes` to a brotli stream (RFC 7932), with the smallest window that holds them: a client's decoder allocates
/// a window.
///
/// `quality` is brotli's, from 0 to 11. Returns the number of bytes written; 0 if the result exceeds `capacity`, or if
/// memory is exhausted.
size_t poster_brotli(const uint8_t *bytes, size_t count, int quality, uint8_t *output, size_t capacity);

#pragma clang assume_nonnull end

#endif
