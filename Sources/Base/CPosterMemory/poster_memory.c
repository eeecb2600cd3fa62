#define _GNU_SOURCE
#include "poster_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Linux 6.3; Debian 12's headers are older. Some systems refuse executable files in memory.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

int32_t poster_memory_create(int64_t size) {
    // A larger file raises SIGXFSZ.
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < (rlim_t)size) return -1;
    int descriptor = memfd_create("onesheet", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (descriptor < 0) descriptor = memfd_create("onesheet", MFD_CLOEXEC);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, size)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int32_t poster_memory_punch(int32_t descriptor, int64_t offset, int64_t count) {
    int status;
    do status = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, count);
    while (status && errno == EINTR);
    return status ? errno : 0;
}
