#ifndef POSTER_SANDBOX_H
#define POSTER_SANDBOX_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// What the kernel has given a process that entered the sandbox.
typedef struct {
    /// 0 when the seccomp filter is on, otherwise the error number.
    int32_t seccomp_error;
    /// The version of Landlock that restricts it; 0 without.
    int32_t landlock_version;
    /// Whether it can gain no privileges by executing programs.
    int32_t has_no_new_privileges;
} poster_sandbox_report;

/// Takes from the calling process everything that computing on open descriptors does not need, for good: files, network,
/// other processes, core dumps. To be called once, while there is one thread.
///
/// Other system calls end the process, except for those that libraries can do without, which fail with `ENOSYS`.
/// - Parameter descriptor_limit: The descriptors that it may have open.
void poster_sandbox_enter(uint64_t descriptor_limit, poster_sandbox_report *report);

#pragma clang assume_nonnull end

#endif
