#include "poster_compression.h"

#include <limits.h>

#include <brotli/encode.h>
#include <zlib.h>

/// The largest window; 16 is added for gzip's header and trailer instead of zlib's.
static const int gzip_window_bits = 15 + 16;
/// zlib's maximum: the hash chains take 256 KiB.
static const int gzip_memory_level = 9;

size_t poster_gzip(const uint8_t *bytes, size_t count, int level, uint8_t *output, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream = {0};
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window_bits, gzip_memory_level, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;  // zlib only reads
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return status == Z_STREAM_END ? capacity - stream.avail_out : 0;
}

size_t poster_brotli(const uint8_t *bytes, size_t count, int quality, uint8_t *output, size_t capacity) {
    int window = BROTLI_MIN_WINDOW_BITS;
    // A window of n bits reaches back 16 bytes less than 2^n (RFC 7932, 9.1).
    while (window < BROTLI_DEFAULT_WINDOW && ((size_t)1 << window) - 16 < count) window++;
    size_t written = capacity;
    BROTLI_BOOL has_fitted =
        BrotliEncoderCompress(quality, window, BROTLI_MODE_TEXT, count, bytes, &written, output);
    return has_fitted ? written : 0;
}
