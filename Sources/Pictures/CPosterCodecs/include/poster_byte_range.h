#ifndef POSTER_BYTE_RANGE_H
#define POSTER_BYTE_RANGE_H

#include <stddef.h>

/// Some bytes of a buffer.
typedef struct {
    size_t offset, length;
} poster_byte_range;

#endif
