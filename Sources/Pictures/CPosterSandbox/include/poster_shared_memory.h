#ifndef POSTER_SHARED_MEMORY_H
#define POSTER_SHARED_MEMORY_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Creates empty memory with a descriptor, which can be sealed.
/// - Returns: The descriptor, or -1.
int32_t poster_shared_memory_create(void);

/// Permanently prevents changes of content and size. No process may have the memory mapped for writing.
/// - Returns: 0, or an error number.
int32_t poster_shared_memory_seal(int32_t descriptor);

/// Prevents changes of the size.
/// - Returns: 0, or an error number.
int32_t poster_shared_memory_fix_size(int32_t descriptor);

/// The size of sealed memory in bytes; -1 for any other file, and for memory without all seals.
int64_t poster_shared_memory_sealed_size(int32_t descriptor);

/// Opens a read-only descriptor of the same memory.
/// - Returns: The descriptor, or -1.
int32_t poster_shared_memory_reopen(int32_t descriptor);

/// Access to words that one process writes and another one reads.
static inline uint64_t poster_word_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void poster_word_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

#pragma clang assume_nonnull end

#endif
