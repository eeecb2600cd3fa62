#include "poster_heap.h"

#include <malloc.h>

void poster_heap_settle(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 4);
#endif
}

void poster_heap_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
