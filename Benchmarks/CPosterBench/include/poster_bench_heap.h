#ifndef POSTER_BENCH_HEAP_H
#define POSTER_BENCH_HEAP_H

#include <stddef.h>

/// Gives all free memory of the heap back to the system. The corresponding C function is `malloc_trim`, whose header is
/// not in Swift's Glibc module.
void poster_bench_heap_trim(void);

/// Reads a byte of every page, so that all of the memory is resident.
void poster_bench_touch(const void *memory, size_t size);

/// What was allocated since counting began: by malloc and its relatives, and as anonymous mappings by calls of mmap.
typedef struct {
    /// Blocks that were asked for, those that were resized included.
    size_t allocations;
    /// Bytes in use, at most and now; blocks count with what malloc really gave.
    size_t peak;
    size_t live;
} poster_bench_heap_counts;

/// Begins to count, for all threads, from nothing.
void poster_bench_heap_count(void);

/// Ends counting. Blocks that were there before and have been freed meanwhile are taken from `live`, not below 0.
poster_bench_heap_counts poster_bench_heap_counted(void);

#endif
