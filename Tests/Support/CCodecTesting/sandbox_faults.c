#include "sandbox_faults.h"

#include <stddef.h>
#include <sys/ptrace.h>
#include <unistd.h>

int32_t fault_trace_parent(void) { return (int32_t)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL); }

int32_t fault_fork(void) { return fork(); }
