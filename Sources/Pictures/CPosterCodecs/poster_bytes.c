#include "poster_bytes.h"

#include <stdlib.h>
#include <string.h>

enum { first_capacity = 32 << 10 };

int poster_bytes_reserve(poster_bytes *bytes, size_t capacity) {
    if (capacity <= bytes->capacity) return 1;
    uint8_t *start = realloc(bytes->start, capacity);
    if (!start) return 0;
    bytes->start = start;
    bytes->capacity = capacity;
    return 1;
}

int poster_bytes_append(poster_bytes *bytes, const void *source, size_t count) {
    if (count > bytes->capacity - bytes->count) {
        size_t capacity = bytes->capacity ? 2 * bytes->capacity : first_capacity;
        while (capacity - bytes->count < count) capacity *= 2;
        if (!poster_bytes_reserve(bytes, capacity)) return 0;
    }
    memcpy(bytes->start + bytes->count, source, count);
    bytes->count += count;
    return 1;
}

void poster_bytes_trim(poster_bytes *bytes) {
    if (bytes->count == 0 || bytes->count == bytes->capacity) return;
    uint8_t *start = realloc(bytes->start, bytes->count);
    if (!start) return;  // keeps its capacity
    bytes->start = start;
    bytes->capacity = bytes->count;
}
