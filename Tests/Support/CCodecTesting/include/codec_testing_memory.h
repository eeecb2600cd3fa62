#ifndef CODEC_TESTING_MEMORY_H
#define CODEC_TESTING_MEMORY_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Reads a byte, with the checks of AddressSanitizer in a sanitised build.
uint8_t codec_testing_read(const void *address);

#pragma clang assume_nonnull end

#endif
