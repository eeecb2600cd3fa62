#include "fuzz_memory.h"

#include <sanitizer/allocator_interface.h>

// The system's functions.
#undef mmap
#undef munmap

// Only one thread renders.
static long held, peak;

static void add(size_t size) {
    held += (long)size;
    if (held > peak) peak = held;
}

static void on_allocation(const volatile void *block, size_t size) {
    (void)block;
    add(size);
}

static void on_release(const volatile void *block) {
    if (block) held -= (long)__sanitizer_get_allocated_size((const void *)block);
}

void *fuzz_memory_map(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    void *memory = mmap(address, size, protection, flags, descriptor, offset);
    if (memory != MAP_FAILED) add(size);
    return memory;
}

int fuzz_memory_unmap(void *memory, size_t size) {
    held -= (long)size;
    return munmap(memory, size);
}

void fuzz_memory_begin(void) {
    static int is_installed;
    if (!is_installed) {
        __sanitizer_install_malloc_and_free_hooks(on_allocation, on_release);
        is_installed = 1;
    }
    held = peak = 0;
}

size_t fuzz_memory_peak(void) { return (size_t)peak; }
