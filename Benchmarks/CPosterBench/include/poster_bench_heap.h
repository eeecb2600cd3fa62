#ifndef POSTER_BENCH_HEAP_H
#define POSTER_BENCH_HEAP_H

#include <stddef.h>

/// Returns all free memory of the heap to the system. Calls `malloc_trim`, which Swift's Glibc module lacks.
void poster_bench_heap_trim(void);

/// Reads a byte of every page, so that all of the memory is resident.
void poster_bench_touch(const void *memory, size_t size);

/// Allocations since counting began: by malloc and related functions, and as anonymous mappings by mmap.
typedef struct {
    /// Number of allocated blocks, including resized ones.
    size_t allocations;
    /// Bytes in use, at most and at present; blocks count with their usable size.
    size_t peak;
    size_t live;
} poster_bench_heap_counts;

/// Starts counting at zero, for all threads.
void poster_bench_heap_count(void);

/// Ends counting. Blocks allocated before and freed meanwhile are subtracted from `live`, which does not fall below 0.
poster_bench_heap_counts poster_bench_heap_counted(void);

#endif
