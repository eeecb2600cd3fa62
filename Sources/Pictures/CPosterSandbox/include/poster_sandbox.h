#ifndef POSTER_SANDBOX_H
#define POSTER_SANDBOX_H

#include <stdint.h>

#pragma clang assume_nonnull begin

/// The restrictions in effect for a process in the sandbox.
typedef struct {
    /// 0 if the seccomp filter is installed, otherwise the error number.
    int32_t seccomp_error;
    /// The version of Landlock that restricts the process; 0 without Landlock.
    int32_t landlock_version;
    /// Whether the process cannot gain privileges by executing programs.
    int32_t has_no_new_privileges;
} poster_sandbox_report;

/// Permanently deprives the calling process of everything that computing on open descriptors does not need: files,
/// network, other processes, core dumps. Call it once, while there is one thread.
///
/// Other system calls end the process, except calls that libraries can do without, which fail with `ENOSYS`.
/// - Parameter descriptor_limit: The maximum number of open descriptors.
void poster_sandbox_enter(uint64_t descriptor_limit, poster_sandbox_report *report);

#pragma clang assume_nonnull end

#endif
