#include "poster_bench_heap.h"

#include <malloc.h>

void poster_bench_heap_trim(void) { malloc_trim(0); }
