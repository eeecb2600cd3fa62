#include "poster_zlib.h"

#include <zlib.h>

uint32_t poster_crc32(const uint8_t *bytes, size_t count) { return (uint32_t)crc32_z(0, bytes, count); }

const char *poster_zlib_version(void) { return zlibVersion(); }
