#ifndef POSTER_SHARED_MEMORY_H
#define POSTER_SHARED_MEMORY_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// Memory with a descriptor, empty, which can be sealed.
/// - Returns: The descriptor, or -1.
int32_t poster_shared_memory_create(void);

/// Forbids every change of the contents and of the size, for good. No process may have it mapped for writing.
/// - Returns: 0, or an error number.
int32_t poster_shared_memory_seal(int32_t descriptor);

/// Forbids every change of the size.
/// - Returns: 0, or an error number.
int32_t poster_shared_memory_fix_size(int32_t descriptor);

/// The size of sealed memory in bytes; -1 for any other file, and for memory without all seals.
int64_t poster_shared_memory_sealed_size(int32_t descriptor);

/// Another descriptor of the same memory that can only be read.
/// - Returns: The descriptor, or -1.
int32_t poster_shared_memory_reopen(int32_t descriptor);

/// Words that one process writes and another one reads.
static inline uint64_t poster_word_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void poster_word_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

#pragma clang assume_nonnull end

#endif
