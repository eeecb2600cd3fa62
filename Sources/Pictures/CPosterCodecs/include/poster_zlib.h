#ifndef POSTER_ZLIB_H
#define POSTER_ZLIB_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The CRC-32 of a PNG chunk's type and data (ISO 3309).
uint32_t poster_crc32(const uint8_t *bytes, size_t count);

/// The library's version, such as "1.2.13".
const char *poster_zlib_version(void);

#pragma clang assume_nonnull end

#endif
