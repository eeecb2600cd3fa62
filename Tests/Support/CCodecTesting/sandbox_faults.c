#define _GNU_SOURCE
#include "sandbox_faults.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <unistd.h>

int32_t fault_trace_parent(void) { return (int32_t)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); }

int32_t fault_fork(void) { return fork(); }

int32_t fault_map_files(void) {
    enum { SIZE = 1 << 20, COUNT = 4096 };
    static char bytes[SIZE];
    for (int index = 0; index < COUNT; index += 1) {
        int file = memfd_create("onesheet", MFD_CLOEXEC);
        if (file < 0 || write(file, bytes, SIZE) != SIZE) return -1;
        void *memory = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, file, 0);
        close(file);
        if (memory == MAP_FAILED) return -1;
    }
    return 0;
}
