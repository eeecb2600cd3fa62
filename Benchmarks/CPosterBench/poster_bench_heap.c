#define _GNU_SOURCE
#include "poster_bench_heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Under a sanitizer malloc is the sanitizer's, and nothing is counted.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POSTER_BENCH_COUNTS_NOTHING
#endif
#endif

static atomic_int is_counting;
static atomic_size_t allocations;
static atomic_long live, peak;

enum { max_mappings = 256 };
// Anonymous mappings made while counting; 0 is a free slot.
static _Atomic uintptr_t mappings[max_mappings];

#ifndef POSTER_BENCH_COUNTS_NOTHING

// Wraps glibc's malloc: the dynamic linker prefers a program's symbols to a library's, so that the codecs' libraries
// call these functions, too. While counting is off, they cost a load and a branch.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void add(size_t bytes) {
    const long now = atomic_fetch_add_explicit(&live, (long)bytes, memory_order_relaxed) + (long)bytes;
    long highest = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > highest && !atomic_compare_exchange_weak(&peak, &highest, now)) {}
}

static void take(size_t bytes) { atomic_fetch_sub_explicit(&live, (long)bytes, memory_order_relaxed); }

static int counts(void) { return atomic_load_explicit(&is_counting, memory_order_relaxed); }

static void *counted(void *block) {
    if (block && counts()) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        add(malloc_usable_size(block));
    }
    return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    *block = counted(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

void *realloc(void *block, size_t size) {
    const size_t before = block && counts() ? malloc_usable_size(block) : 0;
    void *const after = __libc_realloc(block, size);
    if (counts() && (after || size == 0)) take(before);
    return counted(after);
}

void free(void *block) {
    if (block && counts()) take(malloc_usable_size(block));
    __libc_free(block);
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    void *const memory = (void *)syscall(SYS_mmap, address, size, protection, flags, descriptor, offset);
    if (memory == MAP_FAILED || !counts() || !(flags & MAP_ANONYMOUS)) return memory;
    for (int i = 0; i < max_mappings; i++) {
        uintptr_t free_place = 0;
        if (!atomic_compare_exchange_strong(&mappings[i], &free_place, (uintptr_t)memory)) continue;
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        add(size);
        break;
    }
    return memory;
}

// Whole mappings only: no caller unmaps a part of one.
int munmap(void *memory, size_t size) {
    for (int i = 0; counts() && i < max_mappings; i++) {
        uintptr_t place = (uintptr_t)memory;
        if (!atomic_compare_exchange_strong(&mappings[i], &place, 0)) continue;
        take(size);
        break;
    }
    return (int)syscall(SYS_munmap, memory, size);
}

#endif

void poster_bench_heap_trim(void) { malloc_trim(0); }

void poster_bench_touch(const void *memory, size_t size) {
    const volatile char *bytes = memory;
    for (size_t offset = 0; offset < size; offset += 4096) (void)bytes[offset];
}

void poster_bench_heap_count(void) {
    atomic_store(&allocations, 0);
    atomic_store(&live, 0);
    atomic_store(&peak, 0);
    for (int i = 0; i < max_mappings; i++) atomic_store(&mappings[i], 0);
    atomic_store(&is_counting, 1);
}

poster_bench_heap_counts poster_bench_heap_counted(void) {
    atomic_store(&is_counting, 0);
    const long left = atomic_load(&live);
    return (poster_bench_heap_counts){atomic_load(&allocations), (size_t)atomic_load(&peak),
                                      left > 0 ? (size_t)left : 0};
}
