// What libFuzzer offers to those who change files in their own way.
#ifndef FUZZ_LIBRARY_H
#define FUZZ_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

// Changes `count` bytes in place, to at most `capacity`, and returns their new number.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t capacity);

#endif
