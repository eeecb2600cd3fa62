#define _GNU_SOURCE
#include "poster_shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALL_SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

int32_t poster_shared_memory_create(void) {
    return memfd_create("onesheet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int32_t poster_shared_memory_seal(int32_t descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, ALL_SEALS) ? errno : 0;
}

int32_t poster_shared_memory_fix_size(int32_t descriptor) {
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) ? errno : 0;
}

int64_t poster_shared_memory_sealed_size(int32_t descriptor) {
    // Fails for files that are no sealable memory.
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (seals < 0 || (seals & ALL_SEALS) != ALL_SEALS) return -1;
    struct stat status;
    return fstat(descriptor, &status) ? -1 : status.st_size;
}

int32_t poster_shared_memory_reopen(int32_t descriptor) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_RDONLY | O_CLOEXEC);
}
