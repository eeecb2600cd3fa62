#include "http_testing_decode.h"

#include <limits.h>

#include <brotli/decode.h>
#include <zlib.h>

size_t http_testing_gunzip(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream = {0};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) return 0;  // gzip alone
    stream.next_in = (Bytef *)bytes;  // zlib only reads
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END && stream.avail_in == 0 ? capacity - stream.avail_out : 0;
}

size_t http_testing_unbrotli(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    size_t written = capacity;
    return BrotliDecoderDecompress(count, bytes, &written, output) == BROTLI_DECODER_RESULT_SUCCESS ? written : 0;
}
