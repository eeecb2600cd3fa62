#ifndef POSTER_BYTES_H
#define POSTER_BYTES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An encoder's output in memory of malloc. Ownership moves with the struct: the last owner calls `free`.
typedef struct {
    uint8_t *_Nullable start;
    size_t count;
    /// At least `count`.
    size_t capacity;
} poster_bytes;

/// Ensures this capacity. Returns zero without memory, leaving the content unchanged.
int poster_bytes_reserve(poster_bytes *bytes, size_t capacity);

/// Appends bytes; the capacity doubles when it is too small. Returns zero without memory.
int poster_bytes_append(poster_bytes *bytes, const void *source, size_t count);

/// Returns unused capacity to malloc.
void poster_bytes_trim(poster_bytes *bytes);

#pragma clang assume_nonnull end

#endif
