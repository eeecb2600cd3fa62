// Included before every C source of the fuzzer, so that the codec's mappings are counted like its blocks.
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>

void *fuzz_memory_map(void *address, size_t size, int protection, int flags, int descriptor, off_t offset);
int fuzz_memory_unmap(void *memory, size_t size);

// Resets the count.
void fuzz_memory_begin(void);
// Returns the peak of bytes allocated since then.
size_t fuzz_memory_peak(void);

#define mmap fuzz_memory_map
#define munmap fuzz_memory_unmap

#endif
