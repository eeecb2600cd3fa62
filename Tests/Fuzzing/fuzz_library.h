// libFuzzer's interface for custom mutators.
#ifndef FUZZ_LIBRARY_H
#define FUZZ_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

// Mutates `count` bytes in place, to at most `capacity`, and returns the new count.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t capacity);

#endif
