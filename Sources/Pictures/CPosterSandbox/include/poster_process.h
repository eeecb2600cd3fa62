#ifndef POSTER_PROCESS_H
#define POSTER_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The descriptors that a spawned process finds open beside 0, 1 and 2, which are /dev/null.
enum {
    POSTER_SOCKET_DESCRIPTOR = 3,
    POSTER_CONTROL_DESCRIPTOR = 4,
};

/// Executes a program with an empty environment, in a session of its own, with no descriptors but `socket` and `control`.
/// - Parameter nice: Added to the priority of the caller; 0 for the same.
/// - Returns: 0, or an error number.
int32_t poster_process_spawn(
    const char *path, const char *argument, int32_t socket, int32_t control, int32_t nice, pid_t *process);

/// A process' limits, in bytes and seconds; `space_bytes` are those of its addresses. Soft limits are set, which it cannot raise when
/// it must not call setrlimit.
/// - Returns: 0, or an error number.
int32_t poster_process_limit(
    pid_t process, uint64_t data_bytes, uint64_t space_bytes, uint64_t file_bytes, uint64_t cpu_seconds);

/// The hard limits of data and files, which only privileged processes can raise again.
int32_t poster_process_limit_for_good(pid_t process, uint64_t data_bytes, uint64_t file_bytes);

/// The CPU time of a process in nanoseconds; 0 when there is no such process.
uint64_t poster_process_cpu_time(pid_t process);

/// Sends SIGKILL and waits for the end.
/// - Returns: What waitpid has reported; 0 when it has not.
int32_t poster_process_end(pid_t process);

/// The memory that malloc has handed out in this process, in bytes.
uint64_t poster_process_heap_bytes(void);

/// CPU time that other processes have spent for the calling thread, in nanoseconds.
uint64_t poster_thread_charged_time(void);
void poster_thread_charge_time(uint64_t nanoseconds);

#pragma clang assume_nonnull end

#endif
