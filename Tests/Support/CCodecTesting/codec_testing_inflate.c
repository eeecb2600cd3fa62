#include "codec_testing_inflate.h"

#include <limits.h>

#include <zlib.h>

size_t codec_testing_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream = {0};
    if (inflateInit(&stream) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;  // zlib only reads
    stream.avail_in = (uInt)count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    while (stream.avail_out > 0 && inflate(&stream, Z_NO_FLUSH) == Z_OK) {
    }
    inflateEnd(&stream);
    return capacity - stream.avail_out;
}
