#ifndef POSTER_MEMORY_H
#define POSTER_MEMORY_H

#include <stdint.h>

/// Creates a file in memory without pages, which ends with its last descriptor and mapping.
///
/// - Returns: A descriptor; -1 where the kernel or the limit of file sizes does not allow it.
int32_t poster_memory_create(int64_t size);

/// Removes whole pages of a file in memory; the file's size stays. Later reads of the range are zero. References to the
/// removed pages, such as a socket's, keep their contents.
///
/// - Returns: 0, or an error number.
int32_t poster_memory_punch(int32_t descriptor, int64_t offset, int64_t count);

#endif
