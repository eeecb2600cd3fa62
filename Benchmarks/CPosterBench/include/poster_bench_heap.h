#ifndef POSTER_BENCH_HEAP_H
#define POSTER_BENCH_HEAP_H

/// Gives all free memory of the heap back to the system. The corresponding C function is `malloc_trim`, whose header is
/// not in Swift's Glibc module.
void poster_bench_heap_trim(void);

#endif
