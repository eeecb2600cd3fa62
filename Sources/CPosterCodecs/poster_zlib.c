#include "poster_zlib.h"

#include <limits.h>

#include <zlib.h>

uint32_t poster_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }

size_t poster_inflate(const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
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

const char *poster_zlib_version(void) { return zlibVersion(); }
