#ifndef POSTER_BYTES_H
#define POSTER_BYTES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// An encoder's output, in memory of malloc that changes hands with it: whoever has it last calls `free`.
typedef struct {
    uint8_t *_Nullable start;
    size_t count;
    /// At least `count`.
    size_t capacity;
} poster_bytes;

/// Makes room for so many bytes in all. Zero when there is no memory; what was there stays.
int poster_bytes_reserve(poster_bytes *bytes, size_t capacity);

/// Appends; the capacity doubles when it is too small. Zero when there is no memory.
int poster_bytes_append(poster_bytes *bytes, const void *source, size_t count);

/// Gives back what is not used.
void poster_bytes_trim(poster_bytes *bytes);

#pragma clang assume_nonnull end

#endif
